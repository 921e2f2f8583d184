import { isPlainObject } from '../check/option-checks.js';
import { FormatError, unusable } from '../errors.js';
import { ExactSum } from './exact-sum.js';
import { FORECAST_SUMS, type ForecastSums, type GroupSums } from './group-sums.js';
import { assertSkill, type Skill } from './load-skill.js';
import { Tally } from './tally.js';
import { assertVerification, Verification } from './verification.js';

const FORMAT = 'plumecast verification';
const VERSION = 1;

/** What is said of data: a text, a number, or a list of texts by name. */
export type StateAbout = Readonly<Record<string, string | number | readonly string[]>>;

/** A verification as plain data for JSON: equal sums have equal data, in whatever order they were added. */
export interface VerificationState {
  readonly format: string;
  readonly version: number;
  readonly options: object;
  /** What the caller says of the data: variable, units, sources. */
  readonly about: StateAbout;
  readonly groups: readonly object[];
}

/** The state of a verification, which `readVerification` reads again. */
export function verificationState(verification: Verification, about: StateAbout = {}): VerificationState {
  assertVerification(verification);
  assertAbout('about', about);
  const { options, groups } = verification;
  return {
    ...{ format: FORMAT, version: VERSION, options, about },
    groups: groups.map(({ labels, block, sums }) => ({ labels, block: block ?? null, ...plainGroup(sums) })),
  };
}

/** Throws OptionError for what is not said of data. */
export function assertAbout(subject: string, about: StateAbout): void {
  const isSaid = (one: unknown) => typeof one === 'string' || typeof one === 'number' || Array.isArray(one);
  if (!isPlainObject(about) || !Object.values(about).every(isSaid))
    throw unusable(subject, about, 'an object of texts, numbers and lists of texts');
}

function plainGroup(sums: GroupSums): object {
  const { cases, weight, missing, leastObserved, greatestObserved, observed, squaredObserved } = sums;
  return {
    ...{ cases, weight, missing, range: finiteRange(leastObserved, greatestObserved) },
    ...{ observed: observed.parts(), squaredObserved: squaredObserved.parts() },
    forecast: plainForecast(sums.forecast),
    reference: sums.reference === undefined ? null : plainForecast(sums.reference),
  };
}

function plainForecast(forecast: ForecastSums): object {
  const { sums, quantiles, events, ranks, bins, fairWeight, leastMean, greatestMean } = forecast;
  return {
    ...{ fairWeight, range: finiteRange(leastMean, greatestMean) },
    sums: Object.fromEntries(FORECAST_SUMS.map((name) => [name, sums[name].parts()])),
    quantiles: quantiles.map((sum) => sum.parts()),
    events: events.map((tally) => tally.entries()),
    ranks: ranks.entries(),
    bins: [...bins]
      .sort(([a], [b]) => a - b)
      .map(([members, { weight, below, above, alpha, beta }]) => ({
        ...{ members, weight, below, above },
        alpha: alpha.map((sum) => sum.parts()),
        beta: beta.map((sum) => sum.parts()),
      })),
  };
}

/** JSON has no infinity: a range without values is null. */
function finiteRange(least: number, greatest: number): [number, number] | null {
  return least <= greatest ? [least, greatest] : null;
}

// biome-ignore lint/suspicious/noExplicitAny: what a file holds is checked by reading it.
type Plain = any;

/** Reads a state. Throws FormatError for what is none, or of another version. `source` names it in errors. */
export function readVerification(skill: Skill, state: unknown, source = 'verification'): Verification {
  assertSkill(skill);
  if (typeof source !== 'string') throw unusable('source', source, 'a text');
  const given = Object(state) as Plain;
  if (given.format !== FORMAT || given.version !== VERSION) {
    throw new FormatError({
      subject: source,
      problem: 'is no state of a verification',
      received: given.format === FORMAT ? `version ${given.version}` : given.format,
      allowed: `${FORMAT}, version ${VERSION}`,
    });
  }
  try {
    const verification = new Verification(skill, given.options);
    for (const group of given.groups as Plain[]) {
      const sums = verification.emptySums();
      fillGroup(sums, group);
      verification.addGroup({ labels: group.labels, block: group.block ?? undefined }, sums);
    }
    return verification;
  } catch (cause) {
    throw new FormatError({
      subject: source,
      problem: 'is damaged: the state of a verification cannot be read',
      cause,
    });
  }
}

function fillGroup(sums: GroupSums, group: Plain): void {
  sums.cases = number(group.cases);
  sums.weight = number(group.weight);
  sums.missing = number(group.missing);
  [sums.leastObserved, sums.greatestObserved] = range(group.range);
  sums.observed.addSum(sum(group.observed));
  sums.squaredObserved.addSum(sum(group.squaredObserved));
  fillForecast(sums.forecast, group.forecast);
  if (group.reference === null) return;
  sums.reference = sums.newForecast();
  fillForecast(sums.reference, group.reference);
}

function fillForecast(forecast: ForecastSums, plain: Plain): void {
  forecast.fairWeight = number(plain.fairWeight);
  [forecast.leastMean, forecast.greatestMean] = range(plain.range);
  for (const name of FORECAST_SUMS) forecast.sums[name].addSum(sum(plain.sums[name]));
  forecast.quantiles.forEach((own, i) => {
    own.addSum(sum(plain.quantiles[i]));
  });
  forecast.events.forEach((own, i) => {
    own.addTally(tally(plain.events[i]));
  });
  forecast.ranks.addTally(tally(plain.ranks));
  for (const bin of plain.bins as Plain[]) {
    const own = forecast.binsOf(number(bin.members));
    own.weight = number(bin.weight);
    own.below = number(bin.below);
    own.above = number(bin.above);
    own.alpha.forEach((one, i) => {
      one.addSum(sum(bin.alpha[i]));
      own.beta[i].addSum(sum(bin.beta[i]));
    });
  }
}

function number(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new FormatError({ subject: 'state', problem: 'is no number', received: value });
}

function range(value: Plain): [number, number] {
  return value === null ? [Infinity, -Infinity] : [number(value[0]), number(value[1])];
}

function sum(parts: Plain): ExactSum {
  return new ExactSum((parts as unknown[]).map(number));
}

function tally(entries: Plain): Tally {
  return new Tally((entries as Plain[]).map(([key, count]) => [number(key), number(count)]));
}
