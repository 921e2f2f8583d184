import type { AsyncBuffer } from 'hyparquet';
import type { ParquetChunk } from './footer.js';
import type { ParquetLeaf } from './schema-columns.js';
import { THRIFT, ThriftCursor } from './thrift-cursor.js';

/** A page as it is stored. */
export interface StoredPage {
  readonly header: PageHeader;
  readonly bytes: Uint8Array;
  /** Its first row, if its column has no lists. */
  readonly row: number;
}

/** The pages of a column chunk. */
export class ChunkPages {
  readonly #file: AsyncBuffer | FileInMemory;
  readonly #leaf: ParquetLeaf;
  readonly #chunk: ParquetChunk;
  readonly #keeps: boolean;
  /** Where its data pages are, as soon as that is known. */
  #locations: readonly PageLocation[] | undefined;
  /** All pages, once some of their rows were read. */
  #kept: readonly StoredPage[] | undefined;

  /** `keeps` is whether pages that had to be read for others may stay in memory. */
  constructor(file: AsyncBuffer | FileInMemory, leaf: ParquetLeaf, chunk: ParquetChunk, keeps: boolean) {
    this.#file = file;
    this.#leaf = leaf;
    this.#chunk = chunk;
    this.#keeps = keeps;
  }

  /** Whether nothing has to be waited for. */
  get areInMemory(): boolean {
    return 'all' in this.#file;
  }

  /**
   * Reads the dictionary, and at least the pages that have rows from `from` up to, not including, `to`. Pages of
   * lists are all read. Throws a RangeError if the counts and places of the pages contradict each other.
   */
  read(from: number, to: number): StoredPage[] | Promise<StoredPage[]> {
    const { rows, start, end } = this.#chunk;
    const bytes = 'all' in this.#file && from === 0 && to === rows ? this.#file.all : undefined;
    return bytes ? this.#readAll(checkedBytes(bytes.subarray(start, end), start, end)) : this.#readLater(from, to);
  }

