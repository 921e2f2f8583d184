/** The values of some cells of a series, one after the other. */
export interface BlockSample {
  readonly cells: Int32Array;
  readonly values: Float32Array;
}

/** At most `wanted` of `count` cells, at equal distances. */
export function spreadCells(count: number, wanted: number): Int32Array {
  const number = Math.min(count, wanted);
  return Int32Array.from({ length: number }, (_, i) => Math.floor(((i + 0.5) * count) / number));
}
