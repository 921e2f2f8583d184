import { FormatError } from '../../errors.js';
import { endsEarly, type RandomAccess } from '../array/random-access.js';
import { ByteWriter } from './byte-writer.js';
import { checksum } from './checksum.js';
import {
  addressAt,
  type Block,
  headerMessages,
  isText,
  numberAt,
  readBytes,
  UNDEFINED_ADDRESS,
  viewOf,
} from './read-header.js';

/** Types of messages. */
const EXTERNAL_FILES = 0x07;
const LAYOUT = 0x08;
/** Classes of layouts. */
const CONTIGUOUS = 1;
const CHUNKED = 2;
const VERSION_AND_WIDTHS_BYTES = 16;

/** The place of values that are stored as one run. */
export interface ContiguousLayout {
  readonly kind: 'contiguous';
  readonly at: number;
  readonly bytes: number;
}

/** How a file lists the chunks of a dataset: a single one, all in order, an array, or a tree of one version. */
type ChunkIndexKind = 'tree' | 'single' | 'all' | 'fixed array' | 'growing array' | 'tree of version 2';

/** The place of the index of a dataset's chunks, and their shape. */
export interface ChunkedLayout {
  readonly kind: 'chunked';
  readonly index: ChunkIndexKind;
  /** Where the index is, or else the first chunk; undefined if no chunk was written. */
  readonly at: number | undefined;
  /** Where the message of the layout says so. */
  readonly addressIsAt: number;
  /** The shape of a chunk. */
  readonly chunk: readonly number[];
  /** The stored bytes of an element. */
  readonly elementBytes: number;
  /** Whether filters are skipped for chunks that are partly outside of the array. */
  readonly hasPlainEdges: boolean;
  /** A filtered single chunk: its bytes, and the filters that were skipped when it was written, one bit each. */
  readonly single?: { readonly length: number; readonly skippedFilters: number };
}

/** Values that are in other files. */
interface ExternalLayout {
  readonly kind: 'external';
  /** The names of some of these files. */
  readonly files: readonly string[];
}

export type Layout = ContiguousLayout | ChunkedLayout | ExternalLayout;

/**
 * Reads the layout of the dataset whose header is at `address`. Undefined unless values are in other files, are one run
 * of the file, or in chunks; and for headers of another form, and files whose addresses do not have eight bytes.
 */
export async function readLayout(access: RandomAccess, address: number): Promise<Layout | undefined> {
  if (!(await hasWideAddresses(access))) return undefined;
  let layout: Layout | undefined;
  for await (const { type, isShared, body } of headerMessages(access, address)) {
    if (type === EXTERNAL_FILES) return { kind: 'external', files: await externalFiles(access, body) };
    if (type === LAYOUT && !isShared) {
      layout ??= body[1] === CONTIGUOUS ? contiguousLayout(access, body) : chunkedLayout(body);
    }
  }
  return layout;
}

/** Bytes of a header that only say where values are, and the block that has them. */
export interface PlaceOfValues {
  readonly at: number;
  readonly block: Block;
}

/** The bytes of an address. */
export const ADDRESS_BYTES = 8;

/** Where the header at `address` says where the values of a dataset are: an address for each of its layouts. */
export async function placesOfValues(access: RandomAccess, address: number): Promise<readonly PlaceOfValues[]> {
  const places: PlaceOfValues[] = [];
  for await (const { type, isShared, body, at, block } of headerMessages(access, address)) {
    if (type !== LAYOUT || isShared) continue;
    const isRun = body[1] === CONTIGUOUS && (body[0] === 3 || body[0] === 4) && body.length >= CONTIGUOUS_BYTES;
    const addressIsAt = isRun ? CONTIGUOUS_ADDRESS_AT : chunkedLayout(body)?.addressIsAt;
    if (addressIsAt !== undefined) places.push({ at: at + addressIsAt, block });
  }
  return places;
}

/** Whether the superblock, which is at the beginning, says that addresses and lengths have eight bytes. */
async function hasWideAddresses(access: RandomAccess): Promise<boolean> {
  const start = await readBytes(access, 0, VERSION_AND_WIDTHS_BYTES);
  if (start === undefined || !isText(start.subarray(1), 'HDF')) return false;
  const at = start[8] < 2 ? 13 : 9;
  return start[at] === 8 && start[at + 1] === 8;
}

const CONTIGUOUS_ADDRESS_AT = 2;
const CONTIGUOUS_BYTES = 18;

/**
 * Versions 3 and 4: version, class, the address of the values (8 bytes), their bytes (8). Undefined if no value was
 * written, or they are in other files.
 */
function contiguousLayout(access: RandomAccess, body: Uint8Array): ContiguousLayout | undefined {
  if ((body[0] !== 3 && body[0] !== 4) || body.length < CONTIGUOUS_BYTES) return undefined;
  const view = viewOf(body);
  const address = view.getBigUint64(CONTIGUOUS_ADDRESS_AT, true);
  const [at, bytes] = [Number(address), Number(view.getBigUint64(10, true))];
  if (address === UNDEFINED_ADDRESS || !(at + bytes <= access.size)) return undefined;
  return { kind: 'contiguous', at, bytes };
}

