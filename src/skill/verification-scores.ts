import { assertKnownKeys } from '../check/option-checks.js';
import { DataError, OptionError, unusable } from '../errors.js';
import { type CrpsDecomposition, decomposeCrps } from './crps-decomposition.js';
import { type ReliabilityPoint, type RocPoint, reliabilityPoints, rocPoints } from './event-scores.js';
import type { GroupSums, SumsTable } from './group-sums.js';
import { randomPlaces } from './random.js';
import { type RankHistogram, rankHistograms } from './rank-histogram.js';
import { dividedEvents, type ScoreValue, scoreValues } from './score-values.js';
import { type Totals, TotalsLayout } from './totals.js';
import { assertVerification, type GroupLabels, type Verification, type VerifiedGroup } from './verification.js';

/** How scores are made of a verification. */
export interface ScoresOptions {
  /** The labels by which results are apart; all cases that share them are pooled. Default: those of all groups. */
  by?: readonly string[];
  /** The level of intervals by the block bootstrap, such as 0.9. Default: none. */
  confidence?: number;
  /** How often blocks are drawn. Default 1000. */
  samples?: number;
  /** What random draws begin with. Default 1. */
  seed?: number;
}

/** A score, and where it was requested its interval. */
export interface Score extends ScoreValue {
  /** The ends of the interval: quantiles of the score over random draws of blocks; NaN where too few of them have it. */
  readonly low?: number;
  readonly high?: number;
  /**
   * Of skill, the share of draws that have none, one draw more counted as such: how likely that much is without skill (one-sided).
   */
  readonly pValue?: number;
}

/** The diagrams of an event. */
export interface EventDiagrams {
  readonly event: string;
  readonly reliability: readonly ReliabilityPoint[];
  readonly roc: readonly RocPoint[];
}

/** The scores of the groups with the same labels. */
export interface GroupScores {
  readonly labels: GroupLabels;
  readonly cases: number;
  /** Cases without an observation, or with too few members. */
  readonly missing: number;
  /** The number of blocks of time. */
  readonly blocks: number;
  readonly scores: readonly Score[];
  readonly events: readonly EventDiagrams[];
  readonly ranks: readonly RankHistogram[];
  /** Where it was requested; undefined without cases. */
  readonly decomposition?: CrpsDecomposition;
}

/** Fewer blocks say nothing about how scores vary. */
const MIN_BLOCKS = 5;
export const SCORES_KEYS = ['by', 'confidence', 'samples', 'seed'];

/**
 * The scores of a verification, a result for each combination of labels that it has cases of, in the order of their
 * values: lead 2 before lead 10. Throws OptionError for options, and
 * DataError where intervals are requested of fewer than 5 blocks.
 */
export function verificationScores(verification: Verification, options: ScoresOptions = {}): GroupScores[] {
  return [...eachGroupScores(verification, options)];
}

/** The same, one after the other: results take several times as much memory as their sums. Throws at once for options. */
export function eachGroupScores(verification: Verification, options: ScoresOptions = {}): Generator<GroupScores> {
  assertVerification(verification);
  return groupScores(verification, checkScores(options));
}

function* groupScores(
  verification: Verification,
  { by, ...intervals }: ReturnType<typeof checkScores>,
): Generator<GroupScores> {
  const { groups } = verification;
  const known = new Set(groups.flatMap(({ labels }) => Object.keys(labels)));
  const unknown = by?.find((name) => !known.has(name));
  if (unknown !== undefined && groups.length > 0)
    throw new OptionError({ subject: 'by', problem: 'is no label', received: unknown, allowed: [...known].join(', ') });
  const results = new Map<string, { labels: GroupLabels; groups: VerifiedGroup[] }>();
  for (const group of groups) {
    const kept = Object.entries(group.labels).filter(([name]) => by === undefined || by.includes(name));
    const key = JSON.stringify(kept);
    const own = results.get(key) ?? { labels: Object.fromEntries(kept), groups: [] };
    own.groups.push(group);
    results.set(key, own);
  }
  const table = verification.newTable(verification.hasReference === true);
  const ordered = [...results.values()].sort((a, b) => compareLabels(a.labels, b.labels));
  for (const { labels, groups: own } of ordered) {
    table.clear();
    yield { labels, ...scoresOfGroups(verification, own, table, intervals) };
  }
}

/** Orders labels by their values: numbers by size, before texts. */
function compareLabels(a: GroupLabels, b: GroupLabels): number {
  for (const name of Object.keys(a)) {
    const [x, y] = [a[name], b[name]];
    if (x === y) continue;
    if (typeof x === 'number' && typeof y === 'number') return x - y;
    return typeof x === 'number' || (typeof y !== 'number' && `${x}` < `${y}`) ? -1 : 1;
  }
  return 0;
}

/** How intervals are made. */
interface Intervals {
  readonly confidence: number | undefined;
  readonly samples: number;
  readonly seed: number;
}

