import { binomialQuantile, normalQuantile, studentQuantile } from './distributions.js';

/*
 * What a statistic of so many members says of the distribution that they are drawn from: a band that has its true value
 * with a probability of at least, for means and shares about, `level`. Members are taken as independent draws.
 */

/** The lower and the upper end of a band; NaN for an end that so few members do not have. */
export type Band = readonly [low: number, high: number];

const NONE: Band = [Number.NaN, Number.NaN];

/**
 * The band of a share of `n` members: the score interval of Wilson (1927), Journal of the American Statistical
 * Association 22, 209-212, which lies within 0 and 1 also for shares of none and all.
 */
export function shareBand(share: number, n: number, level: number): Band {
  if (!(n > 0) || Number.isNaN(share)) return NONE;
  const z = normalQuantileOf(level);
  const scale = 1 + (z * z) / n;
  const centre = share + (z * z) / (2 * n);
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return [share === 0 ? 0 : (centre - half) / scale, share === 1 ? 1 : (centre + half) / scale];
}

/**
 * The band of the mean of `n` members with the standard deviation `spread` (n - 1): Student's t (1908), Biometrika 6,
 * 1-25. For amounts of few wet members it is rough, as these are not normal.
 */
export function meanBand(mean: number, spread: number, n: number, level: number): Band {
  if (!(n > 1) || Number.isNaN(mean)) return NONE;
  const half = (studentQuantileOf(level, n - 1) * spread) / Math.sqrt(n);
  return [mean - half, mean + half];
}

/**
 * The ranks, from 1, of the two members in order of size between which the quantile `p` of the distribution lies,
 * whatever the distribution is (David and Nagaraja 2003, Order Statistics, 7.1): 0 or `n + 1` where no member is far
 * enough.
 */
export function quantileRanks(p: number, n: number, level: number): readonly [low: number, high: number] {
  const key = `${p} ${n} ${level}`;
  const known = ranks.get(key);
  if (known !== undefined) return known;
  const tail = (1 - level) / 2;
  const found = [binomialQuantile(tail, n, p), binomialQuantile(1 - tail, n, p) + 1] as const;
  ranks.set(key, found);
  return found;
}

/** The least number of members of which a band of the quantile `p` has both ends; infinite for the extremes. */
export function membersForBand(p: number, level: number): number {
  const rarer = Math.min(p, 1 - p);
  return rarer === 0 ? Number.POSITIVE_INFINITY : Math.floor(Math.log((1 - level) / 2) / Math.log1p(-rarer)) + 1;
}

const ranks = /* @__PURE__ */ new Map<string, readonly [number, number]>();
const normal = /* @__PURE__ */ new Map<number, number>();
const student = /* @__PURE__ */ new Map<string, number>();

function normalQuantileOf(level: number): number {
  return remembered(normal, level, () => normalQuantile((1 + level) / 2));
}

function studentQuantileOf(level: number, degrees: number): number {
  return remembered(student, `${level} ${degrees}`, () => studentQuantile((1 + level) / 2, degrees));
}

function remembered<Key>(known: Map<Key, number>, key: Key, find: () => number): number {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}
