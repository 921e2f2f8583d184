import { FormatError } from '../../errors.js';
import { type FlatTable, needed } from './flat-buffer.js';
import { checked } from './metadata-file.js';
import { ID_BYTES, objectName } from './object-id.js';

/** A group or an array of a snapshot. */
interface SnapshotNode {
  /** From the root, without a slash before it; empty for the root. */
  readonly path: string;
  /** Its metadata of Zarr, as JSON. */
  readonly metadata: Uint8Array;
  /** Of an array only. */
  readonly array?: ArrayNode;
}

/** Where the chunks of an array are. */
export interface ArrayNode {
  /** What manifests call it. */
  readonly id: Uint8Array;
  readonly rank: number;
  readonly manifests: readonly ManifestRange[];
}

/** A manifest, and the chunks of an array that it may hold: those from the first number of each pair up to the second. */
interface ManifestRange {
  readonly name: string;
  readonly extents: readonly number[];
}

/** What a snapshot says. */
export interface Snapshot {
  readonly name: string;
  readonly nodes: ReadonlyMap<string, SnapshotNode>;
  /** The sizes of manifests in bytes, by their names, as far as it states them. */
  readonly manifestBytes: ReadonlyMap<string, number>;
}

/* The fields of tables, by snapshot.fbs. */
const SNAPSHOT = { id: 0, nodes: 2, manifestFiles: 6, manifestFilesV2: 7 };
const NODE = { id: 0, path: 1, metadata: 2, dataType: 3, data: 4 };
const ARRAY = { shape: 0, manifests: 2, shapeV2: 3 };
const MANIFEST = { name: 0, extents: 1 };
const MANIFEST_FILE = { id: 0, bytes: 1 };
/** A struct of an id, its padding, the size in bytes, the number of chunks, and padding. */
const MANIFEST_FILE_BYTES = 32;
const SIZE_AT = 16;
const SHAPE_BYTES = 16;

const NODE_ID_BYTES = 8;
const MAX_RANK = 64;
/** The least bytes that state a manifest of an array. */
const RANGE_BYTES = 4;
const IS_ARRAY = 1;

/** Reads a snapshot. Throws FormatError, which names it, where it is damaged, lies, or is another one. */
export function readSnapshot(root: FlatTable, name: string, subject: string): Snapshot {
  return checked('snapshot', subject, () => {
    assertNamed(root.struct(SNAPSHOT.id, ID_BYTES), name, subject);
    const nodes = new Map<string, SnapshotNode>();
    const tables = root.tables(SNAPSHOT.nodes);
    // Nothing that writers store is there twice: nodes that share it could state more than memory holds.
    let left = root.bufferBytes;
    for (let i = 0; i < tables.length; i++) {
      const node = readNode(tables.get(i), left, subject);
      if (nodes.has(node.path)) throw new RangeError(`/${node.path} occurs twice`);
      left -= node.metadata.length + RANGE_BYTES * (node.array?.manifests.length ?? 0);
      if (left < 0) throw new RangeError('nodes share what they hold');
      nodes.set(node.path, node);
    }
    return { name, nodes, manifestBytes: readManifestBytes(root) };
  });
}

/** Throws FormatError unless the id in a file is its name. */
export function assertNamed(id: Uint8Array | undefined, name: string, subject: string): void {
  const received = id && objectName(id);
  if (received === name) return;
  const problem = 'is not the file that its name says';
  throw new FormatError({ subject, problem, received: received ?? 'no id', allowed: name });
}

function readNode(table: FlatTable, maxBytes: number, subject: string): SnapshotNode {
  const path = needed(table.text(NODE.path), 'path');
  if (!isPath(path)) {
    const allowed = '/a/b, without . and ..';
    throw new FormatError({ subject, problem: 'has an invalid path', received: path, allowed });
  }
  const node = { path: path.slice(1), metadata: needed(table.bytes(NODE.metadata), `metadata of ${path}`) };
  if (table.uint8(NODE.dataType) !== IS_ARRAY) return node;
  const id = needed(table.struct(NODE.id, NODE_ID_BYTES), `id of ${path}`);
  const data = needed(table.table(NODE.data), `data of ${path}`);
  const shapes = data.vector(ARRAY.shapeV2, 4) ?? data.vector(ARRAY.shape, SHAPE_BYTES);
  const rank = shapes?.length ?? 0;
  if (rank > MAX_RANK) throw new RangeError(`${path} has ${rank} dimensions`);
  const manifests = data.tables(ARRAY.manifests);
  if (RANGE_BYTES * manifests.length > maxBytes) throw new RangeError('nodes share what they hold');
  const range = (_: unknown, i: number): ManifestRange => {
    const manifest = manifests.get(i);
    const extents = manifest.uint32s(MANIFEST.extents, rank, 2);
    if (extents.length !== 2 * rank) throw new RangeError(`${extents.length / 2} extents of ${path}, not ${rank}`);
    return { name: objectName(needed(manifest.struct(MANIFEST.name, ID_BYTES), `manifest of ${path}`)), extents };
  };
  return { ...node, array: { id, rank, manifests: Array.from({ length: manifests.length }, range) } };
}

function isPath(path: string): boolean {
  if (path === '/') return true;
  const [before, ...parts] = path.split('/');
  return before === '' && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function readManifestBytes(root: FlatTable): Map<string, number> {
  const sizes = new Map<string, number>();
  const files = root.tables(SNAPSHOT.manifestFilesV2);
  for (let i = 0; i < files.length; i++) {
    const file = files.get(i);
    const id = needed(file.struct(MANIFEST_FILE.id, ID_BYTES), 'id of a manifest');
    sizes.set(objectName(id), file.uint64(MANIFEST_FILE.bytes));
  }
  for (const file of root.structs(SNAPSHOT.manifestFiles, MANIFEST_FILE_BYTES)) {
    const size = new DataView(file.buffer, file.byteOffset, file.length).getBigUint64(SIZE_AT, true);
    sizes.set(objectName(file.subarray(0, ID_BYTES)), Number(size));
  }
  return sizes;
}
