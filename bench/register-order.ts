import type { Comparator } from '../assembly/sorting-networks.mjs';

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
