import { unusable } from '../errors.js';

/**
 * Which of many tests count, so that of these at most a share `rate` is expected to count by chance (Benjamini and
 * Hochberg 1995): such as the places of a map (Wilks 2016 advises twice the rate where places depend on each other). NaN
 * is no test. Throws OptionError for what is no probability.
 */
export function falseDiscoveries(pValues: ArrayLike<number>, rate: number): boolean[] {
  if (!(typeof rate === 'number' && rate > 0 && rate < 1)) throw unusable('rate', rate, 'a share between 0 and 1');
  if (!Array.isArray(pValues) && !ArrayBuffer.isView(pValues))
    throw unusable('pValues', pValues, 'a list of probabilities');
  const all = Array.from(pValues);
  const at = all.findIndex((p) => typeof p !== 'number' || p < 0 || p > 1);
  if (at >= 0) throw unusable(`pValues[${at}]`, all[at], 'probabilities from 0 to 1, or NaN');
  const sorted = all.filter((p) => !Number.isNaN(p)).sort((a, b) => a - b);
  let limit = -1;
  sorted.forEach((p, k) => {
    if (p <= (rate * (k + 1)) / sorted.length) limit = p;
  });
  return all.map((p) => p <= limit);
}
