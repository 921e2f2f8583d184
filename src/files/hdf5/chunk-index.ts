import { FormatError } from '../../errors.js';
import { elements } from '../array/copy-box.js';
import type { ByteSpan, RandomAccess } from '../array/random-access.js';
import { checksum } from './checksum.js';
import { addressAt, isText, MAX_BLOCK_BYTES, numberAt, readBytes, viewOf } from './read-header.js';
import type { ChunkedLayout } from './read-layout.js';

/** A chunk in the file. */
export interface PlacedChunk extends ByteSpan {
  /** The filters that were skipped when it was written, one bit each. */
  readonly skippedFilters: number;
}

/** The chunks of a dataset by their places in the grid of chunks. */
export type PlacedChunks = ReadonlyMap<string, PlacedChunk>;

/** A dataset in chunks. */
export interface ChunkedDataset {
  /** The name in messages. */
  readonly subject: string;
  readonly layout: ChunkedLayout;
  /** The greatest length of each dimension that it may grow to; infinite without a limit. */
  readonly limits: readonly number[];
  readonly isFiltered: boolean;
}

/**
 * Reads the index of the chunks of a dataset. Throws FormatError, which names `subject`, if it is damaged, or has
 * chunks outside of the file or of the grid of chunks.
 */
export async function readChunkIndex(access: RandomAccess, dataset: ChunkedDataset): Promise<PlacedChunks> {
  const { at, index } = dataset.layout;
  const chunks = new Chunks(access, dataset);
  if (at === undefined) return chunks.found;
  if (index === 'tree') await readTree(chunks, at);
  else if (index === 'single') readSingle(chunks, at);
  else if (index === 'all') readAll(chunks, at);
  else if (index === 'fixed array') await readFixedArray(chunks, at);
  else if (index === 'growing array') await readGrowingArray(chunks, at);
  else await readTree2(chunks, at);
  return chunks.found;
}

/** Chunks that were found, and the file in which they are looked for. */
class Chunks {
  readonly found = new Map<string, PlacedChunk>();
  readonly layout: ChunkedLayout;
  readonly isFiltered: boolean;
  readonly chunkBytes: number;
  /** The number of chunks along each dimension, and which of these grows without a limit, or else -1. */
  readonly counts: readonly number[];
  readonly growing: number;
  readonly #access: RandomAccess;
  readonly #subject: string;
  /** The bytes that blocks of an index may still have: each is read once. */
  #left: number;

  constructor(access: RandomAccess, { subject, layout, limits, isFiltered }: ChunkedDataset) {
    this.#access = access;
    this.#subject = subject;
    this.#left = access.size;
    this.layout = layout;
    this.isFiltered = isFiltered;
    this.chunkBytes = elements(layout.chunk) * layout.elementBytes;
    this.counts = limits.map((limit, d) => Math.ceil(limit / layout.chunk[d]));
    this.growing = limits.indexOf(Number.POSITIVE_INFINITY);
  }

  get size(): number {
    return this.#access.size;
  }

  add(at: number, place: readonly number[], offset: number, length: number, skippedFilters: number): void {
    const name = place.join();
    if (place.some((along) => !Number.isSafeInteger(along)) || this.found.has(name)) throw this.damaged(at);
    if (!(offset + length <= this.size)) throw this.damaged(at);
    this.found.set(name, { offset, length, skippedFilters });
  }

  /** Adds the chunk of an array of chunks, whose element begins at `at` of `view`, which is at `block` in the file. */
  addElement(block: number, view: DataView, at: number, width: number, index: number): void {
    const offset = addressAt(view, at);
    if (offset === undefined) return;
    const place = this.placeOf(index);
    if (!this.isFiltered) this.add(block + at, place, offset, this.chunkBytes, 0);
    else this.add(block + at, place, offset, numberAt(view, at + 8, width - 12), view.getUint32(at + width - 4, true));
  }

  /** The place of the chunk with this number: the dimension that grows is the slowest one. */
  placeOf(index: number): readonly number[] {
    const slowest = Math.max(0, this.growing);
    const place = this.counts.map(() => 0);
    let rest = index;
    for (let d = place.length - 1; d >= 0; d--) {
      if (d === slowest) continue;
      place[d] = rest % this.counts[d];
      rest = Math.floor(rest / this.counts[d]);
    }
    place[slowest] = rest;
    return place;
  }

