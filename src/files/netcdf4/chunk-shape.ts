/** Bytes of a chunk where none is asked for: enough for quick reading, few enough for a reader's cache. */
const CHUNK_BYTES = 1_048_576;

/**
 * Chunks of whole trailing dimensions, of about 1 MiB at most: fields stay together, and values that come in order fill
 * them in order.
 */
export function chunkShape(shape: readonly number[], elementBytes: number): number[] {
  let buffer = Math.max(1, Math.floor(CHUNK_BYTES / elementBytes));
  const chunk = shape.map(() => 1);
  for (let d = shape.length - 1; d >= 0; d--) {
    // Chunks of one size: the last one would be stored as a whole, too.
    const pieces = Math.ceil(shape[d] / buffer);
    chunk[d] = Math.ceil(shape[d] / pieces);
    if (pieces > 1) break;
    buffer = Math.max(1, Math.floor(buffer / shape[d]));
  }
  return chunk;
}
