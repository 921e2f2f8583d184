/** Exchanges two wires so that the lower one holds the lesser value; one of the two results may not be needed. */
export interface Comparator {
  readonly low: number;
  readonly high: number;
  readonly keep: 'both' | 'low' | 'high';
}

/** A sorting network for `size` wires without what the order statistics `ranks` do not need. */
export function selectionNetwork(size: number, ranks: readonly number[]): Comparator[] {
  const needed = new Set(ranks);
  const kept: Comparator[] = [];
  for (const [low, high] of sortingNetwork(size).reverse()) {
    const wantLow = needed.has(low);
    const wantHigh = needed.has(high);
    if (!wantLow && !wantHigh) continue;
    kept.push({ low, high, keep: wantLow && wantHigh ? 'both' : wantLow ? 'low' : 'high' });
    needed.add(low).add(high);
  }
  return kept.reverse();
}

/**
 * The comparators in an order that suits `registers` registers: of those that may come next, always one whose wires have been
 * used lately. The network stays the same.
 */
export function inRegisterOrder(comparators: readonly Comparator[], registers: number): Comparator[] {
  const rest = [...comparators];
  const ordered: Comparator[] = [];
  let recent: number[] = [];
  while (rest.length > 0) {
    const blocked = new Set<number>();
    let next = { place: 0, loads: Number.POSITIVE_INFINITY };
    rest.forEach(({ low, high }, place) => {
      const loads = Number(!recent.includes(low)) + Number(!recent.includes(high));
      if (!blocked.has(low) && !blocked.has(high) && loads < next.loads) next = { place, loads };
      blocked.add(low).add(high);
    });
    const [comparator] = rest.splice(next.place, 1);
    const { low, high } = comparator;
    ordered.push(comparator);
    recent = [high, low, ...recent.filter((wire) => wire !== low && wire !== high)].slice(0, registers);
  }
  return ordered;
}

type Pair = [low: number, high: number];

/** Green's network of 60 comparators for 16 wires (Knuth, The Art of Computer Programming, vol. 3, 5.3.4, figure 49). */
const GREEN: readonly Pair[] = [
  ...[1, 2, 4, 8].flatMap((step) => range(16).flatMap((i): Pair[] => ((i & step) === 0 ? [[i, i + step]] : []))),
  ...pairs('5 10 6 9 3 12 13 14 4 8 7 11 1 2 1 4 7 13 2 8 11 14 2 4 5 6 9 10 11 13 3 8 7 12'),
  ...pairs('6 8 10 12 3 5 7 9 3 4 5 6 7 8 9 10 11 12 6 7 8 9'),
];

/** For 17 to 32 wires two of Green's networks and a merge, which is 5 comparators in 185 less than merge exchange alone. */
function sortingNetwork(size: number): Pair[] {
  if (size <= 16 || size > 32) return mergeExchange(size);
  const halves = [0, 16].flatMap((first) => GREEN.map(([low, high]): Pair => [low + first, high + first]));
  // Wires beyond the last hold more than any value, which no comparator moves.
  return [...halves, ...oddEvenMerge(range(32))].filter(([, high]) => high < size);
}

/** Batcher's odd-even merge (Knuth, 5.3.4, figure 47) of wires whose two halves are sorted. */
function oddEvenMerge(wires: readonly number[]): Pair[] {
  if (wires.length === 2) return [[wires[0], wires[1]]];
  const every = (parity: number) => wires.filter((_, i) => i % 2 === parity);
  const last = range(wires.length / 2 - 1).map((i): Pair => [wires[2 * i + 1], wires[2 * i + 2]]);
  return [...oddEvenMerge(every(0)), ...oddEvenMerge(every(1)), ...last];
}

/** Batcher's merge exchange (Knuth, 5.2.2, algorithm M). */
function mergeExchange(size: number): Pair[] {
  const comparators: Pair[] = [];
  const top = 2 ** (Math.ceil(Math.log2(size)) - 1);
  for (let p = top; p > 0; p >>= 1) {
    for (let q = top, r = 0, d = p; ; d = q - p, q >>= 1, r = p) {
      for (let i = 0; i < size - d; i++) if ((i & p) === r) comparators.push([i, i + d]);
      if (q === p) break;
    }
  }
  return comparators;
}

function pairs(text: string): Pair[] {
  const wires = text.split(' ').map(Number);
  return range(wires.length / 2).map((i) => [wires[2 * i], wires[2 * i + 1]]);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
