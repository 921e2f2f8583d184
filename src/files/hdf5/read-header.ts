import type { RandomAccess } from '../array/random-access.js';

/*
 * The header of an object (HDF5 File Format Specification, sections IV.A.1.a and IV.A.1.b) is a list of messages, in
 * blocks that lie apart:
 *
 *   version 1   16 bytes before the first block; a message has its type (2 bytes), length (2), flags (1), nothing (3)
 *   version 2   "OHDR", version, flags, times and limits as the flags say, length of the first block; further blocks begin with "OCHK"; all
 *               blocks end with a checksum (4); a message has its type (1), length (2), flags (1), and its number (2) as the flags say
 */

const CONTINUATION = 0x10;
const FLAG = { sizeBits: 3, numbers: 4, limits: 16, times: 32 };
const SHARED = 2;
/** Headers of more blocks are damaged. */
const MAX_BLOCKS = 1000;

/** A message of a header. */
interface HeaderMessage {
  readonly type: number;
  /** Whether the body is elsewhere, and shared with other objects. */
  readonly isShared: boolean;
  readonly body: Uint8Array;
  /** Where the body is in the file. */
  readonly at: number;
  /** The block that has it. */
  readonly block: Block;
}

/** A block of a header. */
export interface Block {
  /** Where its messages begin, and their bytes. */
  readonly at: number;
  readonly bytes: number;
  /** Where the block itself begins; undefined of a header without checksums. */
  readonly start: number | undefined;
}

interface HeaderForm {
  readonly isV2: boolean;
  readonly messageHeader: number;
  readonly first: Block;
}

/**
 * The messages of the header at `address`, in a file whose addresses have eight bytes; as far as they can be read, and
 * none of a header of another form.
 */
export async function* headerMessages(access: RandomAccess, address: number): AsyncGenerator<HeaderMessage> {
  const form = await headerForm(access, address);
  if (form === undefined) return;
  const blocks = [form.first];
  let left = MAX_BLOCK_BYTES;
  for (let block = 0; block < blocks.length && block < MAX_BLOCKS; block++) {
    left -= blocks[block].bytes;
    const bytes = left < 0 ? undefined : await readBytes(access, blocks[block].at, blocks[block].bytes);
    if (bytes === undefined) return;
    const view = viewOf(bytes);
    for (let at = 0; at + form.messageHeader <= bytes.length; ) {
      const type = form.isV2 ? view.getUint8(at) : view.getUint16(at, true);
      const length = view.getUint16(at + (form.isV2 ? 1 : 2), true);
      const flags = view.getUint8(at + (form.isV2 ? 3 : 4));
      const body = bytes.subarray(at + form.messageHeader, at + form.messageHeader + length);
      if (body.length < length) break;
      if (type === CONTINUATION && length >= 16) blocks.push(continuation(viewOf(body), form.isV2));
      else {
        const place = { at: blocks[block].at + at + form.messageHeader, block: blocks[block] };
        yield { type, isShared: (flags & SHARED) !== 0, body, ...place };
      }
      at += form.messageHeader + length;
    }
  }
}

export async function headerForm(access: RandomAccess, address: number): Promise<HeaderForm | undefined> {
  const head = await readBytes(access, address, Math.min(64, access.size - address));
  if (head === undefined || head.length < 16) return undefined;
  const view = viewOf(head);
  if (head[0] === 1) {
    return {
      isV2: false,
      messageHeader: 8,
      first: { at: address + 16, bytes: view.getUint32(8, true), start: undefined },
    };
  }
  const flags = head[5];
  if (!isText(head, 'OHDR') || head[4] !== 2) return undefined;
  const sizeAt = 6 + (flags & FLAG.times ? 16 : 0) + (flags & FLAG.limits ? 4 : 0);
  const sizeBytes = 1 << (flags & FLAG.sizeBits);
  if (sizeAt + sizeBytes > head.length) return undefined;
  const bytes = [view.getUint8, view.getUint16, view.getUint32][flags & FLAG.sizeBits]?.call(view, sizeAt, true);
  if (bytes === undefined) return undefined;
  const messageHeader = flags & FLAG.numbers ? 6 : 4;
  return { isV2: true, messageHeader, first: { at: address + sizeAt + sizeBytes, bytes, start: address } };
}

/** The next block of a header, without the marks before and after the messages. */
function continuation(view: DataView, isV2: boolean): Block {
  const [at, bytes] = [Number(view.getBigUint64(0, true)), Number(view.getBigUint64(8, true))];
  return isV2 ? { at: at + 4, bytes: bytes - 8, start: at } : { at, bytes, start: undefined };
}

/** Longer blocks are damaged. */
export const MAX_BLOCK_BYTES = 16_777_216;
export const UNDEFINED_ADDRESS = 2n ** 64n - 1n;

/** Reads `length` bytes; undefined if the file does not have them. */
export async function readBytes(access: RandomAccess, at: number, length: number): Promise<Uint8Array | undefined> {
  const isThere =
    Number.isSafeInteger(at) && at >= 0 && length > 0 && length <= MAX_BLOCK_BYTES && at + length <= access.size;
  if (!isThere) return undefined;
  const bytes = new Uint8Array(length);
  await access.read(at, bytes);
  return bytes;
}

export function isText(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, i) => bytes[i] === character.charCodeAt(0));
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** An unsigned number of `width` bytes, at most 8. */
export function numberAt(view: DataView, at: number, width: number): number {
  let number = 0;
  for (let i = width - 1; i >= 0; i--) number = number * 256 + view.getUint8(at + i);
  return number;
}

/** An address; undefined where it says that nothing is stored. */
export function addressAt(view: DataView, at: number): number | undefined {
  const address = view.getBigUint64(at, true);
  return address === UNDEFINED_ADDRESS ? undefined : Number(address);
}
