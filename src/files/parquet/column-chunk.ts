import { type Data, DataType } from 'apache-arrow';
import type { AsyncBuffer } from 'hyparquet';
import { crc32 } from '../codecs/crc.js';
import { type ColumnBuilder, createBuilder, ListBuilder } from './column-builders.js';
import type { ParquetChunk, ParquetLeaf } from './footer.js';
import { decompressPage, maxDecodedBytes } from './page-codecs.js';
import { ENCODING, PAGE, type PageHeader, readPageHeader } from './page-header.js';
import { readPageLocations } from './page-locations.js';
import { decodeRuns } from './run-lengths.js';
import { prefixedBytes, ValueDecoder } from './values.js';

/** A page as it is stored. */
interface StoredPage {
  readonly header: PageHeader;
  readonly bytes: Uint8Array;
  /** Its first row, if its column has no lists. */
  readonly row: number;
}

/** The parts of a data page. Levels are omitted if all have the maximum, or if there are none. */
interface PageContent {
  readonly repetition?: Uint8Array;
  readonly definition?: Uint8Array;
  readonly values: Uint8Array;
  /** The number of values that are not null. */
  readonly count: number;
}

/** The bytes that a page may have besides its values: levels, and incomplete blocks of differences. */
const PAGE_SLACK = 65_536;
const VALUE_BYTES = { BOOLEAN: 1, INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 };

/**
 * Reads the rows of a column chunk from `from` up to, not including, `to`, both counted from the first row of its row
 * group. For lists, all rows are read.
 *
 * Each page that is read is checked: its checksum if it has one, sizes, runs, lengths, indices, and its counts against
 * those of the column and the row group. Throws a RangeError if they contradict each other, and what the file throws.
 */
export async function readColumnChunk(
  file: AsyncBuffer,
  leaf: ParquetLeaf,
  chunk: ParquetChunk,
  type: DataType,
  [from, to]: readonly [number, number],
): Promise<Data> {
  const isComplete = from === 0 && to === chunk.rows;
  const pages =
    isComplete || chunk.pageIndex === undefined
      ? readAllPages(await readBytes(file, chunk.start, chunk.end), chunk, leaf)
      : await readIndexedPages(file, chunk, from, to);
  const maxBytes = maxDecodedBytes(chunk.end - chunk.start);
  const decoder = new ValueDecoder(leaf.element, maxBytes);
  const reader = new PageReader(leaf, chunk, decoder);
  if (DataType.isList(type) || DataType.isFixedSizeList(type)) {
    const isItemOptional = leaf.element.repetition_type !== 'REQUIRED';
    const levels = { empty: leaf.maxDefinition - (isItemOptional ? 2 : 1), value: leaf.maxDefinition };
    const lists = new ListBuilder(type, levels, { rows: chunk.rows, entries: chunk.values, maxBytes });
    await reader.readLists(pages, lists);
    return lists.finish();
  }
  const builder = createBuilder(type, to - from, maxBytes);
  await reader.readRows(pages, builder, from, to);
  return builder.finish();
}

async function readBytes(file: AsyncBuffer, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await file.slice(start, end));
  if (bytes.length !== end - start)
    throw new RangeError(`${bytes.length} bytes of ${end - start} from byte ${start} on`);
  return bytes;
}

/** Reads the page that begins at `at`, and returns it with the beginning of the next one. */
function readPage(bytes: Uint8Array, at: number, row: number): { page: StoredPage; next: number } {
  const { header, end } = readPageHeader(bytes, at);
  const next = end + header.storedBytes;
  if (next > bytes.length)
    throw new RangeError(`a page of ${header.storedBytes} bytes where ${bytes.length - end} are left`);
  return { page: { header, bytes: bytes.subarray(end, next), row }, next };
}

/** Reads all pages of a chunk, and checks the number of their values. */
function readAllPages(bytes: Uint8Array, chunk: ParquetChunk, { maxRepetition }: ParquetLeaf): StoredPage[] {
  const pages: StoredPage[] = [];
  let values = 0;
  for (let at = 0; at < bytes.length; ) {
    const { page, next } = readPage(bytes, at, values);
    if (page.header.type !== PAGE.dictionary) values += page.header.values;
    else if (pages.length > 0) throw new RangeError('a dictionary after other pages');
    pages.push(page);
    at = next;
  }
  if (values !== chunk.values) throw new RangeError(`its pages have ${values} values, its metadata ${chunk.values}`);
  if (maxRepetition === 0 && values !== chunk.rows) throw new RangeError(`${values} values of ${chunk.rows} rows`);
  return pages;
}

