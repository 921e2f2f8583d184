import { FormatError } from '../../errors.js';
import type { ByteSpan } from '../array/byte-runs.js';
import type { RandomAccess } from '../array/random-access.js';
import { isText, readBytes, viewOf } from './read-header.js';
import type { ChunkedLayout } from './read-layout.js';

/** A chunk in the file. */
export interface PlacedChunk extends ByteSpan {
  /** The filters that were skipped when it was written, one bit each. */
  readonly skippedFilters: number;
}

/** The chunks of a dataset by their places in the grid of chunks. */
export type PlacedChunks = ReadonlyMap<string, PlacedChunk>;

const NODE_HEADER = 24;
/** Deeper trees contain themselves. */
const MAX_LEVEL = 16;

/**
 * Reads the index of the chunks of a dataset (a B-tree, version 1: HDF5 File Format Specification, section III.A.1).
 * Throws FormatError, which names `subject`, if it is damaged, or has chunks outside of the file or of the grid of
 * chunks.
 */
export async function readChunkTree(
  access: RandomAccess,
  { tree, chunk }: ChunkedLayout,
  subject: string,
): Promise<PlacedChunks> {
  const found = new Map<string, PlacedChunk>();
  if (tree === undefined) return found;
  const keyBytes = 8 + 8 * (chunk.length + 1);
  const seen = new Set<number>();

  async function visit(at: number, above: number): Promise<void> {
    const head = await readBytes(access, at, NODE_HEADER);
    if (head === undefined || !isText(head, 'TREE') || head[4] !== 1 || head[5] >= above || seen.has(at))
      throw damaged(at);
    seen.add(at);
    const level = head[5];
    const children = viewOf(head).getUint16(6, true);
    const bytes = children === 0 ? undefined : await readBytes(access, at + NODE_HEADER, children * (keyBytes + 8));
    if (bytes === undefined) {
      if (children > 0) throw damaged(at);
      return;
    }
    const view = viewOf(bytes);
    for (let child = 0; child < children; child++) {
      const key = child * (keyBytes + 8);
      const address = Number(view.getBigUint64(key + keyBytes, true));
      if (level > 0) {
        await visit(address, level);
        continue;
      }
      const place = chunk.map((length, d) => Number(view.getBigUint64(key + 8 + 8 * d, true)) / length);
      const length = view.getUint32(key, true);
      const name = place.join();
      if (place.some((along) => !Number.isSafeInteger(along)) || found.has(name)) throw damaged(at);
      if (!(address + length <= access.size)) throw damaged(at);
      found.set(name, { offset: address, length, skippedFilters: view.getUint32(key + 4, true) });
    }
  }

  function damaged(at: number): FormatError {
    return new FormatError({
      subject,
      problem: `the index of its chunks is damaged at byte ${at}`,
      allowed: 'a complete file',
    });
  }

  await visit(tree, MAX_LEVEL);
  return found;
}
