import type { AsyncBuffer, FileMetaData, SchemaTree } from 'hyparquet';
import { RowGroups, toCount } from './row-groups.js';
import { assertTree, listLeaves, type ParquetLeaf } from './schema-leaves.js';
import { THRIFT, ThriftCursor } from './thrift-cursor.js';

type Hyparquet = typeof import('hyparquet');

const MAGIC_BYTES = 4;
/** The bytes of the footer's length and of the mark after it. */
const TAIL_BYTES = 8;
/** The field of the list of row groups in the footer. */
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
export async function readFooter(file: AsyncBuffer, hyparquet: Hyparquet): Promise<ParquetFooter> {
  const tailStart = file.byteLength - TAIL_BYTES;
  const length = new DataView(await file.slice(tailStart, file.byteLength)).getUint32(0, true);
  const start = tailStart - length;
  if (start < MAGIC_BYTES) throw new RangeError(`a footer of ${length} bytes in a file of ${file.byteLength}`);
  const bytes = new Uint8Array(await file.slice(start, file.byteLength));
  if (bytes.length !== length + TAIL_BYTES) throw new RangeError('a file that is truncated');
  const footer = bytes.subarray(0, length);
  const { places, from, to } = rowGroupPlaces(footer);
  const metadata = hyparquet.parquetMetadata(withoutRowGroups(bytes, from, to), { geoparquet: false });
  assertTree(metadata.schema);
  const tree = hyparquet.parquetSchema(metadata);
  const leaves = listLeaves(tree);
  const groups = new RowGroups(footer, places, leaves, start);
  const rows = toCount(metadata.num_rows, 'rows of the file');
  if (rows !== groups.rows) throw new RangeError(`the file says ${rows} rows, its row groups have ${groups.rows}`);
  return { metadata, tree, leaves, groups };
}

/**
 * Finds each row group in a footer, and where their list begins and ends. Throws a RangeError for counts and lengths
 * that the bytes cannot hold, which hyparquet trusts.
 */
function rowGroupPlaces(footer: Uint8Array): { places: readonly number[]; from: number; to: number } {
  const cursor = new ThriftCursor(footer);
  const places: number[] = [];
  let [from, to] = [0, 0];
  cursor.fields((id, type) => {
    if (id !== ROW_GROUPS || type !== THRIFT.list) return cursor.skip(type);
    if (to > 0) throw new RangeError('two lists of row groups');
    from = cursor.at;
    cursor.structs(type, () => {
      places.push(cursor.at);
      cursor.skip(THRIFT.struct, 1);
    });
    to = cursor.at;
  });
  if (to === 0) throw new RangeError('no list of row groups');
  return { places, from, to };
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
