import { FormatError } from '../../errors.js';
import type { ByteSpan } from '../array/byte-runs.js';
import type { RandomAccess } from '../array/random-access.js';

/** Types of messages. */
const EXTERNAL_FILES = 0x07;
const LAYOUT = 0x08;
/** Classes of layouts. */
const CONTIGUOUS = 1;
const CHUNKED = 2;
const UNDEFINED_ADDRESS = 2n ** 64n - 1n;
const SIGNATURE_BYTES = 8;

/** The place of values that are stored as one run. */
export interface ContiguousLayout {
  readonly kind: 'contiguous';
  readonly at: number;
  readonly bytes: number;
}

/** The place of the index of a dataset's chunks, and their shape. */
export interface ChunkedLayout {
  readonly kind: 'chunked';
  /** Undefined if no chunk was written. */
  readonly tree: number | undefined;
  /** The shape of a chunk. */
  readonly chunk: readonly number[];
}

/** Values that are in other files. */
interface ExternalLayout {
  readonly kind: 'external';
  /** The names of some of these files. */
  readonly files: readonly string[];
}

export type Layout = ContiguousLayout | ChunkedLayout | ExternalLayout;

/**
 * Reads the layout of the dataset whose header is at `address`, in a file whose addresses have eight bytes. Undefined
 * unless values are in other files, are one run of the file, or in chunks that a B-tree of version 1 lists, as most
 * programs write them; and for headers of another form.
 */
export async function readLayout(access: RandomAccess, address: number): Promise<Layout | undefined> {
  let layout: Layout | undefined;
  for await (const { type, isShared, body } of headerMessages(access, address)) {
    if (type === EXTERNAL_FILES) return { kind: 'external', files: await externalFiles(access, body) };
    if (type === LAYOUT && !isShared) {
      layout ??= body[1] === CONTIGUOUS ? await contiguousLayout(access, body) : chunkedLayout(body);
    }
  }
  return layout;
}

/**
 * Versions 3 and 4: version, class, the address of the values (8 bytes), their bytes (8). Undefined if no value was
 * written, or they are in other files. Addresses count from the superblock: undefined, too, where that is not the
 * beginning of the file.
 */
async function contiguousLayout(access: RandomAccess, body: Uint8Array): Promise<ContiguousLayout | undefined> {
  if ((body[0] !== 3 && body[0] !== 4) || body.length < 18) return undefined;
  const start = await readBytes(access, 0, SIGNATURE_BYTES);
  if (start === undefined || !isText(start.subarray(1), 'HDF')) return undefined;
  const view = viewOf(body);
  const address = view.getBigUint64(2, true);
  const [at, bytes] = [Number(address), Number(view.getBigUint64(10, true))];
  if (address === UNDEFINED_ADDRESS || !(at + bytes <= access.size)) return undefined;
  return { kind: 'contiguous', at, bytes };
}

/**
 * Version 3: version, class, dimensions and one more, the address of the tree (8 bytes), lengths (4 each), the last of
 * them of an element.
 */
function chunkedLayout(body: Uint8Array): ChunkedLayout | undefined {
  const rank = body[2] - 1;
  if (body[0] !== 3 || body[1] !== CHUNKED || rank < 1 || body.length < 11 + 4 * (rank + 1)) return undefined;
  const view = viewOf(body);
  const tree = view.getBigUint64(3, true);
  return {
    kind: 'chunked',
    tree: tree === UNDEFINED_ADDRESS ? undefined : Number(tree),
    chunk: Array.from({ length: rank }, (_, d) => view.getUint32(11 + 4 * d, true)),
  };
}

/*
 * The message of external files (HDF5 File Format Specification, section IV.A.2.h): version, nothing (3 bytes), slots (2), used slots (2),
 * the address of the heap with their names (8); a slot has the offset of the name (8), where values begin (8), their bytes (8).
 */
const USED_SLOTS_AT = 6;
const HEAP_AT = 8;
const SLOTS_AT = 16;
const SLOT_BYTES = 24;
/** A local heap (section III.D): "HEAP", version, nothing (3), its bytes (8), free space (8), the address of its content (8). */
const HEAP_HEADER = 32;
const CONTENT_AT = 24;
const MAX_NAME_BYTES = 1024;
/** More names say no more. */
const MAX_NAMES = 4;

/** The names of the files that hold the values of a dataset, as far as the message with this body says them. */
async function externalFiles(access: RandomAccess, body: Uint8Array): Promise<readonly string[]> {
  if (body.length < SLOTS_AT) return [];
  const view = viewOf(body);
  const heap = await readBytes(access, Number(view.getBigUint64(HEAP_AT, true)), HEAP_HEADER);
  if (heap === undefined || !isText(heap, 'HEAP')) return [];
  const content = Number(viewOf(heap).getBigUint64(CONTENT_AT, true));
  const names: string[] = [];
  const slots = Math.min(view.getUint16(USED_SLOTS_AT, true), MAX_NAMES);
  for (let at = SLOTS_AT; names.length < slots && at + SLOT_BYTES <= body.length; at += SLOT_BYTES) {
    const from = content + Number(view.getBigUint64(at, true));
    const bytes = await readBytes(access, from, Math.min(MAX_NAME_BYTES, access.size - from));
    if (bytes === undefined) return names;
    const end = bytes.indexOf(0);
    names.push(new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)));
  }
  return names;
}

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
/** Headers of more blocks, or of longer blocks, are damaged. */
const MAX_BLOCKS = 1000;
const MAX_BLOCK_BYTES = 16_777_216;

