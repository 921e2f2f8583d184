import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { assertShape } from '../../check/option-checks.js';
import { unusable } from '../../errors.js';
import { type ArrayValues, bytesOf } from '../array/array-file.js';
import { ChunkAssembler, type CompleteChunk, filledValues, product } from '../array/chunk-assembler.js';
import { chunkShape } from '../array/chunk-shape.js';
import { createChunkTree, type StoredChunk } from '../hdf5/chunk-tree.js';
import { GlobalHeap } from '../hdf5/global-heap.js';
import { chunkedMessage, contiguousMessage, deflateMessage, fillMessage, type Message } from '../hdf5/messages.js';
import { elementType } from './file-headers.js';
import type { GrowingFile } from './growing-file.node.js';
import type { NetcdfArray, ValueBox } from './netcdf-content.js';
import { shuffle } from './shuffle.js';

/** Shorter arrays, such as coordinates, are stored in one part. */
const SHORT_BYTES = 65_536;
/** The number of chunks that are compressed at the same time, by the threads of Node's pool. */
const CHUNKS_AT_ONCE = 4;
const deflated = promisify(deflate);

/**
 * Writes the values of an array, which may have the `unlimited` dimension; returns the messages that say where and how
 * they are stored.
 */
export async function writeArray(
  file: GrowingFile,
  array: NetcdfArray,
  shape: readonly number[],
  level: number,
  unlimited?: string,
): Promise<Message[]> {
  const { values, dimensions } = array;
  if (array.type === 'text') return writeTexts(file, values as readonly string[]);
  if (ArrayBuffer.isView(values)) {
    // Arrays that may grow are stored in chunks, however short they are.
    const mayGrow = unlimited !== undefined && dimensions.includes(unlimited);
    if (values.byteLength <= SHORT_BYTES && !mayGrow) return writeContiguous(file, array, values as ArrayValues);
    const start = shape.map(() => 0);
    return writeChunks(file, array, shape, [{ start, count: shape, values: values as ArrayValues }], level);
  }
  return writeChunks(file, array, shape, values as AsyncIterable<ValueBox>, level);
}

/** The fill value as an element, if there is one. */
function fillElement({ type, fillValue }: NetcdfArray): ArrayValues | undefined {
  return fillValue === undefined || type === 'text' ? undefined : filledValues(type, 1, fillValue);
}

async function writeContiguous(file: GrowingFile, array: NetcdfArray, values: ArrayValues): Promise<Message[]> {
  await file.align();
  const address = await file.append(bytesOf(values));
  return [createFillMessage(array, false), contiguousMessage(address, values.byteLength)];
}

async function writeTexts(file: GrowingFile, texts: readonly string[]): Promise<Message[]> {
  await file.align();
  const heap = new GlobalHeap(file.length);
  const encoder = new TextEncoder();
  const elements = texts.map((text) => {
    const bytes = encoder.encode(`${text}\0`);
    return heap.add(bytes, bytes.length);
  });
  await file.append(heap.finish());
  const address = await file.append(Buffer.concat(elements));
  return [fillMessage(undefined, false), contiguousMessage(address, 16 * texts.length)];
}

async function writeChunks(
  file: GrowingFile,
  array: NetcdfArray,
  shape: readonly number[],
  boxes: AsyncIterable<ValueBox> | Iterable<ValueBox>,
  level: number,
): Promise<Message[]> {
  const type = array.type as Exclude<typeof array.type, 'text'>;
  const { size } = elementType(type);
  const chunk = array.chunk ?? chunkShape(shape, size);
  const assembler = new ChunkAssembler(shape, chunk, () => filledValues(type, product(chunk), array.fillValue));
  const chunks = new ChunkWriter(file, level, size);
  const { work } = file;
  try {
    for await (const box of work.taken(boxes)) {
      assertShape(`NetCDF ${array.name}, box`, box, { start: 'list', count: 'list' });
      if (!ArrayBuffer.isView(box.values))
        throw unusable(`NetCDF ${array.name}, values of a box`, box.values, 'a typed array');
      for (const complete of assembler.add(box)) await chunks.write(complete);
      work.advance(box.values.length);
    }
    for (const open of assembler.rest()) await chunks.write(open);
  } catch (error) {
    await chunks.settled();
    throw error;
  }
  const stored = await chunks.end();
  await file.align();
  const tree = stored.length === 0 ? undefined : createChunkTree(stored, chunk, file.length);
  if (tree !== undefined) await file.append(tree.bytes);
  const messages = [createFillMessage(array, true), chunkedMessage(tree?.root, chunk, size)];
  return level === 0 ? messages : [...messages, deflateMessage(level, size)];
}

function createFillMessage(array: NetcdfArray, chunked: boolean): Message {
  const fill = fillElement(array);
  return fillMessage(fill && bytesOf(fill), chunked);
}

/** Compresses some chunks at a time, and writes them in the order in which they come. */
class ChunkWriter {
  readonly #file: GrowingFile;
  readonly #level: number;
  readonly #elementBytes: number;
  readonly #waiting: { start: readonly number[]; bytes: Promise<Uint8Array> }[] = [];
  readonly #stored: StoredChunk[] = [];

  constructor(file: GrowingFile, level: number, elementBytes: number) {
    this.#file = file;
    this.#level = level;
    this.#elementBytes = elementBytes;
  }

  async write({ start, values }: CompleteChunk): Promise<void> {
    if (this.#file.work.isDue) await this.#file.work.pause();
    const bytes = this.#encode(bytesOf(values));
    // An error is thrown when the chunk is written; until then it must not count as unhandled.
    bytes.catch(() => {});
    this.#waiting.push({ start, bytes });
    if (this.#waiting.length >= CHUNKS_AT_ONCE) await this.#writeFirst();
  }

  async end(): Promise<readonly StoredChunk[]> {
    while (this.#waiting.length > 0) await this.#writeFirst();
    return this.#stored;
  }

  /** Waits until nothing is compressed any more, after a failure. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#waiting.map(({ bytes }) => bytes));
  }

  async #encode(bytes: Uint8Array): Promise<Uint8Array> {
    return this.#level === 0 ? bytes : deflated(shuffle(bytes, this.#elementBytes), { level: this.#level });
  }

  async #writeFirst(): Promise<void> {
    const [{ start, bytes: encoded }] = this.#waiting.splice(0, 1);
    const bytes = await encoded;
    this.#stored.push({ start, address: await this.#file.append(bytes), bytes: bytes.length });
  }
}
