import type { Dice } from './dice.js';

/** Bytes that a mutation may change: from the first one to the one after the last. */
export type Region = readonly [number, number];

/** A change of bytes; `other` are those of another file of the same format. Returns undefined where it does not fit. */
export type ByteMutator = (
  bytes: Uint8Array,
  dice: Dice,
  other: Uint8Array,
  /** Whether nothing was changed before: lengths in the bytes are right. */
  isWhole: boolean,
) => Uint8Array | undefined;

/** Numbers that lengths, counts and sizes are set to, beside changes of what they are. */
const WILD = [0n, 1n, -1n, 2n, 0x7fn, 0x80n, 0xffn, 0x7fffn, 0xffffn, 0x7fffffffn, 0x80000000n, 0xffffffffn];
const HUGE = [2n ** 40n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n, 10n ** 9n, 10n ** 12n];
const BYTES = [0, 1, 127, 128, 254, 255];

/** Flips of single bits and single bytes, within regions. Lengths stay. */
export function damage(bytes: Uint8Array, dice: Dice, regions: readonly Region[] = [[0, bytes.length]]): Uint8Array {
  const copy = bytes.slice();
  for (let left = 1 + dice.small(8); left > 0; left--) {
    const [from, to] = dice.pick(regions);
    const at = dice.between(from, to - 1);
    if (dice.chance(0.5)) copy[at] ^= 1 << dice.below(8);
    else copy[at] = dice.chance(0.5) ? dice.pick(BYTES) : dice.below(256);
  }
  return copy;
}

/** An integer of 1 to 8 bytes that may be a length, a count or a place is set to another one. */
const setInteger: ByteMutator = (bytes, dice) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let tries = 0; tries < 40; tries++) {
    const width = dice.pick([2, 4, 4, 8]);
    const littleEndian = dice.chance(0.6);
    const step = dice.pick([1, 2, 4]);
    const at = dice.below(Math.ceil(bytes.length / step)) * step;
    if (at + width > bytes.length) continue;
    const before = readInteger(view, at, width, littleEndian);
    if (before < 0n || before > BigInt(bytes.length) * 4n) continue;
    if (before === 0n && dice.chance(0.8)) continue;
    const copy = bytes.slice();
    writeInteger(new DataView(copy.buffer), at, width, littleEndian, otherInteger(before, dice));
    return copy;
  }
  return undefined;
};

/** An integer near another one, or far from it. */
export function otherInteger(before: bigint, dice: Dice): bigint {
  if (dice.chance(0.4)) return dice.pick(WILD);
  if (dice.chance(0.4)) return dice.pick(HUGE);
  return dice.pick([before + 1n, before - 1n, before * 2n, before / 2n, before + 8n, before * 1000n, -before]);
}

function readInteger(view: DataView, at: number, width: number, littleEndian: boolean): bigint {
  if (width === 2) return BigInt(view.getUint16(at, littleEndian));
  if (width === 4) return BigInt(view.getUint32(at, littleEndian));
  return view.getBigInt64(at, littleEndian);
}

function writeInteger(view: DataView, at: number, width: number, littleEndian: boolean, value: bigint): void {
  if (width === 2) view.setUint16(at, Number(BigInt.asUintN(16, value)), littleEndian);
  else if (width === 4) view.setUint32(at, Number(BigInt.asUintN(32, value)), littleEndian);
  else view.setBigInt64(at, BigInt.asIntN(64, value), littleEndian);
}

/**
 * A variable-length integer (of Thrift or protocol buffers, or the length of a run) is set to another one of as many
 * bytes.
 */
const setVarint: ByteMutator = (bytes, dice) => {
  const at = dice.below(bytes.length);
  let end = at;
  while (end < bytes.length && bytes[end] >= 0x80 && end - at < 9) end++;
  if (end >= bytes.length) return undefined;
  const copy = bytes.slice();
  writeVarint(copy, at, end + 1 - at, BigInt.asUintN(64, otherInteger(BigInt(dice.below(1000)), dice)));
  return copy;
};