  async #readLater(from: number, to: number): Promise<StoredPage[]> {
    const { rows, pageIndex: index, start, end } = this.#chunk;
    const isPart = from > 0 || to < rows;
    if (this.#kept !== undefined && isPart) {
      return this.#kept.filter(
        ({ header: { type, values }, row }) => type === PAGE.dictionary || (row < to && row + values > from),
      );
    }
    if (isPart) {
      if (index !== undefined) {
        this.#locations ??= readPageLocations(await readBytes(this.#file, index.start, index.end), this.#chunk);
      }
      if (this.#locations !== undefined) return this.#readLocated(this.#locations, from, to);
    }
    const pages = this.#readAll(await readBytes(this.#file, start, end));
    // Without locations the rows of its pages are not known.
    if (isPart && this.#keeps && this.#locations !== undefined) this.#kept = pages;
    return pages;
  }

  /** Reads all pages, checks the number of their values, and keeps where they are. */
  #readAll(bytes: Uint8Array): StoredPage[] {
    const { start, values: expected, rows } = this.#chunk;
    const pages: StoredPage[] = [];
    const locations: PageLocation[] = [];
    let values = 0;
    for (let at = 0; at < bytes.length; ) {
      const { page, next } = readPage(bytes, at, values);
      if (page.header.type !== PAGE.dictionary) {
        const row = values;
        values += page.header.values;
        locations.push({ start: start + at, end: start + next, row, nextRow: values });
      } else if (pages.length > 0) throw new RangeError('a dictionary after other pages');
      pages.push(page);
      at = next;
    }
    if (values !== expected) throw new RangeError(`its pages have ${values} values, its metadata ${expected}`);
    if (this.#leaf.maxRepetition > 0) return pages;
    if (values !== rows) throw new RangeError(`${values} values of ${rows} rows`);
    if (locations.length > 0) this.#locations ??= locations;
    return pages;
  }

  async #readLocated(all: readonly PageLocation[], from: number, to: number): Promise<StoredPage[]> {
    const { start: chunkStart } = this.#chunk;
    const wanted = all.filter(({ row, nextRow }) => row < to && nextRow > from);
    const pages: StoredPage[] = [];
    if (all[0].start > chunkStart) {
      const bytes = await readBytes(this.#file, chunkStart, all[0].start);
      const { page, next } = readPage(bytes, 0, 0);
      if (page.header.type !== PAGE.dictionary || next !== bytes.length) {
        throw new RangeError(`its index begins at byte ${all[0].start}, its pages at ${chunkStart}`);
      }
      pages.push(page);
    }
    const first = wanted[0].start;
    const bytes = await readBytes(this.#file, first, wanted[wanted.length - 1].end);
    for (const { start, end, row, nextRow } of wanted) {
      const { page, next } = readPage(bytes, start - first, row);
      if (next !== end - first || page.header.values !== nextRow - row || page.header.type === PAGE.dictionary) {
        throw new RangeError(`a page of ${page.header.values} values where its index has ${nextRow - row} rows`);
      }
      pages.push(page);
    }
    return pages;
  }
}

/** A file all of whose bytes are in memory, and stay as they are. */
export interface FileInMemory extends AsyncBuffer {
  readonly all: Uint8Array;
}

async function readBytes(file: AsyncBuffer | FileInMemory, start: number, end: number): Promise<Uint8Array> {
  if ('all' in file) return checkedBytes(file.all.subarray(start, end), start, end);
  return checkedBytes(new Uint8Array(await file.slice(start, end)), start, end);
}

function checkedBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
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

/** The place of a page in the file, including its header, and its rows. */
export interface PageLocation {
  readonly start: number;
  readonly end: number;
  readonly row: number;
  readonly nextRow: number;
}

/**
 * Reads the data pages that an offset index lists (OffsetIndex in parquet.thrift). Throws a RangeError unless they
 * follow one another, in bytes and in rows, from the first row to the end of the column chunk.
 */
function readPageLocations(bytes: Uint8Array, chunk: ParquetChunk): PageLocation[] {
  const cursor = new ThriftCursor(bytes);
  const found: { start: number; end: number; row: number }[] = [];
  cursor.fields((id, type) => {
    if (id !== 1) cursor.skip(type);
    else cursor.structs(type, () => found.push(readLocation(cursor)));
  });
  const pages = found.map((page, i) => ({ ...page, nextRow: found[i + 1]?.row ?? chunk.rows }));
  let end = chunk.start;
  let row = 0;
  for (const page of pages) {
    if (page.start < end || page.end <= page.start || page.row !== row || page.nextRow < row) {
      throw new RangeError(`an index with a page at byte ${page.start} and row ${page.row} behind ${end} and ${row}`);
    }
    // Only the dictionary lies before pages; nothing lies between them.
    if (end !== chunk.start && page.start !== end)
      throw new RangeError(`an index that leaves out bytes from ${end} on`);
    ({ end, nextRow: row } = page);
  }
  if (end !== chunk.end || row !== chunk.rows) {
    throw new RangeError(`an index of ${row} rows up to byte ${end}; its column has ${chunk.rows} up to ${chunk.end}`);
  }
  return pages;
}

function readLocation(cursor: ThriftCursor): { start: number; end: number; row: number } {
  let [offset, size, row] = [-1, -1, -1];
  cursor.fields((id, type) => {
    if (id === 1) offset = cursor.i64(type);
    else if (id === 2) size = cursor.i32(type);
    else if (id === 3) row = cursor.i64(type);
    else cursor.skip(type);
  });
  return { start: offset, end: offset + size, row };
}

/** Kinds of pages (PageType in parquet.thrift). */
export const PAGE = { data: 0, index: 1, dictionary: 2, dataV2: 3 };

/** Encodings of values and levels (Encoding in parquet.thrift). */
export const ENCODING = {
  plain: 0,
  plainDictionary: 2,
  rle: 3,
  bitPacked: 4,
  deltaBinaryPacked: 5,
  deltaLengthByteArray: 6,
  deltaByteArray: 7,
  rleDictionary: 8,
  byteStreamSplit: 9,
};

/** The header of a page of any kind; counts and sizes are not negative. */
export interface PageHeader {
  readonly type: number;
  /** The bytes of the page after its header, as stored and after decompression. */
  readonly storedBytes: number;
  readonly decodedBytes: number;
  /** CRC-32 of the stored bytes, if the writer added it. */
  readonly crc: number | undefined;
  /** The number of values of the page, nulls included: one for each level if it has levels. */
  readonly values: number;
  readonly encoding: number;
  /** Of data pages of version 1. */
  readonly definitionEncoding: number;
  readonly repetitionEncoding: number;
  /** Of data pages of version 2. */
  readonly nulls: number;
  readonly rows: number;
  readonly definitionBytes: number;
  readonly repetitionBytes: number;
  readonly isCompressed: boolean;
}

/** The fields of a struct that are numbers, or booleans as 0 and 1, by their ids, which are not above `MAX_ID`. */
type Numbers = (number | undefined)[];

const MAX_ID = 8;

/** Fields of PageHeader that are the headers of one kind of page. */
const KIND_FIELDS = { data: 5, dictionary: 7, dataV2: 8 };

/**
 * Reads the header of the page that begins at `at`; returns it and its end. Throws a RangeError if it does not end
 * within `bytes`, if a field of its kind is missing, or if it has a negative count or size.
 */
function readPageHeader(bytes: Uint8Array, at: number): { header: PageHeader; end: number } {
  const cursor = new ThriftCursor(bytes, at);
  const kinds: { data?: Numbers; dictionary?: Numbers; dataV2?: Numbers } = {};
  const numbers = readNumbers(cursor, (id) => {
    const kind = readNumbers(cursor);
    if (id === KIND_FIELDS.data) kinds.data = kind;
    else if (id === KIND_FIELDS.dictionary) kinds.dictionary = kind;
    else if (id === KIND_FIELDS.dataV2) kinds.dataV2 = kind;
  });
  const type = count(numbers, 1, 'type');
  const decodedBytes = count(numbers, 2, 'uncompressed size');
  const storedBytes = count(numbers, 3, 'compressed size');
  return { header: headerOf({ type, decodedBytes, storedBytes, crc: numbers[4] }, kinds), end: cursor.at };
}

/** What headers of all kinds of pages have. */
interface CommonHeader {
  readonly type: number;
  readonly decodedBytes: number;
  readonly storedBytes: number;
  readonly crc: number | undefined;
}

/** All headers are objects of one form: a table of many short parts has some ten thousand pages. */
function headerOf(
  { type, decodedBytes, storedBytes, crc }: CommonHeader,
  { data, dictionary, dataV2 }: { readonly data?: Numbers; readonly dictionary?: Numbers; readonly dataV2?: Numbers },
): PageHeader {
  if (type === PAGE.data && data !== undefined) {
    return {
      type,
      decodedBytes,
      storedBytes,
      crc,
      values: count(data, 1, 'number of values'),
      encoding: count(data, 2, 'encoding'),
      definitionEncoding: count(data, 3, 'encoding of definition levels'),
      repetitionEncoding: count(data, 4, 'encoding of repetition levels'),
      nulls: 0,
      rows: 0,
      definitionBytes: 0,
      repetitionBytes: 0,
      isCompressed: true,
    };
  }
  if (type === PAGE.dictionary && dictionary !== undefined) {
    return {
      type,
      decodedBytes,
      storedBytes,
      crc,
      values: count(dictionary, 1, 'number of values'),
      encoding: count(dictionary, 2, 'encoding'),
      definitionEncoding: ENCODING.rle,
      repetitionEncoding: ENCODING.rle,
      nulls: 0,
      rows: 0,
      definitionBytes: 0,
      repetitionBytes: 0,
      isCompressed: true,
    };
  }
  if (type === PAGE.dataV2 && dataV2 !== undefined) {
    return {
      type,
      decodedBytes,
      storedBytes,
      crc,
      values: count(dataV2, 1, 'number of values'),
      encoding: count(dataV2, 4, 'encoding'),
      definitionEncoding: ENCODING.rle,
      repetitionEncoding: ENCODING.rle,
      nulls: count(dataV2, 2, 'number of nulls'),
      rows: count(dataV2, 3, 'number of rows'),
      definitionBytes: count(dataV2, 5, 'size of definition levels'),
      repetitionBytes: count(dataV2, 6, 'size of repetition levels'),
      isCompressed: dataV2[7] !== 0,
    };
  }
  throw new RangeError(`a page of the unknown type ${type}`);
}

function readNumbers(cursor: ThriftCursor, struct?: (id: number) => void): Numbers {
  const numbers: Numbers = new Array(MAX_ID + 1);
  cursor.fields((id, type) => {
    let value: number | undefined;
    if (type === THRIFT.i32) value = cursor.i32(type);
    else if (type === THRIFT.true || type === THRIFT.false) value = type === THRIFT.true ? 1 : 0;
    else if (type === THRIFT.struct && struct !== undefined) struct(id);
    else cursor.skip(type);
    if (value !== undefined && id <= MAX_ID) numbers[id] = value;
  });
  return numbers;
}

function count(numbers: Numbers, id: number, what: string): number {
  const value = numbers[id];
  if (value === undefined || value < 0) throw new RangeError(`a page header with ${value ?? 'no'} as its ${what}`);
  return value;
}
