import { crc32 } from '../../src/files/codecs/crc.js';
import type { Dice } from './dice.js';
import { type ByteMutator, joined, otherInteger } from './mutate-bytes.js';

/** A section of a message of GRIB: where it begins, and its length. */
interface Section {
  readonly at: number;
  readonly length: number;
  readonly number: number;
  /** Where its message begins. */
  readonly message: number;
  /** The bytes of its length, and with its number of its head. */
  readonly lengthBytes: 3 | 4;
  readonly head: number;
}

/** The sections of messages, as far as these lead from one to the next. */
function sectionsOf(bytes: Uint8Array): Section[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sections: Section[] = [];
  for (let message = 0; message + 20 <= bytes.length; ) {
    if (view.getUint32(message) !== 0x47524942) break;
    if (bytes[message + 7] === 1) {
      message = addEdition1(view, message, sections);
      continue;
    }
    let at = message + 16;
    while (at + 5 <= bytes.length && view.getUint32(at) !== 0x37373737) {
      const length = view.getUint32(at);
      if (length < 5 || at + length > bytes.length) return sections;
      sections.push({ at, length, number: bytes[at + 4], message, lengthBytes: 4, head: 5 });
      at += length;
    }
    message = at + 4;
  }
  return sections;
}

/** Adds the sections of a message of edition 1, and returns where it ends. */
function addEdition1(view: DataView, message: number, sections: Section[]): number {
  const flags = view.getUint8(message + 15);
  let at = message + 8;
  for (const number of [1, ...(flags & 0x80 ? [2] : []), ...(flags & 0x40 ? [3] : []), 4]) {
    if (at + 4 > view.byteLength) return view.byteLength;
    const length = view.getUint32(at) >>> 8;
    if (length < 4 || at + length > view.byteLength) return view.byteLength;
    sections.push({ at, length, number, message, lengthBytes: 3, head: 3 });
    at += length;
  }
  return at + 4;
}

/** A number in the fixed part of a section becomes another one: of one, two or four bytes. */
const setField: ByteMutator = (bytes, dice) => {
  const sections = sectionsOf(bytes).filter(({ number, lengthBytes }) => {
    return dice.chance(0.2) || (lengthBytes === 3 ? [2, 4] : [3, 5, 6]).includes(number);
  });
  if (sections.length === 0) return undefined;
  const { at, length, head } = dice.pick(sections);
  const width = dice.pick([1, 1, 2, 4]);
  if (length < head + width) return undefined;
  const place = at + head + dice.below(Math.min(length - head - width, 60) + 1);
  const copy = bytes.slice();
  const before = copy.subarray(place, place + width).reduce((value, byte) => 256n * value + BigInt(byte), 0n);
  const after = BigInt.asUintN(8 * width, dice.chance(0.5) ? BigInt(dice.below(256)) : otherInteger(before, dice));
  for (let i = 0; i < width; i++) copy[place + i] = Number((after >> BigInt(8 * (width - 1 - i))) & 255n);
  return copy;
};

/** A section becomes longer or shorter, is left out, or comes twice; the lengths say so. */
const changeSection: ByteMutator = (bytes, dice) => {
  const sections = sectionsOf(bytes);
  if (sections.length === 0) return undefined;
  const { at, length, message, lengthBytes, head } = dice.pick(sections);
  const section = bytes.slice(at, at + length);
  const kind = dice.below(4);
  const more = new Uint8Array(1 + dice.small(100)).map(() => dice.below(256));
  const cut = Math.max(head, length - 1 - dice.small(length));
  const parts = [[section.slice(0, cut)], [joined(section, more)], [], [section, section]][kind];
  for (const part of kind < 2 ? parts : []) setLength(part, 0, part.length, lengthBytes);
  const changed = joined(bytes.subarray(0, at), ...parts, bytes.subarray(at + length));
  const view = new DataView(changed.buffer);
  if (lengthBytes === 3) {
    const stated = view.getUint32(message + 4) >>> 8;
    setLength(changed, message + 4, stated + changed.length - bytes.length, 3);
    return changed;
  }
  const before = view.getBigUint64(message + 8);
  view.setBigUint64(message + 8, BigInt.asUintN(64, before + BigInt(changed.length - bytes.length)));
  return changed;
};

/** A part of a PNG image is changed and has the checksum of what it is then. */
const changeChunk: ByteMutator = (bytes, dice) => {
  const data = dice.pick(sectionsOf(bytes).filter(({ number }) => number === 7));
  if (data === undefined || bytes[data.at + 5] !== 0x89) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts: number[] = [];
  for (let at = data.at + 13; at + 12 <= data.at + data.length; at += 12 + view.getUint32(at)) starts.push(at);
  const at = dice.pick(starts);
  if (at === undefined) return undefined;
  const copy = bytes.slice();
  const end = at + 8 + view.getUint32(at);
  if (end === at + 8 || end + 4 > copy.length) return undefined;
  copy[at + 8 + dice.below(end - at - 8)] = dice.below(256);
  new DataView(copy.buffer).setUint32(end, crc32(copy.subarray(at + 4, end)));
  return copy;
};

