/** The default size of a chunk in bytes: large enough for quick reading, small enough for a reader's cache. */
const CHUNK_BYTES = 1_048_576;

/**
 * A chunk shape of complete trailing dimensions, of at most about 1 MiB: fields stay together, and values that arrive
 * in order fill chunks in order.
 */
export function chunkShape(shape: readonly number[], elementBytes: number): number[] {
  let capacity = Math.max(1, Math.floor(CHUNK_BYTES / elementBytes));
  const chunk = shape.map(() => 1);
  for (let d = shape.length - 1; d >= 0; d--) {
    // Chunks of equal size: a short last one would be stored at full size, too.
    const parts = Math.ceil(shape[d] / capacity);
    chunk[d] = Math.ceil(shape[d] / parts);
    if (parts > 1) break;
    capacity = Math.max(1, Math.floor(capacity / shape[d]));
  }
  return chunk;
}
