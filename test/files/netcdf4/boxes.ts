import fc from 'fast-check';

/** Shapes, chunks and cuts of arrays of up to three dimensions, and the order in which boxes come. */
export const splits = fc.integer({ min: 1, max: 3 }).chain((rank) =>
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: rank, maxLength: rank }).chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      chunk: fc.tuple(...shape.map((length) => fc.integer({ min: 1, max: length }))),
      cuts: fc.tuple(...shape.map((length) => fc.uniqueArray(fc.integer({ min: 1, max: length }), { maxLength: 3 }))),
      order: fc.array(fc.double({ noNaN: true }), { minLength: 64, maxLength: 64 }),
    }),
  ),
);

/** The boxes that cuts leave of an array that counts its values, in any order. */
export function boxesOf(shape: readonly number[], cuts: readonly number[][], order: readonly number[]) {
  const edges = cuts.map((at, d) => [...new Set([0, ...at, shape[d]])].sort((a, b) => a - b));
  return placesOf(edges.map(({ length }) => length - 1))
    .map((box, i) => {
      const start = box.map((place, d) => edges[d][place]);
      const count = box.map((place, d) => edges[d][place + 1] - edges[d][place]);
      const values = Int32Array.from(placesOf(count), (within) =>
        within.reduce((index, place, d) => index * shape[d] + start[d] + place, 0),
      );
      return { start, count, values, key: order[i % order.length] };
    })
    .sort((a, b) => a.key - b.key);
}

/** Every place of a box, the last dimension fastest. */
export function placesOf(count: readonly number[]): number[][] {
  return count.reduce<number[][]>(
    (places, length) => places.flatMap((place) => Array.from({ length }, (_, i) => [...place, i])),
    [[]],
  );
}
