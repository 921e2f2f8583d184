/** Exchanges two wires so that the lower one holds the lesser value; one of the two results may not be needed. */
export interface Comparator {
  readonly low: number;
  readonly high: number;
  readonly keep: 'both' | 'low' | 'high';
}

export function sortingNetwork(size: number): Comparator[];
export function selectionNetwork(size: number, ranks: Iterable<number>): Comparator[];
