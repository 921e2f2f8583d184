import { forEachLimited } from '../../check/work.js';
import { FormatError } from '../../errors.js';
import {
  type ArrayType,
  type ArrayValues,
  type Attributes,
  type Box,
  type StoredArray,
  storedText,
} from '../array/array-file.js';
import {
  checkedBytes,
  chunkOverlap,
  copyBox,
  elements,
  notText,
  type Placed,
  rowStrides,
  touchedChunks,
} from '../array/copy-box.js';
import type { ArrayMetadata } from './array-metadata.js';
import type { ChunkCache } from './chunk-cache.js';
import type { StoredChunk } from './chunk-reader.js';
import { type OpenChunks, openChunks, partShape } from './open-chunks.js';
import type { StoreReader } from './store-reader.js';
import type { StoredType } from './stored-type.js';

/** Larger arrays of texts are not read: they would not fit into memory. */
const MAX_TEXTS = 2 ** 24;

/** How an array is read. */
interface ReadForm {
  readonly name: string;
  readonly dimensions: readonly string[];
  /** The number of chunks that are decoded at a time. */
  readonly concurrency: number;
  /** Whether chunks that are not in the store have the fill value, or 0 if there is none; otherwise they are absent. */
  readonly isFilled: boolean;
  /**
   * Whether it is the coordinate of a dimension: its values differ, so that at most one chunk can have only fill
   * values.
   */
  readonly isCoordinate: boolean;
  /** The cache for decoded chunks, if there is one. */
  readonly kept?: KeptChunks;
}

/** An array of a Zarr store. */
export class ZarrArray implements StoredArray {
  readonly name: string;
  readonly type: ArrayType;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  readonly attributes: Attributes;
  readonly chunk: readonly number[];
  readonly filters: readonly string[];
  readonly #metadata: ArrayMetadata;
  readonly #store: StoreReader;
  readonly #form: ReadForm;
  #opening?: Promise<OpenChunks>;
  /** What reads have found so far. */
  #chunks: 'none' | 'absent' | 'some' = 'none';
  #hasAbsent = false;

  constructor(metadata: ArrayMetadata, store: StoreReader, form: ReadForm) {
    this.name = form.name;
    this.type = metadata.stored.type;
    this.dimensions = form.dimensions;
    this.shape = metadata.shape;
    this.attributes = metadata.attributes;
    this.chunk = partShape(metadata, store.hasRanges, store.name(metadata.path));
    this.filters = metadata.codecs.map(({ name }) => name).filter((name) => name !== 'bytes');
    this.#metadata = metadata;
    this.#store = store;
    this.#form = form;
  }

  get isUnwritten(): boolean {
    return this.#chunks === 'absent' && !this.#form.isFilled;
  }

  get absentValue(): number | undefined {
    const { fill = 0 } = this.#metadata;
    const isMissing = ['_FillValue', 'missing_value'].some((name) => Number(this.attributes.get(name)) === fill);
    return this.#hasAbsent && typeof fill === 'number' && !Number.isNaN(fill) && !isMissing ? fill : undefined;
  }

  /** Also throws OptionError, if the box is not within the array or does not fit into `into`. */
  async read(box: Box, into: ArrayValues): Promise<readonly Box[]> {
    checkedBytes(this, box, into);
    const chunks = await this.#open();
    const { chain, shape: chunk } = chunks;
    const to = { values: into, start: box.start, strides: rowStrides(box.count) };
    const absent: Box[] = [];
    let missing = 0;
    const use: UseChunk = (place, values) => {
      if (values === undefined && this.#form.isCoordinate && ++missing > 1) throw this.#missingChunk(place);
      if (values !== undefined) this.#chunks = 'some';
      else if (this.#chunks === 'none') this.#chunks = 'absent';
      const overlap = chunkOverlap(place, chunk, box);
      const from = values === undefined ? this.#filling(into) : placed(values, place, chunk, chain.strides);
      if (from === undefined) {
        absent.push(overlap);
        this.#hasAbsent = true;
      } else copyBox(from, to, overlap);
    };
    const { kept, concurrency } = this.#form;
    if (kept === undefined) await forEachDecoded(chunks, box, use);
    else await forEachKept(chunks, kept, concurrency, box, use);
    return absent.sort(byStart);
  }

  /** Also throws OptionError, for an array of numbers. */
  async readTexts(): Promise<readonly string[]> {
    if (this.type !== 'text') throw notText(this.name);
    if (elements(this.shape) > MAX_TEXTS) throw this.#tooManyTexts();
    const { reader, chain, shape: chunk } = await this.#open();
    const { stored, fill, shape } = this.#metadata;
    const all = { start: shape.map(() => 0), count: shape };
    const texts = Array<string>(elements(shape)).fill(typeof fill === 'string' ? fill : '');
    const strides = rowStrides(shape);
    const ones = shape.map(() => 1);
    await reader.forEach(all, async ({ place, name, bytes }: StoredChunk) => {
      if (bytes === undefined) return;
      const found = readTexts(await chain.elements(bytes, name), stored, elements(chunk), name);
      const overlap = chunkOverlap(place, chunk, all);
      for (const element of touchedChunks(ones, overlap)) {
        const from = element.reduce((at, along, d) => at + (along % chunk[d]) * chain.strides[d], 0);
        texts[element.reduce((at, along, d) => at + along * strides[d], 0)] = found[from];
      }
    });
    return texts;
  }

  /** Opens the chunks at the first read; after a failure, the next read tries again. */
  #open(): Promise<OpenChunks> {
    this.#opening ??= openChunks(this.#metadata, this.#store, this.#form.concurrency).catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** The fill value for all elements; undefined if they are absent. */
  #filling(into: ArrayValues): Placed | undefined {
    if (!this.#form.isFilled) return undefined;
    const { fill = 0, shape } = this.#metadata;
    const number = Number(fill);
    const values = into.slice(0, 1);
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) values[0] = BigInt(this.#integer(number));
    else values[0] = number;
    const zeros = shape.map(() => 0);
    return { values, start: zeros, strides: zeros };
  }

  #integer(fill: number): number {
    if (Number.isInteger(fill)) return fill;
    throw new FormatError({
      ...{ subject: this.#subject, problem: 'wrong fill_value', received: fill },
      allowed: 'an integer',
    });
  }

  #missingChunk(place: readonly number[]): FormatError {
    return new FormatError({
      subject: this.#subject,
      problem: `has ${this.shape} values, most of which are not in the store`,
      received: `no chunk ${place}`,
      allowed: 'all chunks of a coordinate',
    });
  }

  #tooManyTexts(): FormatError {
    const received = this.shape.join(' x ');
    return new FormatError({
      subject: this.#subject,
      problem: 'has too many texts',
      received,
      allowed: `at most ${MAX_TEXTS}`,
    });
  }

