import { type Data, DataType } from 'apache-arrow';
import type { AsyncBuffer } from 'hyparquet';
import type { TableKernels } from '../../core/table-kernels.js';
import type { BufferPool } from '../buffer-pool.js';
import { type ColumnBuilder, createBuilder, ListBuilder, type ListLevels } from './column-builders.js';
import { KernelColumn } from './kernel-column.js';
import { KernelLists } from './kernel-lists.js';
import { maxDecodedBytes } from './page-codecs.js';
import { PageContents } from './page-content.js';
import { PAGE, type PageHeader } from './page-header.js';
import { ChunkPages, type StoredPage } from './pages.js';
import type { ParquetChunk } from './row-groups.js';
import type { ParquetLeaf } from './schema-leaves.js';
import { codedTexts, isCodedText } from './text-codes.js';
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
  #ahead: { readonly from: number; readonly to: number; readonly pages: Promise<StoredPage[]> } | undefined;

  constructor(
    file: AsyncBuffer,
    leaf: ParquetLeaf,
    chunk: ParquetChunk,
    type: DataType,
    { pool, keepsPages }: { readonly pool: BufferPool; readonly keepsPages: boolean },
  ) {
    this.#leaf = leaf;
    this.#chunk = chunk;
    this.#type = type;
    this.#pages = new ChunkPages(file, leaf, chunk, keepsPages);
    this.#contents = new PageContents(leaf, chunk);
    const column = { leaf, chunk, type, contents: this.#contents };
    this.#kernels = KernelColumn.of(pool, column) ?? KernelLists.of(pool, column, listLevels(leaf));
  }

  /** Begins to read the pages that `read` of the same rows takes next. Errors are thrown there. */
  readAhead(from: number, to: number): void {
    const pages = this.#pages.read(from, to);
    pages.catch(() => {});
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
    const pages = await (isAhead ? ahead.pages : this.#pages.read(from, to));
    // What kernels do not know or find corrupt is read again.
    const read = tools && (await this.#kernels?.read(tools, pages, from, to));
    return read ?? this.#decode(pages, from, to);
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
