import { Data, DataType } from 'apache-arrow';
import type { AsyncBuffer } from 'hyparquet';
import type { TableKernels } from '../../core/table-kernels.js';
import { PADDING } from '../codecs/kernel-codecs.js';
import type { BufferPool } from '../column-buffers.js';
import {
  type ColumnBuilder,
  codedTexts,
  createBuilder,
  isCodedText,
  ListBuilder,
  type ListLevels,
} from './column-builders.js';
import type { ParquetChunk } from './footer.js';
import { KernelLists } from './kernel-lists.js';
import {
  arrayOf,
  bitmapBytes,
  type Entries,
  type KernelChunk,
  KernelPages,
  type NumberArrayConstructor,
  type OpenPage,
  spreadValues,
} from './kernel-pages.js';
import { maxDecodedBytes } from './page-codecs.js';
import { PageContents } from './page-content.js';
import { ChunkPages, ENCODING, PAGE, type PageHeader, type StoredPage } from './pages.js';
import type { ParquetLeaf } from './schema-columns.js';
import type { LastTexts } from './shared-schema.js';
import { ValueDecoder } from './values.js';

/**
 * Reads the column chunk of a column of type `type`, by kernels if there are some, as far as these know how its pages
 * are written.
 */
export class ColumnChunkReader {
  readonly #leaf: ParquetLeaf;
  readonly #chunk: ParquetChunk;
  readonly #type: DataType;
  readonly #pages: ChunkPages;
  readonly #contents: PageContents;
  readonly #kernels: KernelColumn | KernelLists | undefined;
  /** Pages that are read ahead, and of which rows. */
  #ahead:
    | { readonly from: number; readonly to: number; readonly pages: StoredPage[] | Promise<StoredPage[]> }
    | undefined;

