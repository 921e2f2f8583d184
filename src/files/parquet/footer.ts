import type { AsyncBuffer, ColumnMetaData, FileMetaData, ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';
import { maxDecodedBytes } from './page-codecs.js';
import { THRIFT, ThriftCursor } from './thrift-cursor.js';

type Hyparquet = typeof import('hyparquet');

const MAGIC_BYTES = 4;
/** The bytes of the footer's length and of the mark after it. */
const TAIL_BYTES = 8;
/** Deeper than schemas are, and than the stack of a recursive reader. */
const MAX_SCHEMA_DEPTH = 64;
/** The most bytes of a value in memory, except for texts. */
const VALUE_BYTES = 8;

/** Keeps raw numbers and bytes in statistics instead of the Dates and strings that hyparquet makes by default. */
const RAW: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => value,
  timestampFromMicroseconds: (value) => value,
  timestampFromNanoseconds: (value) => value,
  dateFromDays: (value) => value,
  stringFromBytes: (value) => value,
  jsonFromBytes: (value) => value,
};

/** A column of values in the file: one of the schema's leaves. */
export interface ParquetLeaf {
  /** Its index among the column chunks of each row group. */
  readonly index: number;
  /** The index of its column among the children of the schema's root. */
  readonly top: number;
  readonly element: SchemaElement;
  readonly path: readonly string[];
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

/** The checked metadata of a column chunk in one row group. */
export interface ParquetChunk {
  readonly meta: ColumnMetaData;
  /** The beginning and end of its pages in the file. */
  readonly start: number;
  readonly end: number;
  readonly values: number;
  /** The rows of its row group. */
  readonly rows: number;
  /** The place of the index of its pages, if it has one. */
  readonly pageIndex?: { readonly start: number; readonly end: number };
}

interface ParquetRowGroup {
  readonly rows: number;
  /** In the order of the leaves; undefined for chunks that are stored elsewhere, or encrypted. */
  readonly chunks: readonly (ParquetChunk | undefined)[];
  /** The indices of the leaves that are encrypted. */
  readonly encrypted: ReadonlySet<number>;
}

/** The footer of a file, with consistent counts and places. */
export interface ParquetFooter {
  readonly metadata: FileMetaData;
  readonly tree: SchemaTree;
  readonly leaves: readonly ParquetLeaf[];
  readonly groups: readonly ParquetRowGroup[];
}

/**
 * Reads the footer, and checks that its schema is one complete tree, that the rows of the file, its row groups and
 * their columns agree, and that the pages of columns lie between the file's first mark and the footer without overlap.
 * Throws a RangeError otherwise.
 */
export async function readFooter(file: AsyncBuffer, hyparquet: Hyparquet): Promise<ParquetFooter> {
  const tailStart = file.byteLength - TAIL_BYTES;
  const length = new DataView(await file.slice(tailStart, file.byteLength)).getUint32(0, true);
  const start = tailStart - length;
  if (start < MAGIC_BYTES) throw new RangeError(`a footer of ${length} bytes in a file of ${file.byteLength}`);
  const bytes = new Uint8Array(await file.slice(start, file.byteLength));
  if (bytes.length !== length + TAIL_BYTES) throw new RangeError('a file that is truncated');
  // hyparquet trusts counts and lengths: this rejects those that the bytes cannot hold.
  new ThriftCursor(bytes.subarray(0, length)).skip(THRIFT.struct);
  const metadata = hyparquet.parquetMetadata(bytes, { geoparquet: false, parsers: RAW });
  assertTree(metadata.schema);
  const tree = hyparquet.parquetSchema(metadata);
  const leaves = listLeaves(tree);
  return { metadata, tree, leaves, groups: checkedGroups(metadata, leaves, start) };
}

/** Throws a RangeError unless the elements are one tree, from its root on. */
function assertTree(schema: readonly SchemaElement[]): void {
  const open: number[] = [1];
  for (const { name, num_children: children = 0, type } of schema) {
    while (open.at(-1) === 0) open.pop();
    if (open.length === 0) throw new RangeError('a schema of more than one tree');
    if (open.length > MAX_SCHEMA_DEPTH) throw new RangeError(`a schema more than ${MAX_SCHEMA_DEPTH} deep`);
    if (typeof name !== 'string') throw new RangeError('a schema element without a name');
    if (!Number.isInteger(children) || children < 0 || children > schema.length) {
      throw new RangeError(`a schema element with ${children} children among ${schema.length} elements`);
    }
    if ((type === undefined) === (children === 0)) throw new RangeError(`a schema element ${name} of no known type`);
    open[open.length - 1]--;
    open.push(children);
  }
  if (open.some((left) => left > 0))
    throw new RangeError(`a schema of ${schema.length} elements, some of which are missing`);
}

function listLeaves(tree: SchemaTree): ParquetLeaf[] {
  const leaves: ParquetLeaf[] = [];
  const visit = ({ element, children, path }: SchemaTree, top: number, definition: number, repetition: number) => {
    const maxDefinition = definition + (element.repetition_type === 'REQUIRED' ? 0 : 1);
    const maxRepetition = repetition + (element.repetition_type === 'REPEATED' ? 1 : 0);
    if (children.length === 0) leaves.push({ index: leaves.length, top, element, path, maxDefinition, maxRepetition });
    for (const child of children) visit(child, top, maxDefinition, maxRepetition);
  };
  for (const [top, child] of tree.children.entries()) visit(child, top, 0, 0);
  return leaves;
}

function checkedGroups(
  { num_rows, row_groups }: FileMetaData,
  leaves: readonly ParquetLeaf[],
  footerStart: number,
): ParquetRowGroup[] {
  let total = 0;
  const groups = row_groups.flatMap(({ num_rows: count, columns }, i) => {
    const where = `row group ${i + 1}`;
    const rows = toCount(count, `${where}, rows`);
    total += rows;
    if (columns.length !== leaves.length) {
      throw new RangeError(`${where} has ${columns.length} columns, the schema ${leaves.length}`);
    }
    // If a group has no rows, writers store meaningless places.
    if (rows === 0 && columns.every(({ meta_data: meta }) => Number(meta?.num_values ?? 0) === 0)) return [];
    const encrypted = new Set([...columns.keys()].filter((c) => columns[c].crypto_metadata !== undefined));
    const chunks = columns.map(({ meta_data: meta, file_path, ...chunk }, c) => {
      if (meta === undefined || file_path !== undefined || encrypted.has(c)) return undefined;
      const column = `${where}, column ${leaves[c].path.join('.')}`;
      const { start, end } = checkedPlace(meta, leaves[c], column, footerStart);
      const values = checkedValues(meta, leaves[c], rows, column);
      const pageIndex = pageIndexOf(chunk, footerStart, column);
      return { meta, start, end, values, rows, pageIndex };
    });
    return [{ rows, chunks, encrypted }];
  });
  const rows = toCount(num_rows, 'rows of the file');
  if (rows !== total) throw new RangeError(`the file says ${rows} rows, its row groups have ${total}`);
  assertApart(groups);
  return groups;
}

function checkedPlace(meta: ColumnMetaData, { path, element }: ParquetLeaf, column: string, footerStart: number) {
  const isSame = meta.path_in_schema.length === path.length && meta.path_in_schema.every((name, i) => name === path[i]);
  if (!isSame || meta.type !== element.type) {
    throw new RangeError(`${column} is stored as ${meta.path_in_schema.join('.')} of type ${meta.type}`);
  }
  const data = toCount(meta.data_page_offset, `${column}, place of its data`);
  // Without a dictionary some writers store 0; others store the place of the dictionary as that of the data.
  const dictionary = toCount(meta.dictionary_page_offset ?? 0n, `${column}, place of its dictionary`);
  const start = dictionary === 0 ? data : Math.min(dictionary, data);
  const end = start + toCount(meta.total_compressed_size, `${column}, bytes`);
  if (start < MAGIC_BYTES || end > footerStart || data > end) {
    throw new RangeError(`${column} lies from byte ${start} to ${end}, outside of ${MAGIC_BYTES} to ${footerStart}`);
  }
  return { start, end };
}

/** Checks the number of values: without repetition, there is one for each row. */
function checkedValues(meta: ColumnMetaData, { maxRepetition }: ParquetLeaf, rows: number, column: string): number {
  const values = toCount(meta.num_values, `${column}, values`);
  if (maxRepetition === 0 ? values !== rows : values < rows) {
    throw new RangeError(`${column} has ${values} values, its row group ${rows} rows`);
  }
  const bytes = Number(meta.total_compressed_size);
  if (values * VALUE_BYTES > maxDecodedBytes(bytes))
    throw new RangeError(`${column} has ${values} values in ${bytes} bytes`);
  return values;
}

function pageIndexOf(
  {
    offset_index_offset: offset,
    offset_index_length: length,
  }: { offset_index_offset?: bigint; offset_index_length?: number },
  footerStart: number,
  column: string,
): { start: number; end: number } | undefined {
  if (!offset || !length) return undefined;
  const start = toCount(offset, `${column}, place of its index`);
  const end = start + toCount(length, `${column}, bytes of its index`);
  if (start < MAGIC_BYTES || end > footerStart) {
    throw new RangeError(
      `${column} has an index from byte ${start} to ${end}, outside of ${MAGIC_BYTES} to ${footerStart}`,
    );
  }
  return { start, end };
}

/** Throws a RangeError if bytes belong to two column chunks. */
function assertApart(groups: readonly ParquetRowGroup[]): void {
  const chunks = groups.flatMap((group) => group.chunks.filter((chunk) => chunk !== undefined));
  chunks.sort((a, b) => a.start - b.start);
  for (let i = 1; i < chunks.length; i++) {
    if (chunks[i].start >= chunks[i - 1].end) continue;
    const [before, after] = [chunks[i - 1], chunks[i]].map(({ meta }) => meta.path_in_schema.join('.'));
    throw new RangeError(`columns ${before} and ${after} share bytes ${chunks[i].start} to ${chunks[i - 1].end}`);
  }
}

/** Converts a count, length or place to a number. Throws a RangeError if it is missing, negative or too large. */
function toCount(value: bigint | number | undefined, what: string): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${what}: ${value}`);
  return count;
}
