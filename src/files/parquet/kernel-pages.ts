import { DataType, type Utf8, Vector } from 'apache-arrow';
import type { TableKernels } from '../../core/table-kernels.js';
import { valueArray } from '../../table/arrow/value-array.js';
import { decompressByKernel, isKernelCodec, PADDING, type Range, storeBytes } from '../codecs/kernel-codecs.js';
import { prefixedSlices } from './byte-slices.js';
import { isCodedText, textsOfSlices } from './column-builders.js';
import type { ParquetChunk } from './footer.js';
import { decompressPage, maxDecompressedBytes } from './page-codecs.js';
import type { PageContents } from './page-content.js';
import { ENCODING, PAGE, type PageHeader } from './pages.js';
import type { ParquetLeaf } from './schema-columns.js';
import type { LastTexts } from './shared-schema.js';

/** Levels are bytes. */
const MAX_LEVEL = 255;

/** The arrays that hold the values of a stored type without any conversion. */
const ARRAYS = {
  INT32: [Int32Array, Uint32Array],
  FLOAT: [Float32Array],
  INT64: [BigInt64Array, BigUint64Array],
  DOUBLE: [Float64Array],
} as const;

export type NumberArrayConstructor = (typeof ARRAYS)[keyof typeof ARRAYS][number];

/** A column chunk, its type, and what takes its pages apart. */
export interface KernelChunk {
  readonly leaf: ParquetLeaf;
  readonly chunk: ParquetChunk;
  readonly type: DataType;
  readonly contents: PageContents;
  /** The dictionary of texts of the files before. */
  readonly texts: LastTexts | undefined;
}

/** A data page in the memory of the kernels. */
export interface OpenPage {
  /** Where the repetition levels are; undefined without lists. */
  readonly repetition: number | undefined;
  /** Where the definition levels are; undefined if each entry is a value. */
  readonly definition: number | undefined;
  readonly values: Range;
  /** The number of its values. */
  readonly count: number;
}

/** A dictionary in the memory of the kernels: 4 or 8 bytes for each entry. */
export interface Entries {
  readonly at: number;
  readonly size: number;
  readonly texts?: Vector<Utf8>;
}

/** What is there at once where kernels know the codec: a table of many short files has some ten thousand pages. */
type Soon<T> = T | Promise<T>;

function whenThere<T, U>(value: Soon<T>, use: (value: T) => U): Soon<U> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/**
 * Brings pages of numbers that are stored as they are needed, or of coded texts, into the memory of the kernels. Each
 * method gives undefined for what kernels do not know or find corrupt.
 */
export class KernelPages {
  readonly #tools: TableKernels;
  readonly #leaf: ParquetLeaf;
  readonly #chunk: ParquetChunk;
  readonly #isCoded: boolean;
  readonly #contents: PageContents;
  readonly #texts: LastTexts | undefined;
  readonly #width: number;

  /** `width` is that of a value in bytes. */
  constructor(tools: TableKernels, { leaf, chunk, type, contents, texts }: KernelChunk, width: number) {
    this.#tools = tools;
    this.#leaf = leaf;
    this.#chunk = chunk;
    this.#isCoded = isCodedText(type);
    this.#contents = contents;
    this.#texts = texts;
    this.#width = width;
  }

