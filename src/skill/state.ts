import { isPlainObject } from '../check/option-checks.js';
import { DataError, FormatError, mentionOption, unusable } from '../errors.js';
import type { CrpsBins } from './crps-bins.js';
import { FORECAST_SUMS, type ForecastSums, type GroupSums } from './group-sums.js';
import { assertSkill, type Skill } from './load-skill.js';
import { assertVerification, Verification, type VerifiedGroup } from './verification.js';

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
  return { ...stateHead(verification, about), groups: verification.groups.map(plainOf) };
}

function stateHead({ options }: Verification, about: StateAbout): Omit<VerificationState, 'groups'> {
  return { format: FORMAT, version: VERSION, options, about };
}

function plainOf({ labels, block, sums }: VerifiedGroup): object {
  return { labels, block: block ?? null, ...plainGroup(sums) };
}

/** The state as JSON: the same text, group by group, as plain data of all groups take several times as much memory. */
export function stateJson(verification: Verification, about: StateAbout): string {
  assertAbout('about', about);
  const head = JSON.stringify(stateHead(verification, about)).slice(0, -1);
  try {
    return `${head},"groups":[${verification.groups.map((group) => JSON.stringify(plainOf(group))).join(',')}]}`;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new DataError({
      ...{ subject: 'state', problem: 'of so many groups is longer than a text can be' },
      received: verification.groups.length,
      allowed: `fewer places or labels, or without intervals ${mentionOption('block', 'none')}`,
      cause,
    });
  }
}

/** Throws OptionError for what is not said of data. */
export function assertAbout(subject: string, about: StateAbout): void {
  const isSaid = (one: unknown) => typeof one === 'string' || typeof one === 'number' || Array.isArray(one);
  if (!isPlainObject(about) || !Object.values(about).every(isSaid))
    throw unusable(subject, about, 'an object of texts, numbers and lists of texts');
}

function plainGroup(sums: GroupSums): object {
  const { cases, weight, missing, leastObserved, greatestObserved } = sums;
  const [observed, squaredObserved] = sums.observedParts();
  return {
    ...{ cases, weight, missing, range: finiteRange(leastObserved, greatestObserved), observed, squaredObserved },
    forecast: plainForecast(sums.forecast),
    reference: sums.reference === undefined ? null : plainForecast(sums.reference),
  };
}

function plainForecast(forecast: ForecastSums): object {
  const { quantiles, events, fairWeight, leastMean, greatestMean } = forecast;
  return {
    ...{ fairWeight, range: finiteRange(leastMean, greatestMean) },
    sums: Object.fromEntries(FORECAST_SUMS.map((name, sum) => [name, forecast.parts(sum)])),
    quantiles: Array.from({ length: quantiles }, (_, q) => forecast.parts(FORECAST_SUMS.length + q)),
    events: Array.from({ length: events }, (_, e) => forecast.eventEntries(e)),
    ranks: forecast.rankEntries(),
    bins: forecast.bins().map(plainBins),
  };
}

function plainBins(bins: CrpsBins): object {
  const { members, weight, below, above } = bins;
  return { members, weight, below, above, alpha: bins.alphaParts(), beta: bins.betaParts() };
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
      const hasReference = group.reference !== null;
      const sums = verification.groupSums({ labels: group.labels, block: group.block ?? undefined }, hasReference);
      addPlain(sums, group);
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

function addPlain(sums: GroupSums, group: Plain): void {
  const [cases, weight, missing] = [group.cases, group.weight, group.missing].map(number);
  sums.addCounts({ cases, weight, missing }, ...range(group.range));
  sums.addObservedParts([parts(group.observed), parts(group.squaredObserved)]);
  addForecast(sums.forecast, group.forecast);
  if (sums.reference !== undefined) addForecast(sums.reference, group.reference);
}

function addForecast(forecast: ForecastSums, plain: Plain): void {
  forecast.addRange(number(plain.fairWeight), ...range(plain.range));
  const addSum = (sum: number, own: Plain) => {
    for (const part of parts(own)) forecast.add(sum, part);
  };
  FORECAST_SUMS.forEach((name, sum) => {
    addSum(sum, plain.sums[name]);
  });
  for (let q = 0; q < forecast.quantiles; q++) addSum(FORECAST_SUMS.length + q, plain.quantiles[q]);
  for (let e = 0; e < forecast.events; e++)
    for (const [key, count] of entries(plain.events[e])) forecast.addEvent(e, key, count);
  for (const [key, count] of entries(plain.ranks)) forecast.addRank(key, count);
  for (const bin of plain.bins as Plain[]) {
    const own = forecast.binsOf(number(bin.members));
    own.addWeights(number(bin.weight), number(bin.below), number(bin.above));
    for (let i = 0; i <= own.members; i++) {
      for (const part of parts(bin.alpha[i])) own.addAlpha(i, part);
      for (const part of parts(bin.beta[i])) own.addBeta(i, part);
    }
  }
}

function number(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new FormatError({ subject: 'state', problem: 'is no number', received: value });
}

function range(value: Plain): [number, number] {
  return value === null ? [Infinity, -Infinity] : [number(value[0]), number(value[1])];
}

function parts(plain: Plain): number[] {
  return (plain as unknown[]).map(number);
}

function entries(plain: Plain): [key: number, count: number][] {
  return (plain as Plain[]).map(([key, count]) => [number(key), number(count)]);
}
