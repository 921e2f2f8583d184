export function worstDifference(
  ours: readonly number[],
  theirs: readonly (number | null)[],
): { difference: number; numbers: number };

export function isWithin(comparison: { readonly difference: number; readonly bound: number }): boolean;