  /** Whether kernels know the encodings of all these pages. */
  areKnown(headers: readonly PageHeader[]): boolean {
    return headers.every((header) => isKnown(header, this.#isCoded));
  }

  openDictionary(header: PageHeader, stored: Uint8Array): Soon<Entries | undefined> {
    this.#contents.check(header, stored);
    const size = header.values;
    const known = this.#texts?.find(stored, this.#chunk.codec);
    if (this.#isCoded && known?.length === size) return this.#codes(known);
    const bytes = this.#decompress(header, stored, header.decodedBytes);
    return whenThere(bytes, (found) => this.#entries(found, size, stored));
  }

  #entries(bytes: Range | undefined, size: number, stored: Uint8Array): Entries | undefined {
    const { memory } = this.#tools;
    if (bytes === undefined) return undefined;
    if (!this.#isCoded) {
      return bytes.end - bytes.at === size * this.#width ? { at: bytes.at, size } : undefined;
    }
    // The kernel reads the entries at indices: the indices themselves here.
    if (size * 4 > bytes.end - bytes.at) return undefined;
    const slices = prefixedSlices(memory.bytes(bytes.at, bytes.end - bytes.at), size);
    const texts = new Vector([textsOfSlices(slices)]);
    this.#texts?.keep(stored, this.#chunk.codec, texts);
    return this.#codes(texts);
  }

  /** The indices of texts, by which kernels read them. */
  #codes(texts: Vector<Utf8>): Entries {
    const { memory } = this.#tools;
    const size = texts.length;
    const at = memory.scratch(4 * size);
    const indices = memory.int32(at, size);
    for (let i = 0; i < size; i++) indices[i] = i;
    return { at, size, texts };
  }

  /** Brings a data page into memory, and reads its levels. */
  open(header: PageHeader, stored: Uint8Array): Soon<OpenPage | undefined> {
    this.#contents.check(header, stored);
    if (header.type !== PAGE.data) return this.#openV2(header, stored);
    const bytes = this.#decompress(header, stored, header.decodedBytes);
    return whenThere(bytes, (found) => this.#pageV1(header, found));
  }

  #pageV1(header: PageHeader, bytes: Range | undefined): OpenPage | undefined {
    if (bytes === undefined) return undefined;
    const { maxRepetition, maxDefinition } = this.#leaf;
    const entries = header.values;
    let { at } = bytes;
    let repetition: Levels | undefined;
    let definition: Levels | undefined;
    if (maxRepetition > 0) {
      const range = header.repetitionEncoding === ENCODING.rle ? this.#prefixed(at, bytes.end) : undefined;
      repetition = range && this.#readLevels(range, maxRepetition, entries);
      if (range === undefined || repetition === undefined) return undefined;
      at = range.end;
    }
    if (maxDefinition > 0) {
      const range = header.definitionEncoding === ENCODING.rle ? this.#prefixed(at, bytes.end) : undefined;
      definition = range && this.#readLevels(range, maxDefinition, entries);
      if (range === undefined || definition === undefined) return undefined;
      at = range.end;
    }
    return openPage(repetition, definition, { at, end: bytes.end }, entries);
  }

  #openV2(header: PageHeader, stored: Uint8Array): Soon<OpenPage | undefined> {
    const levelBytes = header.repetitionBytes + header.definitionBytes;
    if (levelBytes > Math.min(stored.length, header.decodedBytes)) return undefined;
    if (this.#leaf.maxRepetition === 0 && header.rows !== header.values) return undefined;
    const values = this.#decompress(header, stored.subarray(levelBytes), header.decodedBytes - levelBytes);
    return whenThere(values, (found) => this.#pageV2(header, stored.subarray(0, levelBytes), found));
  }

  #pageV2(header: PageHeader, levels: Uint8Array, values: Range | undefined): OpenPage | undefined {
    if (values === undefined) return undefined;
    const { maxRepetition, maxDefinition } = this.#leaf;
    const { values: entries, nulls, repetitionBytes, definitionBytes } = header;
    const at = storeBytes(this.#tools, levels);
    const between = at + repetitionBytes;
    const end = between + definitionBytes;
    const repetition = maxRepetition > 0 ? this.#readLevels({ at, end: between }, maxRepetition, entries) : undefined;
    const definition = maxDefinition > 0 ? this.#readLevels({ at: between, end }, maxDefinition, entries) : undefined;
    if ((maxRepetition > 0 && repetition === undefined) || (maxDefinition > 0 && definition === undefined))
      return undefined;
    const page = openPage(repetition, definition, values, entries);
    return page.count === entries - nulls ? page : undefined;
  }

  /**
   * The address of the values of a page, without nulls: at `into`, or in memory of their own if it is omitted or the
   * values are plain.
   */
  decode({ encoding }: PageHeader, page: OpenPage, entries: Entries | undefined, into?: number): number | undefined {
    const { memory, kernels } = this.#tools;
    const { values, count } = page;
    if (encoding === ENCODING.plain) return values.end - values.at === count * this.#width ? values.at : undefined;
    if (count === 0) return values.at;
    if (entries === undefined) return undefined;
    const out = into ?? memory.scratch(count * this.#width + PADDING);
    const read = this.#width === 4 ? kernels.readDictionary4 : kernels.readDictionary8;
    return read(values.at, values.end, entries.at, entries.size, out, count) === 0 ? undefined : out;
  }

  /** The bytes that follow their length at `at`. */
  #prefixed(at: number, end: number): Range | undefined {
    if (end - at < 4) return undefined;
    const length = new DataView(this.#tools.memory.wasm.buffer).getUint32(at, true);
    return length > end - at - 4 ? undefined : { at: at + 4, end: at + 4 + length };
  }

  #readLevels({ at, end }: Range, max: number, count: number): Levels | undefined {
    const { memory, kernels } = this.#tools;
    const levels = memory.scratch(count + PADDING);
    const full = kernels.readLevels(at, end, max, levels, count);
    return full < 0 ? undefined : { at: levels, full };
  }

  #decompress(header: PageHeader, stored: Uint8Array, size: number): Soon<Range | undefined> {
    const codec = header.isCompressed ? this.#chunk.codec : 'UNCOMPRESSED';
    if (isKernelCodec(codec) && size > 0) {
      if (size > maxDecompressedBytes(codec, stored.length)) return undefined;
      return decompressByKernel(this.#tools, codec, stored, size);
    }
    return decompressPage(codec, stored, size).then((bytes) => {
      const at = storeBytes(this.#tools, bytes);
      return { at, end: at + size };
    });
  }
}

/** Levels in the memory of the kernels, and how many of them are the highest. */
interface Levels {
  readonly at: number;
  readonly full: number;
}

function openPage(
  repetition: Levels | undefined,
  definition: Levels | undefined,
  values: Range,
  entries: number,
): OpenPage {
  const count = definition?.full ?? entries;
  return { repetition: repetition?.at, definition: count === entries ? undefined : definition?.at, values, count };
}

/**
 * The array for the values of a column of type `type`; undefined if they have to be converted, or kernels do not read
 * their levels.
 */
export function arrayOf({ element, maxDefinition }: ParquetLeaf, type: DataType): NumberArrayConstructor | undefined {
  if (maxDefinition > MAX_LEVEL) return undefined;
  if (isCodedText(type)) return element.type === 'BYTE_ARRAY' ? Int32Array : undefined;
  if (element.converted_type === 'DECIMAL') return undefined;
  const arrays: readonly NumberArrayConstructor[] = ARRAYS[element.type as keyof typeof ARRAYS] ?? [];
  const wanted = valueArray(type);
  return arrays.find((array) => array === wanted);
}

function isKnown({ type, encoding }: PageHeader, isCoded: boolean): boolean {
  const { plain, plainDictionary, rleDictionary } = ENCODING;
  if (type === PAGE.dictionary) return encoding === plain || encoding === plainDictionary;
  if (type !== PAGE.data && type !== PAGE.dataV2) return false;
  return (encoding === plain && !isCoded) || encoding === plainDictionary || encoding === rleDictionary;
}

/** The bits of a missing float32. */
const FLOAT_NAN = 0x7fc00000;

/** Where values with nulls go, and their bits of validity. */
export interface Spread {
  readonly levels: number;
  readonly full: number;
  readonly values: number;
  readonly out: number;
  readonly validity: number;
}

/**
 * Writes the entries from `first` to `last` of a page of type `type` as those from `at` on of a column; returns the
 * number of nulls, which become NaN or 0.
 */
export function spreadValues(
  { kernels }: TableKernels,
  type: DataType,
  width: number,
  { levels, full, values, out, validity }: Spread,
  [first, last, at]: readonly [number, number, number],
): number {
  const isFloat = DataType.isFloat(type);
  return width === 4
    ? kernels.spread4(levels, full, values, isFloat ? FLOAT_NAN : 0, first, last, out, validity, at)
    : kernels.spread8(levels, full, values, isFloat ? Number.NaN : 0, first, last, out, validity, at);
}

/** The bytes of a validity bitmap of Arrow. */
export function bitmapBytes(rows: number): number {
  return (((rows + 7) >> 3) + 7) & ~7;
}
