import type { AsyncBuffer, CompressionCodec, FileMetaData, ParquetType, SchemaTree } from 'hyparquet';
import { maxDecodedBytes } from './page-codecs.js';
import { assertTree, listLeaves, type ParquetLeaf } from './schema-columns.js';
import { SharedSchema } from './shared-schema.js';
import { THRIFT, ThriftCursor } from './thrift-cursor.js';

type Hyparquet = typeof import('hyparquet');

/** The bytes of the mark at the beginning of a file. */
const MAGIC_BYTES = 4;
/** The bytes of the footer's length and of the mark after it. */
const TAIL_BYTES = 8;
/** The fields of the list of columns, the number of rows and the list of row groups in the footer. */
const SCHEMA = 2;
const ROWS = 3;
const ROW_GROUPS = 4;

/** The footer of a file, with consistent counts and places. */
export interface ParquetFooter {
  /** Without its row groups. */
  readonly metadata: FileMetaData;
  readonly tree: SchemaTree;
  readonly leaves: readonly ParquetLeaf[];
  readonly groups: RowGroups;
}

/**
 * Reads the footer, and checks that its schema is one complete tree, that the rows of the file, its row groups and
 * their columns agree, and that the pages of columns lie between the file's first mark and the footer without overlap.
 * Throws a RangeError otherwise.
 */
export async function readFooter(
  file: AsyncBuffer,
  hyparquet: Hyparquet,
  shared = new SharedSchema(),
): Promise<ParquetFooter> {
  const tailStart = file.byteLength - TAIL_BYTES;
  const length = new DataView(await file.slice(tailStart, file.byteLength)).getUint32(0, true);
  const start = tailStart - length;
  if (start < MAGIC_BYTES) throw new RangeError(`a footer of ${length} bytes in a file of ${file.byteLength}`);
  const bytes = new Uint8Array(await file.slice(start, file.byteLength));
  if (bytes.length !== length + TAIL_BYTES) throw new RangeError('a file that is truncated');
  const footer = bytes.subarray(0, length);
  const { places, from, to, schema, rows: stated, first } = footerPlaces(footer);
  const described = [footer.subarray(...schema), footer.subarray(to)];
  const { metadata, tree, leaves } = shared.of(described, () => {
    const metadata = hyparquet.parquetMetadata(withoutRowGroups(bytes, from, to), { geoparquet: false });
    assertTree(metadata.schema);
    const tree = hyparquet.parquetSchema(metadata);
    return { metadata, tree, leaves: listLeaves(tree) };
  });
  const groups = new RowGroups(footer, places, leaves, { start, first });
  const rows = toCount(stated, 'rows of the file');
  if (rows !== groups.rows) throw new RangeError(`the file says ${rows} rows, its row groups have ${groups.rows}`);
  return { metadata, tree, leaves, groups };
}

/** Where the parts of a footer are. */
interface FooterPlaces {
  /** Where each row group begins, and where their list begins and ends. */
  readonly places: readonly number[];
  readonly from: number;
  readonly to: number;
  /** Where the list of columns begins and ends. */
  readonly schema: readonly [from: number, to: number];
  readonly rows: number | undefined;
  /** The first row group: short files have no more. */
  readonly first: StatedGroup | undefined;
}

/** Finds the parts of a footer. Throws a RangeError for counts and lengths that the bytes cannot hold, which hyparquet trusts. */
function footerPlaces(footer: Uint8Array): FooterPlaces {
  const cursor = new ThriftCursor(footer);
  const places: number[] = [];
  let [from, to] = [0, 0];
  let schema: readonly [number, number] = [0, 0];
  let rows: number | undefined;
  let first: StatedGroup | undefined;
  cursor.fields((id, type) => {
    if (id === ROWS) {
      rows = cursor.integer(type);
      return;
    }
    if (id !== ROW_GROUPS || type !== THRIFT.list) {
      const at = cursor.at;
      cursor.skip(type);
      if (id === SCHEMA) schema = [at, cursor.at];
      return;
    }
    if (to > 0) throw new RangeError('two lists of row groups');
    from = cursor.at;
    cursor.structs(type, () => {
      places.push(cursor.at);
      if (first === undefined) first = readGroup(cursor);
      else cursor.skip(THRIFT.struct, 1);
    });
    to = cursor.at;
  });
  if (to === 0) throw new RangeError('no list of row groups');
  return { places, from, to, schema, rows, first };
}