/** How layouts of version 4 number the kinds of indexes, and the bytes of what they say of each before its address. */
const INDEXES: readonly (readonly [ChunkIndexKind, number])[] = [
  ['single', 0],
  ['all', 0],
  ['fixed array', 1],
  ['growing array', 5],
  ['tree of version 2', 6],
];
const PLAIN_EDGES = 1;
const FILTERED_SINGLE = 2;
const SINGLE_BYTES = 12;

/**
 * Version 3: version, class, dimensions and one more, the address of the tree (8 bytes), lengths (4 each), the last of
 * them of an element. Versions 1 and 2: version, dimensions and one more, class, nothing (5), and the same.
 *
 * Versions 4 and 5: version, class, flags, dimensions and one more, the bytes of a length, lengths, the kind of index,
 * what it says of that, its address (8).
 */
function chunkedLayout(body: Uint8Array): ChunkedLayout | undefined {
  const view = viewOf(body);
  const version = body[0];
  const [rankAt, classAt] = version < 3 ? [1, 2] : [version === 3 ? 2 : 3, 1];
  if (version < 1 || version > 5 || body[classAt] !== CHUNKED || body.length < 5) return undefined;
  const numbers = body[rankAt];
  const isNew = version > 3;
  const width = isNew ? body[4] : 4;
  const lengthsAt = [8, 8, 3, 5, 5][version - 1] + (isNew ? 0 : 8);
  const after = lengthsAt + numbers * width;
  if (numbers < 2 || width < 1 || width > 8 || body.length < after) return undefined;
  const lengths = Array.from({ length: numbers }, (_, d) => numberAt(view, lengthsAt + d * width, width));
  const own = { kind: 'chunked', chunk: lengths.slice(0, -1), elementBytes: lengths[numbers - 1] } as const;
  if (!isNew) {
    const addressIsAt = lengthsAt - 8;
    return { ...own, index: 'tree', at: addressAt(view, addressIsAt), addressIsAt, hasPlainEdges: false };
  }
  const [index, parameterBytes] = INDEXES[body[after] - 1] ?? [];
  const isFiltered = index === 'single' && (body[2] & FILTERED_SINGLE) !== 0;
  const addressIsAt = after + 1 + (isFiltered ? SINGLE_BYTES : (parameterBytes ?? 0));
  if (index === undefined || body.length < addressIsAt + 8) return undefined;
  const hasPlainEdges = (body[2] & PLAIN_EDGES) !== 0;
  const layout = { ...own, index, at: addressAt(view, addressIsAt), addressIsAt, hasPlainEdges };
  if (!isFiltered) return layout;
  return {
    ...layout,
    single: { length: numberAt(view, after + 1, 8), skippedFilters: view.getUint32(after + 9, true) },
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

/** The bytes of the superblock that is written. */
export const SUPERBLOCK_BYTES = 48;
const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

/** The beginning of a file of `fileBytes` bytes (superblock version 2), whose root group has its header at `root`. */
export function superblock(root: number, fileBytes: number): Uint8Array {
  const out = new ByteWriter().bytes(SIGNATURE).uint8(2).uint8(8).uint8(8).uint8(0);
  out.uint64(0).bytes(new Uint8Array(8).fill(255)).uint64(fileBytes).uint64(root);
  return out.uint32(checksum(out.written())).written();
}

/** A superblock that is read has no more bytes up to its end-of-file address. */
const MAX_SUPERBLOCK_BYTES = 96;
const FIRST_PLACE_AFTER_START = 512;

/**
 * Checks that an HDF5 file is complete: its superblock, which begins at byte 0, 512, 1024, 2048 and so on, says where
 * the file ends (HDF5 File Format Specification, section II.A). Returns where the superblock is: addresses count from
 * there. Throws FormatError if there is no superblock, or if the file ends earlier.
 */
export async function checkSuperblock(access: RandomAccess): Promise<number> {
  const { size, source } = access;
  for (let at = 0; at + SIGNATURE.length <= size; at = at === 0 ? FIRST_PLACE_AFTER_START : at * 2) {
    const bytes = new Uint8Array(Math.min(MAX_SUPERBLOCK_BYTES, size - at));
    await access.read(at, bytes);
    if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) continue;
    const end = endOfFile(bytes);
    if (end === undefined) throw endsEarly(source, size, at + MAX_SUPERBLOCK_BYTES);
    if (end > size) throw endsEarly(source, size, end);
    return at;
  }
  throw new FormatError({ subject: source, problem: 'is not an HDF5 file: it has no superblock' });
}

/** The end-of-file address in a superblock; undefined if the bytes end before it. */
function endOfFile(bytes: Uint8Array): number | undefined {
  const { at, width } = placeOfEnd(bytes);
  if (at + width > bytes.length) return undefined;
  let end = 0;
  for (let i = width - 1; i >= 0; i--) end = end * 256 + bytes[at + i];
  return end;
}

/** Where the superblock with these bytes says where its file ends. */
export function placeOfEnd(superblock: Uint8Array): { readonly at: number; readonly width: number } {
  const isOld = hasOldForm(superblock);
  const width = superblock[isOld ? 13 : 9];
  const firstAddress = isOld ? (superblock[8] === 0 ? 24 : 28) : 12;
  // The base address and one more address come before it.
  return { at: firstAddress + 2 * width, width };
}

/** Whether a superblock is of versions 0 and 1, which have no checksum. */
export function hasOldForm(superblock: Uint8Array): boolean {
  return superblock[8] < 2;
}