  get #subject(): string {
    return this.#store.name(this.#metadata.path);
  }
}

/** The values of a chunk, at its place in the array. */
function placed(
  values: ArrayValues,
  place: readonly number[],
  chunk: readonly number[],
  strides: readonly number[],
): Placed {
  return { values, start: place.map((at, d) => at * chunk[d]), strides };
}

function byStart(a: Box, b: Box): number {
  const d = a.start.findIndex((at, dimension) => at !== b.start[dimension]);
  return d < 0 ? 0 : a.start[d] - b.start[d];
}

/** Uses the values of the chunk at a place in the grid of chunks; undefined if it is not in the store. */
type UseChunk = (place: readonly number[], values: ArrayValues | undefined) => void;

/** The cache for decoded chunks of an array, and their name in it. */
interface KeptChunks {
  readonly cache: ChunkCache;
  readonly name: string;
}

/**
 * Reads and decodes the chunks that overlap a box, each once, several at a time and in any order. Throws FileError and
 * FormatError.
 */
function forEachDecoded({ reader, chain }: OpenChunks, box: Box, use: UseChunk): Promise<void> {
  return reader.forEach(box, async ({ place, name, bytes }) => {
    use(place, bytes && (await chain.numbers(bytes, name)));
  });
}

/** Does the same as `forEachDecoded` with a cache. */
function forEachKept(
  chunks: OpenChunks,
  { cache, name }: KeptChunks,
  concurrency: number,
  box: Box,
  use: UseChunk,
): Promise<void> {
  return forEachLimited(touchedChunks(chunks.shape, box), concurrency, async (place) => {
    use(place, await cache.values(`${name} ${place}`, () => readChunk(chunks, place)));
  });
}

/** Reads a single chunk. */
async function readChunk(chunks: OpenChunks, place: readonly number[]): Promise<ArrayValues | undefined> {
  const first = { start: place.map((at, d) => at * chunks.shape[d]), count: place.map(() => 1) };
  let found: ArrayValues | undefined;
  await forEachDecoded(chunks, first, (_, values) => {
    found = values;
  });
  // A cached view must not keep a much larger buffer in memory.
  return found && found.buffer.byteLength > 2 * found.byteLength ? found.slice() : found;
}

const LENGTH_BYTES = 4;

/**
 * Reads the texts of a chunk that is decoded to bytes. Throws FormatError, which names the chunk, unless there are
 * `count` texts.
 */
function readTexts(bytes: Uint8Array, { text, bytes: size }: StoredType, count: number, name: string): string[] {
  if (text === 'variable') return variableTexts(bytes, count, name);
  const decode = text === 'utf32' ? utf32Text : storedText;
  return Array.from({ length: count }, (_, i) => decode(bytes.subarray(i * size, (i + 1) * size)));
}

/** A text of characters of four bytes, the lowest first, padded with zeros. */
function utf32Text(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const characters = Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
  const known = characters.filter((character) => character > 0 && character <= 0x10ffff);
  return known.map((character) => String.fromCodePoint(character)).join('');
}

/** The codec `vlen-utf8` of numcodecs: the count, then each text preceded by its length, all numbers in four bytes. */
function variableTexts(bytes: Uint8Array, count: number, name: string): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let at = LENGTH_BYTES;
  try {
    if (view.getUint32(0, true) !== count) throw new RangeError('another count');
    while (texts.length < count) {
      const length = view.getUint32(at, true);
      at += LENGTH_BYTES + length;
      if (at > bytes.length) throw new RangeError('ends early');
      texts.push(decoder.decode(bytes.subarray(at - length, at)));
    }
  } catch (cause) {
    const problem = 'a chunk of texts is cut, or is not of this array';
    throw new FormatError({ subject: name, problem, allowed: `${count} texts`, cause });
  }
  return texts;
}