/** A footer with an empty list in place of the bytes of its row groups, of which hyparquet makes very many objects. */
function withoutRowGroups(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const short = new Uint8Array(bytes.length - (to - from) + 1);
  short.set(bytes.subarray(0, from));
  short[from] = THRIFT.struct;
  short.set(bytes.subarray(to), from + 1);
  new DataView(short.buffer).setUint32(short.length - TAIL_BYTES, short.length - TAIL_BYTES, true);
  return short;
}

/** The most bytes of a value in memory, except for texts. */
const VALUE_BYTES = 8;
/** Stored types and codecs by their numbers in parquet.thrift. */
const TYPES: readonly ParquetType[] = [
  ...(['BOOLEAN', 'INT32', 'INT64', 'INT96'] as const),
  ...(['FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'] as const),
];
const CODECS: readonly CompressionCodec[] = [
  ...(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO'] as const),
  ...(['BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const),
];

/** The checked metadata of a column chunk in one row group. */
export interface ParquetChunk {
  readonly codec: CompressionCodec;
  /** The stated bytes of its pages after decompression. */
  readonly decodedBytes: number;
  /** The beginning and end of its pages in the file. */
  readonly start: number;
  readonly end: number;
  readonly values: number;
  /** The rows of its row group. */
  readonly rows: number;
  /** The place of the index of its pages, if it has one. */
  readonly pageIndex?: { readonly start: number; readonly end: number };
}

/** A column chunk as a footer states it; undefined for what it does not state. */
interface StatedChunk {
  isElsewhere: boolean;
  isEncrypted: boolean;
  isDescribed: boolean;
  type?: number;
  /** Where each part of its path begins and ends in the footer, in turn. */
  path: readonly number[];
  codec?: number;
  values?: number;
  decodedBytes?: number;
  storedBytes?: number;
  dataAt?: number;
  dictionaryAt?: number;
  indexAt?: number;
  indexBytes?: number;
}

/** A row group as a footer states it. */
interface StatedGroup {
  rows?: number;
  readonly columns: StatedChunk[];
}

/**
 * The row groups of a file. Their metadata are read from the footer's bytes when they are needed, one group at a time:
 * as objects, those of all groups may take twenty times the memory, and a file may have very many.
 */
class RowGroups {
  /** The number of row groups that have rows. */
  readonly count: number;
  readonly rows: number;
  /** The indices of the leaves that are encrypted in a row group. */
  readonly encrypted: ReadonlySet<number>;
  readonly #footer: Uint8Array;
  readonly #leaves: readonly ParquetLeaf[];
  /** The place of each row group in the footer, and the number of rows before its end. */
  readonly #places: number[] = [];
  readonly #ends: number[] = [];
  /** The row group that was read last. */
  #last: { readonly index: number; readonly chunks: readonly (ParquetChunk | undefined)[] } | undefined;

  /**
   * Checks that the row groups and their columns agree with the schema and each other, and that the pages of columns
   * lie between the file's first mark and the footer without overlap. `places` are those of all row groups in the
   * footer, which begins at `start` in the file. Throws a RangeError otherwise.
   */
  constructor(
    footer: Uint8Array,
    places: Iterable<number>,
    leaves: readonly ParquetLeaf[],
    { start, first }: { readonly start: number; readonly first: StatedGroup | undefined },
  ) {
    this.#footer = footer;
    this.#leaves = leaves;
    const encrypted = new Set<number>();
    let [rows, number, end, isInOrder] = [0, 0, 0, true];
    for (const place of places) {
      const group = number === 0 && first !== undefined ? first : readGroup(new ThriftCursor(footer, place));
      const chunks = checkedChunks(footer, group, leaves, start, `row group ${++number}`);
      if (chunks === undefined) continue;
      rows += group.rows ?? 0;
      this.#places.push(place);
      this.#ends.push(rows);
      this.#last = { index: this.#places.length - 1, chunks };
      for (const [index, chunk] of chunks.entries()) {
        if (group.columns[index].isEncrypted) encrypted.add(index);
        if (chunk === undefined) continue;
        isInOrder &&= chunk.start >= end;
        end = chunk.end;
      }
    }
    this.count = this.#places.length;
    this.rows = rows;
    this.encrypted = encrypted;
    if (!isInOrder) this.#assertApart();
  }

  /** The first row of a row group, counted from 0, and the row after its last one. */
  range(index: number): { readonly start: number; readonly end: number } {
    return { start: index === 0 ? 0 : this.#ends[index - 1], end: this.#ends[index] };
  }

  /** The chunks of a row group, in the order of the leaves; undefined if they are stored elsewhere, or encrypted. */
  chunks(index: number): readonly (ParquetChunk | undefined)[] {
    if (this.#last?.index !== index) {
      const group = readGroup(new ThriftCursor(this.#footer, this.#places[index]));
      this.#last = { index, chunks: group.columns.map((chunk) => toChunk(chunk, group.rows ?? 0)) };
    }
    return this.#last.chunks;
  }

  /** Throws a RangeError if bytes belong to two column chunks. */
  #assertApart(): void {
    const starts: number[] = [];
    const ends: number[] = [];
    const leaves: number[] = [];
    for (let index = 0; index < this.count; index++) {
      for (const [leaf, chunk] of this.chunks(index).entries()) {
        if (chunk === undefined) continue;
        starts.push(chunk.start);
        ends.push(chunk.end);
        leaves.push(leaf);
      }
    }
    const order = Uint32Array.from(starts.keys()).sort((a, b) => starts[a] - starts[b]);
    for (let i = 1; i < order.length; i++) {
      const [before, after] = [order[i - 1], order[i]];
      if (starts[after] >= ends[before]) continue;
      const [one, other] = [before, after].map((each) => this.#leaves[leaves[each]].path.join('.'));
      throw new RangeError(`columns ${one} and ${other} share bytes ${starts[after]} to ${ends[before]}`);
    }
  }
}

function toChunk(stated: StatedChunk, rows: number): ParquetChunk | undefined {
  const { isElsewhere, isEncrypted, isDescribed, codec = -1, decodedBytes = 0, values = 0 } = stated;
  if (!isDescribed || isElsewhere || isEncrypted) return undefined;
  const { dataAt = 0, dictionaryAt = 0, storedBytes = 0, indexAt, indexBytes } = stated;
  // Without a dictionary some writers store 0; others store the place of the dictionary as the place of the data.
  const start = dictionaryAt === 0 ? dataAt : Math.min(dictionaryAt, dataAt);
  const pageIndex = indexAt && indexBytes ? { start: indexAt, end: indexAt + indexBytes } : undefined;
  return { codec: CODECS[codec], decodedBytes, start, end: start + storedBytes, values, rows, pageIndex };
}

/** The chunks of a row group; undefined if it has no rows. Throws a RangeError if they contradict what else is known. */
function checkedChunks(
  footer: Uint8Array,
  { rows: stated, columns }: StatedGroup,
  leaves: readonly ParquetLeaf[],
  footerStart: number,
  where: string,
): readonly (ParquetChunk | undefined)[] | undefined {
  const rows = toCount(stated, `${where}, rows`);
  if (columns.length !== leaves.length) {
    throw new RangeError(`${where} has ${columns.length} columns, the schema ${leaves.length}`);
  }
  // If a group has no rows, writers store meaningless places.
  if (rows === 0 && columns.every(({ values = 0 }) => values === 0)) return undefined;
  return columns.map((column, index) => {
    const chunk = toChunk(column, rows);
    if (chunk !== undefined) {
      assertChunk(footer, column, chunk, leaves[index], footerStart, where);
    }
    return chunk;
  });
}

function assertChunk(
  footer: Uint8Array,
  stated: StatedChunk,
  { start, end, values, rows, pageIndex }: ParquetChunk,
  { path, element, maxRepetition }: ParquetLeaf,
  footerStart: number,
  where: string,
): void {
  const column = `${where}, column ${path.length === 1 ? path[0] : path.join('.')}`;
  const type = TYPES[stated.type ?? -1];
  const own = stated.path;
  const isPath =
    own.length === 2 * path.length && path.every((name, i) => isText(footer, own[2 * i], own[2 * i + 1], name));
  if (!isPath || type !== element.type) {
    const parts = own.flatMap((from, i) => (i % 2 === 0 ? [asText(footer.subarray(from, own[i + 1]))] : []));
    throw new RangeError(`${column} is stored as ${parts.join('.')} of type ${type}`);
  }
  const data = toCount(stated.dataAt, `${column}, place of its data`);
  toCount(stated.dictionaryAt ?? 0, `${column}, place of its dictionary`);
  const bytes = toCount(stated.storedBytes, `${column}, bytes`);
  if (start < MAGIC_BYTES || end > footerStart || data > end) {
    throw new RangeError(`${column} lies from byte ${start} to ${end}, outside of ${MAGIC_BYTES} to ${footerStart}`);
  }
  toCount(stated.values, `${column}, values`);
  // Without repetition, there is a value for each row.
  if (maxRepetition === 0 ? values !== rows : values < rows) {
    throw new RangeError(`${column} has ${values} values, its row group ${rows} rows`);
  }
  if (values * VALUE_BYTES > maxDecodedBytes(bytes))
    throw new RangeError(`${column} has ${values} values in ${bytes} bytes`);
  if (pageIndex === undefined) return;
  toCount(pageIndex.start, `${column}, place of its index`);
  toCount(pageIndex.end - pageIndex.start, `${column}, bytes of its index`);
  if (pageIndex.start < MAGIC_BYTES || pageIndex.end > footerStart) {
    throw new RangeError(
      `${column} has an index from byte ${pageIndex.start} to ${pageIndex.end}, outside of ${MAGIC_BYTES} to ${footerStart}`,
    );
  }
}

/** RowGroup of parquet.thrift. */
function readGroup(cursor: ThriftCursor): StatedGroup {
  const columns: StatedChunk[] = [];
  let rows: number | undefined;
  cursor.fields((id, type) => {
    if (id === 1) cursor.structs(type, () => columns.push(readChunk(cursor)));
    else if (id === 3) rows = cursor.integer(type);
    else cursor.skip(type);
  });
  return { rows, columns };
}

/** ColumnChunk of parquet.thrift. */
function readChunk(cursor: ThriftCursor): StatedChunk {
  const chunk: StatedChunk = { isElsewhere: false, isEncrypted: false, isDescribed: false, path: [] };
  cursor.fields((id, type) => {
    if (id === 3) {
      chunk.isDescribed = true;
      cursor.struct(type, (field, of) => readDescription(cursor, field, of, chunk));
    } else if (id === 4) chunk.indexAt = cursor.integer(type);
    else if (id === 5) chunk.indexBytes = cursor.integer(type);
    else {
      if (id === 1) chunk.isElsewhere = true;
      if (id === 8) chunk.isEncrypted = true;
      cursor.skip(type);
    }
  });
  return chunk;
}

/** A field of ColumnMetaData of parquet.thrift. */
function readDescription(cursor: ThriftCursor, id: number, type: number, chunk: StatedChunk): void {
  if (id === 1) chunk.type = cursor.integer(type);
  else if (id === 3) chunk.path = cursor.spans(type);
  else if (id === 4) chunk.codec = cursor.integer(type);
  else if (id === 5) chunk.values = cursor.integer(type);
  else if (id === 6) chunk.decodedBytes = cursor.integer(type);
  else if (id === 7) chunk.storedBytes = cursor.integer(type);
  else if (id === 9) chunk.dataAt = cursor.integer(type);
  else if (id === 11) chunk.dictionaryAt = cursor.integer(type);
  else cursor.skip(type);
}

const decoder = /* @__PURE__ */ new TextDecoder();

/** Whether the bytes from `from` to `to` encode a text; most names are ASCII, of which each byte is a character. */
function isText(bytes: Uint8Array, from: number, to: number, text: string): boolean {
  let at = from;
  while (at < to && bytes[at] < 128 && bytes[at] === text.charCodeAt(at - from)) at++;
  return at === to ? to - from === text.length : asText(bytes.subarray(from, to)) === text;
}

function asText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Throws a RangeError for a count, length or place that is missing or negative. */
function toCount(value: number | bigint | undefined, what: string): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${what}: ${value}`);
  return count;
}
