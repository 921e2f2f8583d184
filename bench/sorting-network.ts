/** Exchanges two wires so that the lower one holds the lesser value; one of the two results may not be needed. */
export interface Comparator {
  readonly low: number;
  readonly high: number;
  readonly keep: 'both' | 'low' | 'high';
}

/**
 * Batcher's merge exchange (Knuth, The Art of Computer Programming, vol. 3, 5.2.2, algorithm M) for `size` wires, without what
 * the order statistics `ranks` do not need.
 */
export function selectionNetwork(size: number, ranks: readonly number[]): Comparator[] {
  const needed = new Set(ranks);
  const kept: Comparator[] = [];
  for (const [low, high] of mergeExchange(size).reverse()) {
    const wantLow = needed.has(low);
    const wantHigh = needed.has(high);
    if (!wantLow && !wantHigh) continue;
    kept.push({ low, high, keep: wantLow && wantHigh ? 'both' : wantLow ? 'low' : 'high' });
    needed.add(low).add(high);
  }
  return kept.reverse();
}

function mergeExchange(size: number): [number, number][] {
  const comparators: [number, number][] = [];
  const top = 2 ** (Math.ceil(Math.log2(size)) - 1);
  for (let p = top; p > 0; p >>= 1) {
    for (let q = top, r = 0, d = p; ; d = q - p, q >>= 1, r = p) {
      for (let i = 0; i < size - d; i++) if ((i & p) === r) comparators.push([i, i + d]);
      if (q === p) break;
    }
  }
  return comparators;
}
