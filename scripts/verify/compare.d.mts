export function worstDifference(
  ours: readonly number[],
  theirs: readonly (number | null)[],
): { difference: number; numbers: number };

export function isWithin(comparison: { readonly difference: number; readonly bound: number }): boolean;

/** What a name of test/statistics/windows_of_others.py says: windows, what is computed of them, and the variable. */
export function readWindowName(name: string): { windows: string; window: string; variable: string };