/** Reads the dictionary, and the pages that have rows from `from` up to `to`. */
async function readIndexedPages(
  file: AsyncBuffer,
  chunk: ParquetChunk,
  from: number,
  to: number,
): Promise<StoredPage[]> {
  const index = chunk.pageIndex!;
  const all = readPageLocations(await readBytes(file, index.start, index.end), chunk);
  const wanted = all.filter(({ row, nextRow }) => row < to && nextRow > from);
  const pages: StoredPage[] = [];
  if (all[0].start > chunk.start) {
    const bytes = await readBytes(file, chunk.start, all[0].start);
    const { page, next } = readPage(bytes, 0, 0);
    if (page.header.type !== PAGE.dictionary || next !== bytes.length) {
      throw new RangeError(`its index begins at byte ${all[0].start}, its pages at ${chunk.start}`);
    }
    pages.push(page);
  }
  const first = wanted[0].start;
  const bytes = await readBytes(file, first, wanted[wanted.length - 1].end);
  for (const { start, end, row, nextRow } of wanted) {
    const { page, next } = readPage(bytes, start - first, row);
    if (next !== end - first || page.header.values !== nextRow - row || page.header.type === PAGE.dictionary) {
      throw new RangeError(`a page of ${page.header.values} values where its index has ${nextRow - row} rows`);
    }
    pages.push(page);
  }
  return pages;
}

class PageReader {
  readonly #leaf: ParquetLeaf;
  readonly #chunk: ParquetChunk;
  readonly #decoder: ValueDecoder;

  constructor(leaf: ParquetLeaf, chunk: ParquetChunk, decoder: ValueDecoder) {
    this.#leaf = leaf;
    this.#chunk = chunk;
    this.#decoder = decoder;
  }

  /** Reads a column without lists, whose pages have as many rows as values. */
  async readRows(pages: readonly StoredPage[], builder: ColumnBuilder, from: number, to: number): Promise<void> {
    for (const { header, bytes, row } of pages) {
      if (header.type === PAGE.dictionary) {
        await this.#readDictionary(header, bytes);
        continue;
      }
      const last = row + header.values;
      if (last <= from || row >= to) continue;
      if (header.type === PAGE.dataV2 && header.rows !== header.values) {
        throw new RangeError(`a page of ${header.rows} rows that has ${header.values} values`);
      }
      const { definition, values, count } = await this.#content(header, bytes);
      const decoded = this.#decoder.decode(header.encoding, values, count);
      builder.append(decoded, definition, Math.max(from - row, 0), Math.min(to - row, header.values));
    }
  }

  async readLists(pages: readonly StoredPage[], lists: ListBuilder): Promise<void> {
    for (const { header, bytes } of pages) {
      if (header.type === PAGE.dictionary) {
        await this.#readDictionary(header, bytes);
        continue;
      }
      const { repetition, definition, values, count } = await this.#content(header, bytes);
      const before = lists.length;
      lists.append(this.#decoder.decode(header.encoding, values, count), repetition!, definition);
      const rows = lists.length - before;
      if (header.type === PAGE.dataV2 && header.rows !== rows) {
        throw new RangeError(`a page of ${header.rows} rows that has ${rows} lists`);
      }
    }
    if (lists.length !== this.#chunk.rows) {
      throw new RangeError(`its pages have ${lists.length} rows, its row group ${this.#chunk.rows}`);
    }
  }

  async #readDictionary(header: PageHeader, stored: Uint8Array): Promise<void> {
    this.#decoder.readDictionary(header.encoding, await this.#decompressed(header, stored), header.values);
  }