/** Writes the lowest bits of a value as a varint of `width` bytes. */
export function writeVarint(bytes: Uint8Array, at: number, width: number, value: bigint): void {
  for (let i = 0; i < width; i++) {
    const seven = Number((value >> BigInt(7 * i)) & 0x7fn);
    bytes[at + i] = i === width - 1 ? seven : seven | 0x80;
  }
}

/** A run of bytes is cut off at the end, at the beginning or in the middle. */
const cut: ByteMutator = (bytes, dice) => {
  const at = dice.below(bytes.length);
  const kind = dice.below(4);
  if (kind <= 1) return bytes.slice(0, kind === 0 ? at : bytes.length - dice.small(bytes.length));
  const length = dice.small(bytes.length - at);
  return kind === 2
    ? joined(bytes.subarray(0, at), bytes.subarray(at + length))
    : bytes.slice(dice.small(bytes.length));
};

/** Bytes that were not there. */
const insert: ByteMutator = (bytes, dice) => {
  const at = dice.below(bytes.length + 1);
  const more = new Uint8Array(dice.small(64) || 1);
  const value = dice.pick(BYTES);
  for (let i = 0; i < more.length; i++) more[i] = dice.chance(0.5) ? value : dice.below(256);
  return joined(bytes.subarray(0, at), more, bytes.subarray(at));
};

/** A slice comes twice, or stands where another one was. */
const duplicate: ByteMutator = (bytes, dice) => {
  const [from, at] = [dice.below(bytes.length), dice.below(bytes.length)];
  const slice = bytes.slice(from, from + dice.small(Math.min(4096, bytes.length - from)));
  if (dice.chance(0.5)) return joined(bytes.subarray(0, at), slice, bytes.subarray(at));
  const copy = bytes.slice();
  copy.set(slice.subarray(0, copy.length - at), at);
  return copy;
};

/** Two slices of the same length change places. */
const swap: ByteMutator = (bytes, dice) => {
  const length = dice.small(Math.floor(bytes.length / 2));
  const [one, two] = [dice.below(bytes.length - length + 1), dice.below(bytes.length - length + 1)];
  const copy = bytes.slice();
  copy.set(bytes.subarray(one, one + length), two);
  copy.set(bytes.subarray(two, two + length), one);
  return copy;
};

/** The head of one file and the tail of another. */
const splice: ByteMutator = (bytes, dice, other) => {
  if (dice.chance(0.5)) {
    const at = dice.below(Math.min(bytes.length, other.length));
    return joined(bytes.subarray(0, at), other.subarray(at));
  }
  return joined(bytes.subarray(0, dice.below(bytes.length)), other.subarray(dice.below(other.length)));
};

/** A run of one byte over what was there. */
const fill: ByteMutator = (bytes, dice) => {
  const at = dice.below(bytes.length);
  return bytes.slice().fill(dice.pick(BYTES), at, at + 1 + dice.small(bytes.length - at));
};

const MUTATORS: readonly ByteMutator[] = [
  (bytes, dice) => damage(bytes, dice),
  (bytes, dice) => damage(bytes, dice),
  setInteger,
  setInteger,
  setInteger,
  setVarint,
  cut,
  insert,
  duplicate,
  swap,
  splice,
  fill,
];

/** One change of bytes, or one after the other. `special` are those of a format, taken half of the time. */
export function mutateBytes(
  bytes: Uint8Array,
  dice: Dice,
  other: Uint8Array,
  special: readonly ByteMutator[] = [],
): Uint8Array {
  let result = bytes;
  for (let left = dice.chance(0.75) ? 1 : dice.between(2, 4); left > 0; left--) {
    const mutator = dice.pick(special.length > 0 && dice.chance(0.5) ? special : MUTATORS);
    if (result.length > 0) result = mutator(result, dice, other, result === bytes) ?? damage(result, dice);
  }
  return result;
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
