import { type Data, DataType, makeData, Vector } from 'apache-arrow';
import type { TableKernels } from '../../core/table-kernels.js';
import { valueArray } from '../../table/value-array.js';
import type { BufferPool } from '../buffer-pool.js';
import { decompressByKernel, isKernelCodec, PADDING, type Range, storeBytes } from '../codecs/kernel-codecs.js';
import { prefixedSlices } from './byte-slices.js';
import type { ParquetChunk, ParquetLeaf } from './footer.js';
import { decompressPage, maxDecompressedBytes } from './page-codecs.js';
import type { PageContents } from './page-content.js';
import { ENCODING, PAGE, type PageHeader } from './page-header.js';
import type { StoredPage } from './pages.js';
import { isCodedText, textsOfSlices } from './text-codes.js';

/** Levels are bytes. */
const MAX_LEVEL = 255;

/** The arrays that hold the values of a stored type without any conversion. */
const ARRAYS = {
  INT32: [Int32Array, Uint32Array],
  FLOAT: [Float32Array],
  INT64: [BigInt64Array, BigUint64Array],
  DOUBLE: [Float64Array],
} as const;

type NumberArrayConstructor = (typeof ARRAYS)[keyof typeof ARRAYS][number];

/** A data page in the memory of the kernels. */
interface OpenPage {
  /** Where the levels of its rows are; undefined if all rows have values. */
  readonly levels: number | undefined;
  readonly values: Range;
  /** The number of its values. */
  readonly count: number;
}

/** A dictionary in the memory of the kernels: 4 or 8 bytes for each entry. */
interface Entries {
  readonly at: number;
  readonly size: number;
  readonly texts?: Data;
}

/** The rows that are read. */
interface Target {
  readonly from: number;
  readonly to: number;
  readonly out: number;
  readonly validity: number;
}

/**
 * A column chunk without lists, of numbers that are stored as they are needed, or of texts that are read as codes,
 * decoded by kernels: plain values and those of dictionaries.
 */
export class KernelColumn {
  #tools!: TableKernels;
  readonly #leaf: ParquetLeaf;
  readonly #chunk: ParquetChunk;
  readonly #type: DataType;
  readonly #contents: PageContents;
  readonly #array: NumberArrayConstructor;
  readonly #pool: BufferPool;

  private constructor(
    { leaf, chunk, type, contents }: { leaf: ParquetLeaf; chunk: ParquetChunk; type: DataType; contents: PageContents },
    array: NumberArrayConstructor,
    pool: BufferPool,
  ) {
    this.#leaf = leaf;
    this.#chunk = chunk;
    this.#type = type;
    this.#contents = contents;
    this.#array = array;
    this.#pool = pool;
  }

  /** Undefined if the kernels do not know such a column. */
  static of(
    pool: BufferPool,
    leaf: ParquetLeaf,
    chunk: ParquetChunk,
    type: DataType,
    contents: PageContents,
  ): KernelColumn | undefined {
    const array = arrayOf(leaf, type);
    if (array === undefined || leaf.maxRepetition > 0 || leaf.maxDefinition > MAX_LEVEL) return undefined;
    return new KernelColumn({ leaf, chunk, type, contents }, array, pool);
  }

