import { Message, MessageHeader } from 'apache-arrow';
import type { ByteMutator } from './mutate-bytes.js';

/** What each message begins with; a length follows, and the metadata. */
const CONTINUATION = 0xffff_ffff;
const MAGIC = 'ARROW1\0\0';
/** A compressed buffer begins with the length of what it holds, or -1 where that is not compressed. */
const PREFIX_BYTES = 8;
/** A message does not come so often that a file is longer: it would take long to make. */
const MAX_BYTES = 8_388_608;
/** Of very many buffers, the first are looked at. */
const MAX_PARTS = 100_000;

/** A buffer of a message that has at least a prefix: its first byte, and the one after the last. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * The length that a compressed buffer states of its content is that of its bytes as they are, -1, 0, 8, or a little
 * more or less than it was.
 */
const setPrefix: ByteMutator = (bytes, dice) => {
  const parts = partsOf(bytes);
  if (parts.length === 0) return undefined;
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (let left = dice.chance(0.7) ? 1 : 3; left > 0; left--) {
    const { from, to } = dice.pick(parts);
    const before = view.getBigInt64(from, true);
    const length = BigInt(to - from);
    const near = [before + 1n, before - 1n, before + 8n];
    view.setBigInt64(from, dice.pick([length - BigInt(PREFIX_BYTES), length, -1n, 0n, 8n, ...near]), true);
  }
  return copy;
};

/** A buffer holds other bytes, of any length that it has room for, behind a prefix that says that they are plain. */
const setPlain: ByteMutator = (bytes, dice) => {
  const parts = partsOf(bytes);
  if (parts.length === 0) return undefined;
  const { from, to } = dice.pick(parts);
  const copy = bytes.slice();
  new DataView(copy.buffer).setBigInt64(from, dice.pick([-1n, BigInt(to - from - PREFIX_BYTES)]), true);
  copy.fill(dice.below(256), from + PREFIX_BYTES, to);
  return copy;
};

/** A message, of record batches most of all, comes many times; in a file its footer still names each once. */
const repeatMessage: ByteMutator = (bytes, dice) => {
  const messages = [...messagesOf(bytes)];
  if (messages.length === 0) return undefined;
  const { at, end } = messages[dice.chance(0.8) ? messages.length - 1 : dice.below(messages.length)];
  const most = Math.floor((MAX_BYTES - bytes.length) / (end - at));
  if (most < 2) return undefined;
  const times = Math.min(most, dice.pick([2, 50, Math.min(2000, Math.ceil(1_000_000 / (end - at)))]));
  const repeated = Array.from({ length: times }, () => bytes.subarray(at, end));
  return Buffer.concat([bytes.subarray(0, at), ...repeated, bytes.subarray(end)]);
};

/** The library that parses messages believes their lengths: where these may be wrong, nothing is parsed. */
export const ARROW_MUTATORS: readonly ByteMutator[] = [setPrefix, setPrefix, setPlain, repeatMessage].map(
  (mutator): ByteMutator =>
    (bytes, dice, other, isWhole) =>
      isWhole ? mutator(bytes, dice, other, isWhole) : undefined,
);

function partsOf(bytes: Uint8Array): Part[] {
  const parts: Part[] = [];
  for (const { message, body, end } of messagesOf(bytes)) {
    if (parts.length >= MAX_PARTS) break;
    for (const { offset, length } of buffersOf(message)) {
      const [from, to] = [body + offset, body + offset + length];
      if (offset >= 0 && length >= PREFIX_BYTES && to <= end) parts.push({ from, to });
    }
  }
  return parts;
}

/** The places of a message's buffers in its body; none where they cannot be read. */
function buffersOf(message: Message): readonly { offset: number; length: number }[] {
  try {
    const header = message.header();
    const batch = 'data' in header ? header.data : header;
    return 'buffers' in batch ? batch.buffers : [];
  } catch {
    return [];
  }
}

interface Found {
  readonly message: Message;
  /** Where it begins, where its body does, and where it ends. */
  readonly at: number;
  readonly body: number;
  readonly end: number;
}

/** The messages of a file or stream with batches, up to the first that cannot be read. */
function* messagesOf(bytes: Uint8Array): Generator<Found> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC ? MAGIC.length : 0;
  while (at + 8 <= bytes.length && view.getUint32(at, true) === CONTINUATION) {
    const body = at + 8 + view.getUint32(at + 4, true);
    if (body === at + 8 || body > bytes.length) return;
    let message: Message;
    try {
      message = Message.decode(bytes.slice(at + 8, body));
    } catch {
      return;
    }
    const end = body + Number(message.bodyLength);
    if (end > bytes.length) return;
    if (message.headerType !== MessageHeader.Schema) yield { message, at, body, end };
    at = end;
  }
}