  constructor(
    file: AsyncBuffer,
    leaf: ParquetLeaf,
    chunk: ParquetChunk,
    type: DataType,
    {
      pool,
      keepsPages,
      texts,
    }: { readonly pool: BufferPool; readonly keepsPages: boolean; readonly texts: LastTexts | undefined },
  ) {
    this.#leaf = leaf;
    this.#chunk = chunk;
    this.#type = type;
    this.#pages = new ChunkPages(file, leaf, chunk, keepsPages);
    this.#contents = new PageContents(leaf, chunk);
    const column = { leaf, chunk, type, contents: this.#contents, texts };
    this.#kernels = KernelColumn.of(pool, column) ?? KernelLists.of(pool, column, listLevels(leaf));
  }

  /** Begins to read the pages that `read` of the same rows takes next. Errors are thrown there. */
  readAhead(from: number, to: number): void {
    if (this.#pages.areInMemory) return;
    const pages = this.#pages.read(from, to);
    if (pages instanceof Promise) pages.catch(() => {});
    this.#ahead = { from, to, pages };
  }

  /**
   * Reads the rows from `from` up to, not including, `to`, both counted from the first row of the row group. For
   * lists, all rows are read.
   *
   * Each page that is read is checked: its checksum if it has one, sizes, runs, lengths, indices, and its counts
   * against those of the column and the row group. Throws a RangeError if they contradict each other, and what the
   * file throws.
   */
  async read(from: number, to: number, tools?: TableKernels): Promise<Data> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    const isAhead = ahead?.from === from && ahead.to === to;
    const read = isAhead ? ahead.pages : this.#pages.read(from, to);
    const pages = read instanceof Promise ? await read : read;
    // What kernels do not know or find corrupt is read again.
    const decoded = tools && (await this.#kernels?.read(tools, pages, from, to));
    return decoded ?? this.#decode(pages, from, to);
  }

  async #decode(pages: readonly StoredPage[], from: number, to: number): Promise<Data> {
    const type = this.#type;
    const maxBytes = maxDecodedBytes(this.#chunk.end - this.#chunk.start);
    const decoder = new ValueDecoder(this.#leaf.element, maxBytes);
    if (DataType.isList(type) || DataType.isFixedSizeList(type)) {
      const { rows, values: entries } = this.#chunk;
      const lists = new ListBuilder(type, listLevels(this.#leaf), { rows, entries, maxBytes });
      await this.#readLists(pages, decoder, lists);
      return lists.finish();
    }
    const isCoded = isCodedText(type);
    const builder = createBuilder(isCoded ? type.dictionary : type, to - from, maxBytes);
    await this.#readRows(pages, decoder, builder, [from, to]);
    return isCoded ? codedTexts(type, builder.finish()) : builder.finish();
  }

  /** Reads a column without lists, whose pages have as many rows as values. */
  async #readRows(
    pages: readonly StoredPage[],
    decoder: ValueDecoder,
    builder: ColumnBuilder,
    [from, to]: readonly [number, number],
  ): Promise<void> {
    for (const { header, bytes, row } of pages) {
      if (header.type === PAGE.dictionary) {
        await this.#readDictionary(decoder, header, bytes);
        continue;
      }
      const last = row + header.values;
      if (last <= from || row >= to) continue;
      if (header.type === PAGE.dataV2 && header.rows !== header.values) {
        throw new RangeError(`a page of ${header.rows} rows that has ${header.values} values`);
      }
      const { definition, values, count } = await this.#contents.content(header, bytes);
      const decoded = decoder.decode(header.encoding, values, count);
      builder.append(decoded, definition, Math.max(from - row, 0), Math.min(to - row, header.values));
    }
  }

  async #readLists(pages: readonly StoredPage[], decoder: ValueDecoder, lists: ListBuilder): Promise<void> {
    for (const { header, bytes } of pages) {
      if (header.type === PAGE.dictionary) {
        await this.#readDictionary(decoder, header, bytes);
        continue;
      }
      const { repetition, definition, values, count } = await this.#contents.content(header, bytes);
      const before = lists.length;
      lists.append(decoder.decode(header.encoding, values, count), repetition!, definition);
      const rows = lists.length - before;
      if (header.type === PAGE.dataV2 && header.rows !== rows) {
        throw new RangeError(`a page of ${header.rows} rows that has ${rows} lists`);
      }
    }
    if (lists.length !== this.#chunk.rows) {
      throw new RangeError(`its pages have ${lists.length} rows, its row group ${this.#chunk.rows}`);
    }
  }

  async #readDictionary(decoder: ValueDecoder, header: PageHeader, stored: Uint8Array): Promise<void> {
    decoder.readDictionary(header.encoding, await this.#contents.decompressed(header, stored), header.values);
  }
}

/** The levels of a column of lists: an item that may be null has a level of its own. */
function listLevels({ maxDefinition, element }: ParquetLeaf): ListLevels {
  return { empty: maxDefinition - (element.repetition_type !== 'REQUIRED' ? 2 : 1), value: maxDefinition };
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
  readonly #column: KernelChunk;
  readonly #array: NumberArrayConstructor;
  readonly #pool: BufferPool;

  private constructor(column: KernelChunk, array: NumberArrayConstructor, pool: BufferPool) {
    this.#column = column;
    this.#array = array;
    this.#pool = pool;
  }

  /** Undefined if the kernels do not know such a column. */
  static of(pool: BufferPool, column: KernelChunk): KernelColumn | undefined {
    const array = arrayOf(column.leaf, column.type);
    if (array === undefined || column.leaf.maxRepetition > 0) return undefined;
    return new KernelColumn(column, array, pool);
  }

  /**
   * The rows from `from` up to `to`, of which `pages` have all. Undefined if the kernels do not know how they are
   * written, or find them corrupt. Throws a RangeError for wrong checksums and impossible sizes.
   */
  async read(tools: TableKernels, pages: readonly StoredPage[], from: number, to: number): Promise<Data | undefined> {
    const opener = new KernelPages(tools, this.#column, this.#array.BYTES_PER_ELEMENT);
    if (!opener.areKnown(pages.map(({ header }) => header))) return undefined;
    const mark = tools.memory.mark();
    try {
      return await this.#read(tools, opener, pages, [from, to]);
    } finally {
      tools.memory.release(mark);
    }
  }

  async #read(
    tools: TableKernels,
    opener: KernelPages,
    pages: readonly StoredPage[],
    [from, to]: readonly [number, number],
  ): Promise<Data | undefined> {
    const { memory } = tools;
    const { type } = this.#column;
    const width = this.#array.BYTES_PER_ELEMENT;
    const rows = to - from;
    const out = memory.scratch(rows * width + PADDING);
    const validity = memory.scratch((rows >> 3) + PADDING);
    const target = { from, to, out, validity };
    let entries: Entries | undefined;
    let nullCount: number | undefined;
    for (const { header, bytes, row } of pages) {
      if (header.type === PAGE.dictionary) {
        const opened = opener.openDictionary(header, bytes);
        entries = opened instanceof Promise ? await opened : opened;
        if (entries === undefined) return undefined;
        continue;
      }
      if (row >= to || row + header.values <= from) continue;
      const mark = memory.mark();
      const opened = opener.open(header, bytes);
      const page = opened instanceof Promise ? await opened : opened;
      if (page === undefined) return undefined;
      if (page.definition !== undefined && nullCount === undefined) {
        memory.bytes(validity, bitmapBytes(rows)).fill(255);
        nullCount = 0;
      }
      const nulls = this.#append(tools, opener, { header, page, row, entries }, target);
      if (nulls === undefined) return undefined;
      if (nullCount !== undefined) nullCount += nulls;
      memory.release(mark);
    }
    const nullBitmap = nullCount ? memory.bytes(validity, bitmapBytes(rows)).slice() : undefined;
    const bytes = memory.bytes(out, rows * width);
    const own = this.#pool.takeBytes(bytes.length);
    own.set(bytes);
    const data = new this.#array(own.buffer, own.byteOffset, rows);
    const dictionary = isCodedText(type) ? entries?.texts : undefined;
    if (isCodedText(type) && dictionary === undefined) return undefined;
    // Faster than makeData, which finds out what is known here.
    return new Data(type, 0, rows, nullCount ?? 0, [undefined, data, nullBitmap], undefined, dictionary);
  }

  /**
   * Writes the rows of a page that are wanted, and returns the number of nulls; undefined if it is left to the caller.
   */
  #append(
    tools: TableKernels,
    opener: KernelPages,
    { header, page, row, entries }: { header: PageHeader; page: OpenPage; row: number; entries: Entries | undefined },
    { from, to, out, validity }: Target,
  ): number | undefined {
    const { leaf, type } = this.#column;
    const width = this.#array.BYTES_PER_ELEMENT;
    const { definition } = page;
    const [first, last] = [Math.max(from - row, 0), Math.min(to - row, header.values)];
    const at = row + first - from;
    const isWhole = definition === undefined && first === 0 && last === header.values;
    const decoded = opener.decode(header, page, entries, isWhole ? out + at * width : undefined);
    if (decoded === undefined) return undefined;
    if (definition !== undefined) {
      const spread = { levels: definition, full: leaf.maxDefinition, values: decoded, out, validity };
      return spreadValues(tools, type, width, spread, [first, last, at]);
    }
    if (!isWhole || header.encoding === ENCODING.plain) {
      const bytes = tools.memory.bytes(decoded + first * width, (last - first) * width);
      tools.memory.bytes(out + at * width, bytes.length).set(bytes);
    }
    return 0;
  }
}