  /**
   * The rows from `from` up to `to`, of which `pages` have all. Undefined if the kernels do not know how they are
   * written, or find them corrupt. Throws a RangeError for wrong checksums and impossible sizes.
   */
  async read(tools: TableKernels, pages: readonly StoredPage[], from: number, to: number): Promise<Data | undefined> {
    this.#tools = tools;
    if (!pages.every(({ header }) => isKnown(header, isCodedText(this.#type)))) return undefined;
    const { memory } = this.#tools;
    const mark = memory.mark();
    try {
      return await this.#read(pages, from, to);
    } finally {
      memory.release(mark);
    }
  }

  async #read(pages: readonly StoredPage[], from: number, to: number): Promise<Data | undefined> {
    const { memory } = this.#tools;
    const width = this.#array.BYTES_PER_ELEMENT;
    const rows = to - from;
    const out = memory.scratch(rows * width + PADDING);
    const validity = memory.scratch((rows >> 3) + PADDING);
    const target = { from, to, out, validity };
    let entries: Entries | undefined;
    let nullCount: number | undefined;
    for (const { header, bytes, row } of pages) {
      if (header.type === PAGE.dictionary) {
        entries = await this.#openDictionary(header, bytes);
        if (entries === undefined) return undefined;
        continue;
      }
      if (row >= to || row + header.values <= from) continue;
      const mark = memory.mark();
      const page = await this.#open(header, bytes);
      if (page === undefined) return undefined;
      if (page.levels !== undefined && nullCount === undefined) {
        memory.bytes(validity, bitmapBytes(rows)).fill(255);
        nullCount = 0;
      }
      const nulls = this.#append(header, page, row, entries, target);
      if (nulls === undefined) return undefined;
      if (nullCount !== undefined) nullCount += nulls;
      memory.release(mark);
    }
    const nullBitmap = nullCount ? memory.bytes(validity, bitmapBytes(rows)).slice() : undefined;
    const bytes = memory.bytes(out, rows * width);
    const buffer = this.#pool.take(bytes.length);
    new Uint8Array(buffer).set(bytes);
    const data = new this.#array(buffer, 0, rows);
    const dictionary = isCodedText(this.#type) ? entries?.texts && new Vector([entries.texts]) : undefined;
    if (isCodedText(this.#type) && dictionary === undefined) return undefined;
    return makeData({
      type: this.#type,
      length: rows,
      nullCount: nullCount ?? 0,
      nullBitmap,
      data,
      dictionary,
    } as never);
  }

  /** Writes the rows of a page that are wanted, and returns the number of nulls; undefined if it is left to the caller. */
  #append(
    { encoding, values: pageRows }: PageHeader,
    page: OpenPage,
    row: number,
    entries: Entries | undefined,
    { from, to, out, validity }: Target,
  ): number | undefined {
    const { memory, kernels } = this.#tools;
    const width = this.#array.BYTES_PER_ELEMENT;
    const { levels, values, count } = page;
    const [first, last] = [Math.max(from - row, 0), Math.min(to - row, pageRows)];
    const at = row + first - from;
    const isWhole = levels === undefined && first === 0 && last === pageRows;
    let decoded = values.at;
    if (encoding === ENCODING.plain) {
      if (values.end - values.at !== count * width) return undefined;
    } else if (count > 0) {
      if (entries === undefined) return undefined;
      decoded = isWhole ? out + at * width : memory.scratch(count * width + PADDING);
      const read = width === 4 ? kernels.readDictionary4 : kernels.readDictionary8;
      if (read(values.at, values.end, entries.at, entries.size, decoded, count) === 0) return undefined;
    }
    if (levels !== undefined) {
      const { maxDefinition } = this.#leaf;
      const isFloat = DataType.isFloat(this.#type);
      return width === 4
        ? kernels.spread4(levels, maxDefinition, decoded, isFloat ? FLOAT_NAN : 0, first, last, out, validity, at)
        : kernels.spread8(levels, maxDefinition, decoded, isFloat ? Number.NaN : 0, first, last, out, validity, at);
    }
    if (!isWhole || encoding === ENCODING.plain) {
      const bytes = memory.bytes(decoded + first * width, (last - first) * width);
      memory.bytes(out + at * width, bytes.length).set(bytes);
    }
    return 0;
  }

  async #openDictionary(header: PageHeader, stored: Uint8Array): Promise<Entries | undefined> {
    const { memory } = this.#tools;
    this.#contents.check(header, stored);
    const size = header.values;
    const bytes = await this.#decompress(header, stored, header.decodedBytes);
    if (bytes === undefined) return undefined;
    if (!isCodedText(this.#type)) {
      return bytes.end - bytes.at === size * this.#array.BYTES_PER_ELEMENT ? { at: bytes.at, size } : undefined;
    }
    // The kernel reads the entries at indices: the indices themselves here.
    if (size * 4 > bytes.end - bytes.at) return undefined;
    const texts = textsOfSlices(prefixedSlices(memory.bytes(bytes.at, bytes.end - bytes.at), size));
    const at = memory.scratch(4 * size);
    const indices = memory.int32(at, size);
    for (let i = 0; i < size; i++) indices[i] = i;
    return { at, size, texts };
  }

  /** Brings a data page into memory, and reads its levels; undefined if it is left to the caller. */
  async #open(header: PageHeader, stored: Uint8Array): Promise<OpenPage | undefined> {
    this.#contents.check(header, stored);
    return header.type === PAGE.data ? this.#openV1(header, stored) : this.#openV2(header, stored);
  }

  async #openV1(header: PageHeader, stored: Uint8Array): Promise<OpenPage | undefined> {
    const bytes = await this.#decompress(header, stored, header.decodedBytes);
    if (bytes === undefined) return undefined;
    if (this.#leaf.maxDefinition === 0) return { levels: undefined, values: bytes, count: header.values };
    const { memory } = this.#tools;
    if (header.definitionEncoding !== ENCODING.rle || bytes.end - bytes.at < 4) return undefined;
    const length = new DataView(memory.wasm.buffer).getUint32(bytes.at, true);
    const at = bytes.at + 4;
    if (length > bytes.end - at) return undefined;
    const levels = this.#readLevels({ at, end: at + length }, header.values);
    return levels && { ...levels, values: { at: at + length, end: bytes.end } };
  }

  async #openV2(header: PageHeader, stored: Uint8Array): Promise<OpenPage | undefined> {
    const { values: count, rows, nulls, repetitionBytes, definitionBytes } = header;
    const levelBytes = repetitionBytes + definitionBytes;
    if (rows !== count || levelBytes > Math.min(stored.length, header.decodedBytes)) return undefined;
    const values = await this.#decompress(header, stored.subarray(levelBytes), header.decodedBytes - levelBytes);
    if (values === undefined) return undefined;
    if (this.#leaf.maxDefinition === 0) return nulls === 0 ? { levels: undefined, values, count } : undefined;
    const at = storeBytes(this.#tools, stored.subarray(repetitionBytes, levelBytes));
    const levels = this.#readLevels({ at, end: at + definitionBytes }, count);
    return levels?.count === count - nulls ? { ...levels, values } : undefined;
  }

  #readLevels({ at, end }: Range, rows: number): Pick<OpenPage, 'levels' | 'count'> | undefined {
    const { memory, kernels } = this.#tools;
    const levels = memory.scratch(rows + PADDING);
    const count = kernels.readLevels(at, end, this.#leaf.maxDefinition, levels, rows);
    if (count < 0) return undefined;
    return { levels: count === rows ? undefined : levels, count };
  }

  /** Decompresses bytes into memory; undefined if they are left to the caller. */
  async #decompress(header: PageHeader, stored: Uint8Array, size: number): Promise<Range | undefined> {
    const codec = header.isCompressed ? this.#chunk.meta.codec : 'UNCOMPRESSED';
    if (isKernelCodec(codec) && size > 0) {
      if (size > maxDecompressedBytes(codec, stored.length)) return undefined;
      return decompressByKernel(this.#tools, codec, stored, size);
    }
    const at = storeBytes(this.#tools, await decompressPage(codec, stored, size));
    return { at, end: at + size };
  }
}

/** The bits of a missing float32. */
const FLOAT_NAN = 0x7fc00000;

/** The bytes of a validity bitmap of Arrow. */
function bitmapBytes(rows: number): number {
  return (((rows + 7) >> 3) + 7) & ~7;
}

/** The array for the column; undefined if its values have to be converted. */
function arrayOf({ element }: ParquetLeaf, type: DataType): NumberArrayConstructor | undefined {
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