  /** Whether an element of an array of chunks may have this many bytes: address, and for filters length and mask. */
  isElement(width: number): boolean {
    return this.isFiltered ? width > 12 && width <= 20 : width === 8;
  }

  /** A block of an index: its bytes after a signature and before its checksum, which is verified. */
  async block(at: number | undefined, signature: string, length: number): Promise<DataView> {
    const bytes = await this.checked(at, length);
    if (!isText(bytes, signature) || bytes[4] !== 0) throw this.damaged(at);
    return viewOf(bytes);
  }

  /** Bytes that end with their checksum, which is verified. */
  async checked(at: number | undefined, length: number): Promise<Uint8Array> {
    const bytes = await this.bytes(at, length);
    const end = bytes.length - 4;
    if (checksum(bytes.subarray(0, end)) !== viewOf(bytes).getUint32(end, true)) throw this.damaged(at);
    return bytes;
  }

  async bytes(at: number | undefined, length: number): Promise<Uint8Array> {
    this.#left -= length;
    const isShort = at !== undefined && length <= MAX_BLOCK_BYTES && this.#left >= 0;
    const bytes = isShort ? await readBytes(this.#access, at, length) : undefined;
    if (bytes === undefined) throw this.damaged(at);
    return bytes;
  }

  /** Brings blocks of an index together, where the file is elsewhere. */
  async fetch(addresses: readonly number[], length: number): Promise<void> {
    const inFile = addresses.filter((at) => at >= 0 && at < this.size);
    await this.#access.fetch?.(inFile.map((offset) => ({ offset, length: Math.min(length, this.size - offset) })));
  }

  damaged(at: number | undefined): FormatError {
    return new FormatError({
      subject: this.#subject,
      problem: `the index of its chunks is damaged at byte ${at ?? 'without a number'}`,
      allowed: 'a complete file',
    });
  }
}

const NODE_HEADER = 24;
/** The most children of a node, unless the file states another number. */
const USUAL_CHILDREN = 64;
/** Deeper trees contain themselves. */
const MAX_LEVEL = 16;

/** A B-tree, version 1: HDF5 File Format Specification, section III.A.1. */
async function readTree(chunks: Chunks, tree: number): Promise<void> {
  const { chunk } = chunks.layout;
  const keyBytes = 8 + 8 * (chunk.length + 1);
  const seen = new Set<number>();

  async function visit(at: number, above: number): Promise<void> {
    const head = await chunks.bytes(at, NODE_HEADER);
    if (!isText(head, 'TREE') || head[4] !== 1 || head[5] >= above || seen.has(at)) throw chunks.damaged(at);
    seen.add(at);
    const level = head[5];
    const children = viewOf(head).getUint16(6, true);
    if (children === 0) return;
    const view = viewOf(await chunks.bytes(at + NODE_HEADER, children * (keyBytes + 8)));
    if (level > 0) {
      const addresses = Array.from({ length: children }, (_, i) =>
        Number(view.getBigUint64(i * (keyBytes + 8) + keyBytes, true)),
      );
      await chunks.fetch(addresses, NODE_HEADER + USUAL_CHILDREN * (keyBytes + 8));
    }
    for (let child = 0; child < children; child++) {
      const key = child * (keyBytes + 8);
      const address = Number(view.getBigUint64(key + keyBytes, true));
      if (level > 0) {
        await visit(address, level);
        continue;
      }
      const place = chunk.map((length, d) => Number(view.getBigUint64(key + 8 + 8 * d, true)) / length);
      chunks.add(at, place, address, view.getUint32(key, true), view.getUint32(key + 4, true));
    }
  }
  await visit(tree, MAX_LEVEL);
}

function readSingle(chunks: Chunks, at: number): void {
  const { length, skippedFilters } = chunks.layout.single ?? { length: chunks.chunkBytes, skippedFilters: 0 };
  const place = chunks.layout.chunk.map(() => 0);
  chunks.add(at, place, at, length, skippedFilters);
}

/** All chunks of the array, one after the other. */
function readAll(chunks: Chunks, at: number): void {
  const count = elements(chunks.counts);
  if (!(at + count * chunks.chunkBytes <= chunks.size)) throw chunks.damaged(at);
  for (let index = 0; index < count; index++) {
    chunks.add(at, chunks.placeOf(index), at + index * chunks.chunkBytes, chunks.chunkBytes, 0);
  }
}

/** The bytes of a block before its content: signature (4), version, kind, the address of the header (8). */
const PREFIX = 14;

/** Whether bit `bit` is set, the highest bit of a byte first. */
function hasBit(view: DataView, at: number, bit: number): boolean {
  return (view.getUint8(at + (bit >> 3)) & (0x80 >> (bit & 7))) !== 0;
}

/** A fixed array (section VII.C): a block of elements, or of pages of these. */
async function readFixedArray(chunks: Chunks, at: number): Promise<void> {
  const head = await chunks.block(at, 'FAHD', 28);
  const width = head.getUint8(6);
  const count = numberAt(head, 8, 8);
  const pageElements = 2 ** head.getUint8(7);
  const block = addressAt(head, 16);
  if (!chunks.isElement(width) || !(count * width <= chunks.size)) throw chunks.damaged(at);
  if (block === undefined) return;
  if (count <= pageElements) {
    const view = await chunks.block(block, 'FADB', PREFIX + count * width + 4);
    for (let i = 0; i < count; i++) chunks.addElement(block, view, PREFIX + i * width, width, i);
    return;
  }
  const pages = Math.ceil(count / pageElements);
  const bitmap = Math.ceil(pages / 8);
  const view = await chunks.block(block, 'FADB', PREFIX + bitmap + 4);
  let from = block + PREFIX + bitmap + 4;
  for (let page = 0; page < pages; page++) {
    const first = page * pageElements;
    const length = Math.min(pageElements, count - first);
    if (hasBit(view, PREFIX, page)) await readPage(chunks, from, { first, length, width });
    from += length * width + 4;
  }
}

async function readPage(
  chunks: Chunks,
  at: number,
  { first, length, width }: { readonly first: number; readonly length: number; readonly width: number },
): Promise<void> {
  const view = viewOf(await chunks.checked(at, length * width + 4));
  for (let i = 0; i < length; i++) chunks.addElement(at, view, i * width, width, first + i);
}

/**
 * An extensible array (section VII.D). The index block has the first elements, the addresses of the first blocks of
 * elements, and the addresses of further blocks of such addresses ("super blocks"), which grow in length and number.
 */
async function readGrowingArray(chunks: Chunks, at: number): Promise<void> {
  const head = await chunks.block(at, 'EAHD', 72);
  const [width, bits, inIndex, leastElements, leastBlocks, pageBits] = [6, 7, 8, 9, 10, 11].map((i) =>
    head.getUint8(i),
  );
  const index = addressAt(head, 60);
  const isPower = (number: number) => number > 0 && (number & (number - 1)) === 0;
  if (!chunks.isElement(width) || bits > 64 || !isPower(leastElements) || !isPower(leastBlocks) || leastBlocks < 2)
    throw chunks.damaged(at);
  if (index === undefined) return;
  const groups = 1 + bits - Math.log2(leastElements);
  const firstGroups = Math.min(groups, 2 * Math.log2(leastBlocks));
  const pageElements = 2 ** pageBits;
  const offsetBytes = Math.ceil(bits / 8);
  const blocksOf = (group: number) => 2 ** (group >> 1);
  const lengthOf = (group: number) => 2 ** ((group + 1) >> 1) * leastElements;
  const direct = 2 * (leastBlocks - 1);
  const view = await chunks.block(index, 'EAIB', PREFIX + inIndex * width + 8 * (direct + groups - firstGroups) + 4);
  for (let i = 0; i < inIndex; i++) chunks.addElement(index, view, PREFIX + i * width, width, i);

  let first = inIndex;
  let address = PREFIX + inIndex * width;
  for (let group = 0; group < groups; group++) {
    const [blocks, length] = [blocksOf(group), lengthOf(group)];
    if (group < firstGroups) {
      for (let block = 0; block < blocks; block++, address += 8, first += length) {
        await readBlock(addressAt(view, address), first, length, () => true);
      }
      continue;
    }
    const above = addressAt(view, address);
    address += 8;
    if (above === undefined) {
      first += blocks * length;
      continue;
    }
    const pages = length > pageElements ? length / pageElements : 0;
    const bitmap = blocks * Math.ceil(pages / 8);
    const addresses = PREFIX + offsetBytes + bitmap;
    const list = await chunks.block(above, 'EASB', addresses + 8 * blocks + 4);
    for (let block = 0; block < blocks; block++, first += length) {
      const hasPage = (page: number) => hasBit(list, PREFIX + offsetBytes, block * pages + page);
      await readBlock(addressAt(list, addresses + 8 * block), first, length, hasPage);
    }
  }

  async function readBlock(
    block: number | undefined,
    start: number,
    length: number,
    hasPage: (page: number) => boolean,
  ): Promise<void> {
    if (block === undefined) return;
    const before = PREFIX + offsetBytes;
    if (length <= pageElements) {
      const values = await chunks.block(block, 'EADB', before + length * width + 4);
      for (let i = 0; i < length; i++) chunks.addElement(block, values, before + i * width, width, start + i);
      return;
    }
    await chunks.block(block, 'EADB', before + 4);
    for (let page = 0; page < length / pageElements; page++) {
      const from = block + before + 4 + page * (pageElements * width + 4);
      if (hasPage(page))
        await readPage(chunks, from, { first: start + page * pageElements, length: pageElements, width });
    }
  }
}

/** The bytes of a node of a B-tree of version 2 beside its content: signature (4), version, type; checksum (4). */
const NODE_BYTES = 10;

/** A B-tree, version 2 (section III.A.2): records have address, length and mask of filtered chunks, and their place. */
async function readTree2(chunks: Chunks, at: number): Promise<void> {
  const head = await chunks.block(at, 'BTHD', 38);
  const nodeBytes = head.getUint32(6, true);
  const width = head.getUint16(10, true);
  const depth = head.getUint16(12, true);
  const rank = chunks.layout.chunk.length;
  const own = width - 8 * rank;
  if (!chunks.isElement(own) || depth > MAX_LEVEL || nodeBytes < NODE_BYTES + width) throw chunks.damaged(at);
  // How many bytes the numbers of records have, of a child and of all below it, follows from how many fit.
  const bytesOf = (limit: number) => Math.floor(Math.log2(limit) / 8) + 1;
  const most = Math.floor((nodeBytes - NODE_BYTES) / width);
  const countBytes = bytesOf(most);
  const totalBytes = [0];
  for (let level = 1, all = most; level <= depth; level++) {
    const pointer = 8 + countBytes + totalBytes[level - 1];
    const records = Math.floor((nodeBytes - NODE_BYTES - pointer) / (width + pointer));
    all = (records + 1) * all + records;
    totalBytes.push(bytesOf(all));
  }

  async function visit(node: number | undefined, records: number, level: number): Promise<void> {
    const pointer = 8 + countBytes + (level > 0 ? totalBytes[level - 1] : 0);
    const pointers = NODE_BYTES - 4 + records * width;
    const length = pointers + (level > 0 ? (records + 1) * pointer : 0) + 4;
    if (length > nodeBytes) throw chunks.damaged(node);
    const view = await chunks.block(node, level > 0 ? 'BTIN' : 'BTLF', length);
    for (let record = 0; record < records; record++) addRecord(node ?? 0, view, NODE_BYTES - 4 + record * width);
    for (let child = 0; level > 0 && child <= records; child++) {
      const from = pointers + child * pointer;
      await visit(addressAt(view, from), numberAt(view, from + 8, countBytes), level - 1);
    }
  }

  function addRecord(node: number, view: DataView, from: number): void {
    const place = chunks.layout.chunk.map((_, d) => Number(view.getBigUint64(from + own + 8 * d, true)));
    const offset = Number(view.getBigUint64(from, true));
    if (!chunks.isFiltered) chunks.add(node, place, offset, chunks.chunkBytes, 0);
    else chunks.add(node, place, offset, numberAt(view, from + 8, own - 12), view.getUint32(from + own - 4, true));
  }

  const root = addressAt(head, 16);
  if (root !== undefined) await visit(root, head.getUint16(24, true), depth);
}
