/**
 * The nine sample quantiles as R 4.2 writes them in `quantile.default`, for p as the decimal that it is written as: its
 * guard against rounding grows with n, as rounding does.
 */

/** Between which order statistics, counted from 0, the quantile lies, and the weight of the higher one. */
export function quantilePosition(type: number, n: number, p: number): { low: number; high: number; weight: number } {
  const fuzz = 4 * Number.EPSILON * (n + 1);
  let j: number;
  let h: number;
  if (type === 7) {
    const index = (n - 1) * p;
    j = Math.floor(index) + 1;
    h = index - Math.floor(index);
  } else if (type <= 3) {
    const nppm = type === 3 ? n * p - 0.5 : n * p;
    j = Math.floor(nppm + fuzz);
    if (type === 1) h = nppm > j + fuzz ? 1 : 0;
    else if (type === 2) h = nppm > j + fuzz ? 1 : 0.5;
    else h = Math.abs(nppm - j) > fuzz || Math.abs(j % 2) === 1 ? 1 : 0;
  } else {
    const a = { 4: 0, 5: 0.5, 6: 0, 8: 1 / 3, 9: 3 / 8 }[type] as number;
    const b = type === 4 ? 1 : a;
    const nppm = a + p * (n + 1 - a - b);
    j = Math.floor(nppm + fuzz);
    h = nppm - j;
  }
  // The weight of a plain decimal p is a decimal, too.
  const decimal = Math.round(h * 1e8) / 1e8;
  if (Math.abs(h - decimal) <= fuzz) h = decimal;
  const place = (rank: number) => Math.min(Math.max(rank, 1), n) - 1;
  if (h === 0) return { low: place(j), high: place(j), weight: 0 };
  if (h === 1) return { low: place(j + 1), high: place(j + 1), weight: 0 };
  const low = place(j);
  const high = place(j + 1);
  return { low, high, weight: low === high ? 0 : h };
}
