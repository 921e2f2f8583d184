import type { Box } from '../array/array-file.js';

/** At most this, or one chunk, is read at once: the library's memory never shrinks. */
const PIECE_BYTES = 8_388_608;

/**
 * Cuts a box into pieces of some megabytes, in the order of the array. If the array is stored in chunks, pieces end
 * where chunks end, so that each chunk is decoded once. Neighbours along the fastest dimensions stay together.
 */
export function* cutBox({ start, count }: Box, chunk: readonly number[], elementBytes: number): Generator<Box> {
  const lengths = pieceLengths(start, count, chunk, elementBytes);
  const end = start.map((first, d) => first + count[d]);
  // Pieces lie on a grid that begins with the chunk of the first element.
  const origin = start.map((first, d) => first - (first % chunk[d]));

  function* along(d: number, from: number[], size: number[]): Generator<Box> {
    if (d === start.length) {
      yield { start: from, count: size };
      return;
    }
    for (let at = origin[d]; at < end[d]; at += lengths[d]) {
      const first = Math.max(at, start[d]);
      yield* along(d + 1, [...from, first], [...size, Math.min(at + lengths[d], end[d]) - first]);
    }
  }
  yield* along(0, [], []);
}

/** The number of elements of a piece along each dimension: as many full chunks as fit, the fastest dimension first. */
function pieceLengths(
  start: readonly number[],
  count: readonly number[],
  chunk: readonly number[],
  elementBytes: number,
): readonly number[] {
  const lengths = [...chunk];
  let bytes = chunk.reduce((product, length, d) => product * Math.min(length, count[d]), elementBytes);
  for (let d = chunk.length - 1; d >= 0; d--) {
    const chunks = Math.ceil(((start[d] % chunk[d]) + count[d]) / chunk[d]);
    const fitting = Math.max(1, Math.min(chunks, Math.floor(PIECE_BYTES / bytes)));
    lengths[d] = fitting * chunk[d];
    bytes *= fitting;
    if (fitting < chunks) break;
  }
  return lengths;
}
