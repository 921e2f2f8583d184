// Sorting networks: pairs of wires that are exchanged in turn so that the lower one holds the lesser value.
//
// They sort sixteens with Green's 60 comparators and join them with Batcher's odd-even merge, or are Batcher's merge
// exchange where that takes fewer (Knuth, The Art of Computer Programming, vol. 3, 5.3.4 and 5.2.2, algorithm M).

/** Green's network for 16: every i with i + 1, 2, 4 and 8 in turn, then these. */
const GREEN_REST =
  '5:10 6:9 3:12 13:14 4:8 7:11 1:2 1:4 7:13 2:8 11:14 2:4 5:6 9:10 11:13 3:8 7:12 6:8 10:12 3:5 7:9 3:4 5:6 7:8 9:10 11:12 6:7 8:9';

/** Green's network for sixteen wires or fewer from `first` on: those above hold values greater than all. */
function green(first, size) {
  const begin = [1, 2, 4, 8].flatMap((d) => range(16).flatMap((i) => (i & d ? [] : [[i, i + d]])));
  const rest = GREEN_REST.split(' ').map((pair) => pair.split(':').map(Number));
  return [...begin, ...rest].filter(([, j]) => j < size).map(([i, j]) => [first + i, first + j]);
}

/** The comparators of Batcher's odd-even merge of two sorted runs of wires; the first is as long as a power of two. */
function oddEvenMerge(ones, twos) {
  if (ones.length === 0 || twos.length === 0) return [];
  if (ones.length === 1 && twos.length === 1) return [[ones[0], twos[0]]];
  const every = (wires, rest) => wires.filter((_, i) => i % 2 === rest);
  const all = [...ones, ...twos];
  const last = range(all.length >> 1).flatMap((k) =>
    2 * k + 2 < all.length ? [[all[2 * k + 1], all[2 * k + 2]]] : [],
  );
  return [...oddEvenMerge(every(ones, 0), every(twos, 0)), ...oddEvenMerge(every(ones, 1), every(twos, 1)), ...last];
}

/** Sixteens, joined two by two. */
function joinedSixteens(first, size) {
  if (size <= 16) return green(first, size);
  const half = 2 ** (Math.ceil(Math.log2(size)) - 1);
  const wires = range(size).map((i) => first + i);
  return [
    ...joinedSixteens(first, half),
    ...joinedSixteens(first + half, size - half),
    ...oddEvenMerge(wires.slice(0, half), wires.slice(half)),
  ];
}

function range(length) {
  return Array.from({ length }, (_, i) => i);
}

/** The comparators of merge exchange, in an order in which they may run. */
function mergeContext(size) {
  const comparators = [];
  const top = 2 ** (Math.ceil(Math.log2(size)) - 1);
  for (let p = top; p > 0; p >>= 1) {
    for (let q = top, r = 0, d = p; ; d = q - p, q >>= 1, r = p) {
      for (let i = 0; i < size - d; i++) if ((i & p) === r) comparators.push([i, i + d]);
      if (q === p) break;
    }
  }
  return comparators;
}

/** All comparators for `size` wires, in an order in which they may run: the lesser value comes to the lower wire. */
export function sortingNetwork(size) {
  const [one, two] = [joinedSixteens(0, size), mergeContext(size)];
  const pairs = one.length < two.length ? one : two;
  return pairs.map(([low, high]) => ({ low, high, keep: 'both' }));
}

/**
 * A sorting network without what the order statistics `ranks`, counted from 0, do not need; `keep` says which values
 * are needed.
 */
export function selectionNetwork(size, ranks) {
  const needed = new Set(ranks);
  const kept = [];
  for (const { low, high } of sortingNetwork(size).reverse()) {
    const [wantLow, wantHigh] = [needed.has(low), needed.has(high)];
    if (!wantLow && !wantHigh) continue;
    kept.push({ low, high, keep: wantLow && wantHigh ? 'both' : wantLow ? 'low' : 'high' });
    needed.add(low).add(high);
  }
  return kept.reverse();
}
