import { ByteWriter } from './byte-writer.js';

/** A chunk of an array, as it is stored in the file. */
export interface StoredChunk {
  /** The place of its first element in the array. */
  readonly start: readonly number[];
  readonly address: number;
  readonly bytes: number;
}

/** Half the maximum number of children of a node: the default of files that do not state it (`H5Pset_istore_k`). */
const HALF_CHILDREN = 32;
const MAX_CHILDREN = 2 * HALF_CHILDREN;
const NOWHERE = new Uint8Array(8).fill(255);

interface Node {
  readonly chunk: StoredChunk;
  readonly address: number;
}

/**
 * Creates the index of chunks of one `shape` (a B-tree, version 1) for the place `address`: its bytes, and the address
 * of its root. There is at least one chunk.
 */
export function createChunkTree(
  chunks: readonly StoredChunk[],
  shape: readonly number[],
  address: number,
): { bytes: Uint8Array; root: number } {
  const out = new ByteWriter();
  const bytes = nodeBytes(shape.length);
  let nodes: Node[] = [...chunks].sort(byPlace).map((chunk) => ({ chunk, address: chunk.address }));
  const last = nodes[nodes.length - 1].chunk;
  const end: StoredChunk = { start: last.start.map((at, d) => (d === 0 ? at + shape[0] : 0)), address: 0, bytes: 0 };
  for (let level = 0; level === 0 || nodes.length > 1; level++) {
    const above: Node[] = [];
    for (let from = 0; from < nodes.length; from += MAX_CHILDREN) {
      const children = nodes.slice(from, from + MAX_CHILDREN);
      const at = address + out.length;
      above.push({ chunk: children[0].chunk, address: at });
      const isLast = from + MAX_CHILDREN >= nodes.length;
      out.text('TREE').uint8(1).uint8(level).uint16(children.length);
      sibling(out, from === 0 ? undefined : at - bytes);
      sibling(out, isLast ? undefined : at + bytes);
      for (const child of children) {
        key(out, child.chunk);
        out.uint64(child.address);
      }
      key(out, isLast ? end : nodes[from + MAX_CHILDREN].chunk);
      out.zeros(at - address + bytes - out.length);
    }
    nodes = above;
  }
  return { bytes: out.written(), root: nodes[0].address };
}

/** The size of every node: nodes have space for all children. */
function nodeBytes(rank: number): number {
  const keyBytes = 8 + 8 * (rank + 1);
  return 24 + MAX_CHILDREN * (keyBytes + 8) + keyBytes;
}

function key(out: ByteWriter, { start, bytes }: StoredChunk): void {
  const allFiltersApplied = 0;
  out.uint32(bytes).uint32(allFiltersApplied);
  for (const at of start) out.uint64(at);
  out.uint64(0);
}

function sibling(out: ByteWriter, address: number | undefined): void {
  if (address === undefined) out.bytes(NOWHERE);
  else out.uint64(address);
}

function byPlace(one: StoredChunk, other: StoredChunk): number {
  for (let d = 0; d < one.start.length; d++) if (one.start[d] !== other.start[d]) return one.start[d] - other.start[d];
  return 0;
}