function checkScores(options: ScoresOptions): Intervals & Pick<ScoresOptions, 'by'> {
  assertKnownKeys(options, SCORES_KEYS);
  const { by, confidence, samples = 1000, seed = 1 } = options;
  if (by !== undefined && !Array.isArray(by)) throw unusable('by', by, 'a list of labels');
  if (confidence !== undefined && !(typeof confidence === 'number' && confidence > 0 && confidence < 1))
    throw unusable('confidence', confidence, 'a probability between 0 and 1');
  if (!(Number.isInteger(samples) && samples >= 100 && samples <= 1e6))
    throw unusable('samples', samples, 'a whole number from 100 to a million');
  if (!Number.isInteger(seed)) throw unusable('seed', seed, 'a whole number');
  return { by, confidence, samples, seed };
}

function scoresOfGroups(
  verification: Verification,
  groups: readonly VerifiedGroup[],
  table: SumsTable,
  { confidence, samples, seed }: Intervals,
): Omit<GroupScores, 'labels'> {
  const { skill, events, options } = verification;
  const blocks = blocksOf(groups);
  const all = pooled(table, [...blocks.values()].flat());
  const { cases, missing, forecast } = all;
  const layout = new TotalsLayout(all);
  const valuesOf = (totals: Totals) => scoreValues(skill, totals, events, options);
  const scores: readonly ScoreValue[] = cases === 0 ? [] : valuesOf(layout.totalsOf(layout.rowOf(all)));
  const lists = Array.from({ length: forecast.events }, (_, e) => {
    const entries = forecast.eventEntries(e);
    return { keys: entries.map(([key]) => key), counts: Float64Array.from(entries, ([, count]) => count) };
  });
  const [conditions, , categories] = dividedEvents(lists, events);
  const diagrams = [...conditions, ...categories].map((list, e) => {
    const reliability = reliabilityPoints(list);
    const { name } = [...events.conditions, ...events.categories][e];
    return { event: name, reliability, roc: rocPoints(reliability) };
  });
  return {
    ...{ cases, missing, blocks: blocks.size, events: diagrams, ranks: rankHistograms(skill, forecast.rankEntries()) },
    scores:
      confidence === undefined || cases === 0
        ? scores
        : withIntervals(
            scores,
            layout,
            [...blocks.values()].map((own) => pooled(table, own)),
            valuesOf,
            { confidence, samples, seed },
          ),
    ...(options.decomposition && cases > 0 && { decomposition: decomposeCrps(forecast.bins()) }),
  };
}

/** The sums of groups that have cases, by block, in the order of blocks. */
function blocksOf(groups: readonly VerifiedGroup[]): Map<string, GroupSums[]> {
  const blocks = new Map<string, GroupSums[]>();
  for (const { block, sums } of groups) {
    if (sums.cases === 0 && sums.missing === 0) continue;
    const key = JSON.stringify(block ?? null);
    const own = blocks.get(key);
    if (own === undefined) blocks.set(key, [sums]);
    else own.push(sums);
  }
  return new Map([...blocks].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The sums of all of some groups: of a single one it is itself, of others a new one in the table. */
function pooled(table: SumsTable, groups: readonly GroupSums[]): GroupSums {
  if (groups.length === 1) return groups[0];
  const all = table.addGroup();
  for (const group of groups) all.addGroup(group);
  return all;
}

/** Draws as many blocks as there are, with replacement, many times (the block bootstrap: Künsch 1989, Carlstein 1986). */
function withIntervals(
  scores: readonly ScoreValue[],
  layout: TotalsLayout,
  blocks: readonly GroupSums[],
  valuesOf: (totals: Totals) => readonly ScoreValue[],
  { confidence, samples, seed }: { confidence: number; samples: number; seed: number },
): Score[] {
  const rows = blocks.filter(({ cases }) => cases > 0).map((sums) => layout.rowOf(sums));
  if (rows.length < MIN_BLOCKS) {
    throw new DataError({
      subject: 'confidence',
      problem: 'intervals need more blocks of time with cases',
      received: rows.length,
      allowed: `at least ${MIN_BLOCKS}: more starts, or shorter blocks`,
    });
  }
  const draws = scores.map(() => new Float64Array(samples));
  const place = randomPlaces(seed);
  const sum = new Float64Array(layout.length);
  for (let s = 0; s < samples; s++) {
    sum.fill(0);
    for (let b = 0; b < rows.length; b++) {
      const row = rows[place(rows.length)];
      for (let i = 0; i < sum.length; i++) sum[i] += row[i];
    }
    valuesOf(layout.totalsOf(sum)).forEach(({ value }, k) => {
      draws[k][s] = value;
    });
  }
  return scores.map((score, k) => {
    const values = draws[k].filter((value) => !Number.isNaN(value)).sort();
    const at = (p: number) => {
      const place_ = p * (values.length - 1);
      const low = Math.floor(place_);
      const next = Math.min(low + 1, values.length - 1);
      return values[low] + (place_ - low) * (values[next] - values[low]);
    };
    // A score that most draws do not have has no interval.
    const isKnown = values.length >= samples / 2 && !Number.isNaN(score.value);
    const [low, high] = isKnown ? [at((1 - confidence) / 2), at((1 + confidence) / 2)] : [Number.NaN, Number.NaN];
    if (score.forecast !== 'skill') return { ...score, low, high };
    const without = values.reduce((count, value) => count + Number(value <= 0), 0);
    return { ...score, low, high, pValue: isKnown ? (without + 1) / (values.length + 1) : Number.NaN };
  });
}