/** A message of a header. */
interface HeaderMessage {
  readonly type: number;
  /** Whether the body is elsewhere, and shared with other objects. */
  readonly isShared: boolean;
  readonly body: Uint8Array;
}

interface Block {
  readonly at: number;
  readonly bytes: number;
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
async function* headerMessages(access: RandomAccess, address: number): AsyncGenerator<HeaderMessage> {
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
      else yield { type, isShared: (flags & SHARED) !== 0, body };
      at += form.messageHeader + length;
    }
  }
}

async function headerForm(access: RandomAccess, address: number): Promise<HeaderForm | undefined> {
  const head = await readBytes(access, address, Math.min(64, access.size - address));
  if (head === undefined || head.length < 16) return undefined;
  const view = viewOf(head);
  if (head[0] === 1) {
    return { isV2: false, messageHeader: 8, first: { at: address + 16, bytes: view.getUint32(8, true) } };
  }
  const flags = head[5];
  if (!isText(head, 'OHDR') || head[4] !== 2) return undefined;
  const sizeAt = 6 + (flags & FLAG.times ? 16 : 0) + (flags & FLAG.limits ? 4 : 0);
  const sizeBytes = 1 << (flags & FLAG.sizeBits);
  if (sizeAt + sizeBytes > head.length) return undefined;
  const bytes = [view.getUint8, view.getUint16, view.getUint32][flags & FLAG.sizeBits]?.call(view, sizeAt, true);
  if (bytes === undefined) return undefined;
  const messageHeader = flags & FLAG.numbers ? 6 : 4;
  return { isV2: true, messageHeader, first: { at: address + sizeAt + sizeBytes, bytes } };
}

/** The next block of a header, without the marks before and after the messages. */
function continuation(view: DataView, isV2: boolean): Block {
  const [at, bytes] = [Number(view.getBigUint64(0, true)), Number(view.getBigUint64(8, true))];
  return isV2 ? { at: at + 4, bytes: bytes - 8 } : { at, bytes };
}

/** Reads `length` bytes; undefined if the file does not have them. */
async function readBytes(access: RandomAccess, at: number, length: number): Promise<Uint8Array | undefined> {
  const isThere =
    Number.isSafeInteger(at) && at >= 0 && length > 0 && length <= MAX_BLOCK_BYTES && at + length <= access.size;
  if (!isThere) return undefined;
  const bytes = new Uint8Array(length);
  await access.read(at, bytes);
  return bytes;
}

function isText(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, i) => bytes[i] === character.charCodeAt(0));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** A chunk in the file. */
export interface PlacedChunk extends ByteSpan {
  /** The filters that were skipped when it was written, one bit each. */
  readonly skippedFilters: number;
}

/** The chunks of a dataset by their places in the grid of chunks. */
export type PlacedChunks = ReadonlyMap<string, PlacedChunk>;

const NODE_HEADER = 24;
/** Deeper trees contain themselves. */
const MAX_LEVEL = 16;

/**
 * Reads the index of the chunks of a dataset (a B-tree, version 1: HDF5 File Format Specification, section III.A.1).
 * Throws FormatError, which names `subject`, if it is damaged, or has chunks outside of the file or of the grid of
 * chunks.
 */
export async function readChunkTree(
  access: RandomAccess,
  { tree, chunk }: ChunkedLayout,
  subject: string,
): Promise<PlacedChunks> {
  const found = new Map<string, PlacedChunk>();
  if (tree === undefined) return found;
  const keyBytes = 8 + 8 * (chunk.length + 1);
  const seen = new Set<number>();

  async function visit(at: number, above: number): Promise<void> {
    const head = await readBytes(access, at, NODE_HEADER);
    if (head === undefined || !isText(head, 'TREE') || head[4] !== 1 || head[5] >= above || seen.has(at))
      throw damaged(at);
    seen.add(at);
    const level = head[5];
    const children = viewOf(head).getUint16(6, true);
    const bytes = children === 0 ? undefined : await readBytes(access, at + NODE_HEADER, children * (keyBytes + 8));
    if (bytes === undefined) {
      if (children > 0) throw damaged(at);
      return;
    }
    const view = viewOf(bytes);
    for (let child = 0; child < children; child++) {
      const key = child * (keyBytes + 8);
      const address = Number(view.getBigUint64(key + keyBytes, true));
      if (level > 0) {
        await visit(address, level);
        continue;
      }
      const place = chunk.map((length, d) => Number(view.getBigUint64(key + 8 + 8 * d, true)) / length);
      const length = view.getUint32(key, true);
      const name = place.join();
      if (place.some((along) => !Number.isSafeInteger(along)) || found.has(name)) throw damaged(at);
      if (!(address + length <= access.size)) throw damaged(at);
      found.set(name, { offset: address, length, skippedFilters: view.getUint32(key + 4, true) });
    }
  }

  function damaged(at: number): FormatError {
    return new FormatError({
      subject,
      problem: `the index of its chunks is damaged at byte ${at}`,
      allowed: 'a complete file',
    });
  }

  await visit(tree, MAX_LEVEL);
  return found;
}