  async #content(header: PageHeader, stored: Uint8Array): Promise<PageContent> {
    if (header.type === PAGE.data) return this.#contentV1(header, await this.#decompressed(header, stored));
    if (header.type === PAGE.dataV2) return await this.#contentV2(header, stored);
    throw new RangeError(`a page of the unknown type ${header.type}`);
  }

  #contentV1(header: PageHeader, bytes: Uint8Array): PageContent {
    const { maxDefinition, maxRepetition } = this.#leaf;
    let at = 0;
    const levels = (max: number, encoding: number) => {
      if (max === 0) return undefined;
      if (encoding !== ENCODING.rle) throw new RangeError(`levels of the encoding ${encoding}`);
      const { start, end } = prefixedBytes(bytes, at);
      at = end;
      return readLevels(bytes, start, end, max, header.values);
    };
    const repetition = levels(maxRepetition, header.repetitionEncoding);
    const definition = levels(maxDefinition, header.definitionEncoding);
    const { present, count } = this.#present(definition, header.values);
    return { repetition, definition: present, values: bytes.subarray(at), count };
  }

  async #contentV2(header: PageHeader, stored: Uint8Array): Promise<PageContent> {
    const { maxDefinition, maxRepetition } = this.#leaf;
    const { repetitionBytes, definitionBytes, values } = header;
    const levelBytes = repetitionBytes + definitionBytes;
    if (levelBytes > stored.length || levelBytes > header.decodedBytes) {
      throw new RangeError(`levels of ${levelBytes} bytes in a page of ${stored.length}`);
    }
    this.#assertChecksum(header, stored);
    const levels = (max: number, start: number, end: number) =>
      max === 0 ? undefined : readLevels(stored, start, end, max, values);
    const repetition = levels(maxRepetition, 0, repetitionBytes);
    if (repetition !== undefined && repetition[0] !== 0) throw new RangeError('a page that begins within a list');
    const { present, count } = this.#present(levels(maxDefinition, repetitionBytes, levelBytes), values);
    if (values - count !== header.nulls)
      throw new RangeError(`a page of ${header.nulls} nulls that has ${values - count}`);
    const content = await this.#uncompressed(header, stored.subarray(levelBytes), header.decodedBytes - levelBytes);
    return { repetition, definition: present, values: content, count };
  }

  /** For a column without lists 1 for each value, otherwise the levels; omitted if all entries are values. */
  #present(levels: Uint8Array | undefined, values: number): { present?: Uint8Array; count: number } {
    const { maxDefinition } = this.#leaf;
    if (levels === undefined) return { count: values };
    let count = 0;
    for (let i = 0; i < levels.length; i++) if (levels[i] === maxDefinition) count++;
    return { present: count === values ? undefined : levels, count };
  }

  #decompressed(header: PageHeader, stored: Uint8Array): Promise<Uint8Array> {
    this.#assertChecksum(header, stored);
    return this.#uncompressed(header, stored, header.decodedBytes);
  }

  async #uncompressed(header: PageHeader, stored: Uint8Array, size: number): Promise<Uint8Array> {
    this.#assertPlausible(header);
    const codec = header.isCompressed ? this.#chunk.meta.codec : 'UNCOMPRESSED';
    return await decompressPage(codec, stored, size);
  }

  #assertChecksum({ crc }: PageHeader, stored: Uint8Array): void {
    if (crc === undefined) return;
    const own = crc32(stored);
    if (own !== crc >>> 0) throw new RangeError(`a page with the checksum ${own} where ${crc >>> 0} is noted`);
  }

  /**
   * Checks, before memory is allocated, that a page is not larger than its values may be, or for texts, than a column
   * chunk may be.
   */
  #assertPlausible({ decodedBytes, values }: PageHeader): void {
    const { type } = this.#leaf.element;
    const { start, end } = this.#chunk;
    const width = VALUE_BYTES[type as keyof typeof VALUE_BYTES];
    const most = width === undefined ? maxDecodedBytes(end - start) : PAGE_SLACK + values * (2 * width + 4);
    if (decodedBytes > most) throw new RangeError(`a page of ${decodedBytes} bytes for ${values} values`);
  }
}

/** The levels of a page's values, 0 to `max` each. */
function readLevels(bytes: Uint8Array, start: number, end: number, max: number, values: number): Uint8Array {
  const levels = new Uint8Array(values);
  decodeRuns(bytes, start, end, 32 - Math.clz32(max), levels);
  if ((max & (max + 1)) === 0) return levels;
  for (let i = 0; i < levels.length; i++)
    if (levels[i] > max) throw new RangeError(`a level of ${levels[i]} of ${max}`);
  return levels;
}