/** A byte of a codestream of JPEG 2000 becomes another one, most often in its headers. */
const changeCodestream: ByteMutator = (bytes, dice) => {
  const data = dice.pick(sectionsOf(bytes).filter(({ number }) => number === 7));
  if (data === undefined || bytes[data.at + 5] !== 0xff || data.length < 100) return undefined;
  const copy = bytes.slice();
  for (let change = dice.between(1, 3); change > 0; change--)
    copy[data.at + 5 + dice.below(dice.chance(0.6) ? 130 : data.length - 5)] = dice.below(256);
  return copy;
};

/** Where messages begin and end, as far as each says its length. */
function messagesOf(bytes: Uint8Array): (readonly [number, number])[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: (readonly [number, number])[] = [];
  for (let at = 0; at + 16 <= bytes.length && view.getUint32(at) === 0x47524942; ) {
    const length = bytes[at + 7] === 1 ? view.getUint32(at + 4) >>> 8 : Number(view.getBigUint64(at + 8));
    if (length < 16 || at + length > bytes.length) break;
    messages.push([at, at + length]);
    at += length;
  }
  return messages;
}

/** The first message alone, with another word than GRIB at its beginning; undefined where there is none. */
export function hideHead(bytes: Uint8Array, dice: Dice): Uint8Array | undefined {
  const [first] = messagesOf(bytes);
  if (first === undefined) return undefined;
  const message = bytes.slice(...first);
  message[dice.below(4)] ^= 1 << dice.below(8);
  return message;
}

/** The head of a message comes many times, each stating the message's length, its own, or one to the end of the file. */
const repeatHead: ByteMutator = (bytes, dice) => {
  const message = dice.pick(messagesOf(bytes));
  if (message === undefined) return undefined;
  const [from, to] = message;
  const head = bytes.slice(from, from + dice.pick([4, 8, 16, 37, 100]));
  const count = dice.chance(0.05) ? 20_000 : dice.pick([2, 10, 500]);
  const copies = new Uint8Array(count * head.length);
  for (let i = 0; i < count; i++) copies.set(head, i * head.length);
  const view = new DataView(copies.buffer);
  if (bytes[from + 7] === 2 && head.length >= 16 && dice.chance(0.5)) {
    const left = (i: number) => copies.length - i * head.length + to - from;
    for (let i = 0; i < count; i++)
      view.setBigUint64(i * head.length + 8, BigInt(dice.chance(0.5) ? left(i) : head.length));
  }
  const at = dice.pick([from, to, from + dice.below(to - from)]);
  return joined(bytes.subarray(0, at), copies, bytes.subarray(at));
};

/** Bytes between messages, in front of them or behind: padding, headings, bytes of any kind, parts of messages. */
const putBetween: ByteMutator = (bytes, dice, other) => {
  const at = dice.pick([0, ...messagesOf(bytes).map(([, to]) => to)]);
  const length = 1 + dice.small(2000);
  const fill = dice.pick([() => 0, () => 0x20, () => dice.between(0x41, 0x5a), () => dice.below(256)]);
  const more = dice.chance(0.7) ? new Uint8Array(length).map(fill) : other.slice(dice.below(other.length));
  return joined(bytes.subarray(0, at), more, bytes.subarray(at));
};

/** A word at the beginning or end of a message is damaged. */
const damageWord: ByteMutator = (bytes, dice) => {
  const message = dice.pick(messagesOf(bytes));
  if (message === undefined) return undefined;
  const copy = bytes.slice();
  copy[(dice.chance(0.5) ? message[0] : message[1] - 4) + dice.below(4)] ^= 1 << dice.below(8);
  return copy;
};

/** A message becomes zeros, as in a file with a hole. */
const clearMessage: ByteMutator = (bytes, dice) => {
  const message = dice.pick(messagesOf(bytes));
  return message && bytes.slice().fill(0, ...message);
};

/** Writes a length, the highest byte first. */
function setLength(bytes: Uint8Array, at: number, length: number, count: number): void {
  for (let i = 0; i < count && at + i < bytes.length; i++) bytes[at + i] = (length >> (8 * (count - 1 - i))) & 255;
}

export const GRIB_MUTATORS: readonly ByteMutator[] = [
  ...[setField, setField, changeSection],
  ...[changeChunk, changeCodestream, repeatHead, putBetween, damageWord, clearMessage],
];
