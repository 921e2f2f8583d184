import { assertKnownKeys, assertShape, isPlainObject } from '../check/option-checks.js';
import { requiredMembers } from '../condition/count-members.js';
import { type FloatArray, isFloatArray } from '../core/number-arrays.js';
import { DataError, mentionOption, OptionError, unusable } from '../errors.js';
import { assertCases, assertFinite, assertLength, assertMembers, type Cases } from './cases.js';
import { type ClimateQuantiles, countEvents } from './count-event.js';
import { ForecastCases } from './forecast-cases.js';
import { type GroupSums, SumsTable } from './group-sums.js';
import { assertSkill, type Skill } from './load-skill.js';
import {
  allEvents,
  type CheckedVerification,
  checkVerification,
  conditionsOf,
  type Events,
  eventsOf,
  type VerificationOptions,
} from './options.js';
import { weightOf } from './tally.js';

/** What a group of cases is about, such as `{ lead: 7, month: 'January' }`, for the results. */
export type GroupLabels = Readonly<Record<string, string | number>>;

/** Labels of a group, and the block of time that its cases are in. */
export interface CaseGroup {
  readonly labels?: GroupLabels;
  /**
   * Cases of one block are drawn together when intervals are estimated: such as a year of hindcasts, or the month of a
   * start.
   */
  readonly block?: string | number;
}

/** Cases to verify. */
export interface VerifiedCases extends Cases {
  /** The members of another forecast of the same cases: a climatology, persistence, or another model. */
  readonly reference?: readonly FloatArray[];
  /** Quantiles of the climatology by probability, with a value for each case; terciles are those of 1/3 and 2/3. */
  readonly climate?: ClimateQuantiles;
  /** The weight of each case, such as the area of its cell; rounded to multiples of 2^-20. Default: 1. */
  readonly weights?: FloatArray;
  /** For each case the place of its group in `groups`. Default: all in the first. */
  readonly group?: ArrayLike<number>;
  /** The groups. Default: one without labels. */
  readonly groups?: readonly CaseGroup[];
}

/** Scores of each case, which `add` fills in where they are wanted: NaN of cases that are not scored. */
export interface EachCase {
  readonly crps: Float64Array;
  readonly referenceCrps: Float64Array;
  /** Of equally likely categories, where there are such. */
  readonly rps: Float64Array;
  readonly referenceRps: Float64Array;
}

/** A group, and the row of its sums. */
interface HeldGroup {
  readonly labels: GroupLabels;
  readonly block: string | number | undefined;
  readonly row: number;
}

/** A group of a verification. */
export class VerifiedGroup {
  readonly labels: GroupLabels;
  readonly block: string | number | undefined;
  readonly #table: SumsTable;
  readonly #row: number;

  constructor(labels: GroupLabels, block: string | number | undefined, table: SumsTable, row: number) {
    this.labels = labels;
    this.block = block;
    this.#table = table;
    this.#row = row;
  }

  get sums(): GroupSums {
    return this.#table.groupAt(this.#row);
  }
}

/**
 * The verification of forecasts: sums over cases by group, to which cases and other verifications are added in any order,
 * with the same result to the last bit. `verificationScores` makes scores of it.
 */
export class Verification {
  readonly options: CheckedVerification;
  /** @internal */
  readonly events: Events;
  readonly #skill: Skill;
  readonly #groups = new Map<string, HeldGroup>();
  /** The sums of the groups; there are none before the first case, which says whether there is a reference. */
  #table: SumsTable | undefined;
  /** Space for the sums of cases that are being added. */
  #added: SumsTable | undefined;

  /** Throws OptionError for options that cannot be used. */
  constructor(skill: Skill, options: VerificationOptions = {}) {
    assertSkill(skill);
    this.#skill = skill;
    this.options = checkVerification(options);
    this.events = eventsOf(this.options);
  }

  /** The groups in the order of their labels and blocks as text. @internal */
  get groups(): readonly VerifiedGroup[] {
    return [...this.#groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { labels, block, row }]) => new VerifiedGroup(labels, block, this.#table as SumsTable, row));
  }

  /** Whether cases have a reference; undefined before any were added. */
  get hasReference(): boolean | undefined {
    return this.#table?.shape.hasReference;
  }

  /**
   * Adds cases. One without an observation, with fewer members than `minMemberShare`, or where the reference has fewer,
   * is counted as missing. Throws OptionError for arrays that do not fit each other, and DataError for infinite values,
   * for sums that are not finite, where a quantile of the climatology is needed and not given, and where only some cases have a
   * reference. `each` gets the scores of the cases.
   */
  add(cases: VerifiedCases, each?: EachCase): void {
    assertVerified(cases);
    if (each !== undefined) assertEach(each, cases.observations.length);
    const { members, observations, reference, climate = new Map(), weights, groups = [{}], group } = cases;
    this.#assertReference(reference !== undefined);
    // What fails adds nothing: the sums of these cases are made apart.
    const added = this.#emptyTable(reference !== undefined);
    const sums = groups.map(() => added.addGroup());
    const { minMemberShare } = this.options;
    const observed = countEvents(this.#skill, conditionsOf(this.events), [observations], climate);
    const forecast = new ForecastCases(this, 'members', members, observed, climate);
    const other =
      reference === undefined ? undefined : new ForecastCases(this, 'reference', reference, observed, climate);
    const weightsOf = new Float64Array(observations.length).fill(1);
    weights?.forEach((weight, i) => {
      weightsOf[i] = weightOf(weight);
    });
    const placeOf = (i: number) => (group === undefined ? 0 : group[i]);
    const isValid = new Uint8Array(observations.length);
    for (let i = 0; i < isValid.length; i++) isValid[i] = Number(!Number.isNaN(observations[i]));
    if (reference !== undefined) leaveOut(isValid, reference, requiredMembers(reference.length, minMemberShare));
    const chosen = { isValid, weights: weightsOf, placeOf };
    const needed = requiredMembers(members.length, minMemberShare);
    forecast.addTo(
      this.#skill,
      sums.map((one) => one.forecast),
      observations,
      chosen,
      needed,
      each && { crps: each.crps, rps: each.rps },
    );
    const ofReference = each && { crps: each.referenceCrps, rps: each.referenceRps };
    other?.addTo(
      this.#skill,
      sums.flatMap((one) => one.reference ?? []),
      observations,
      chosen,
      0,
      ofReference,
    );
    for (let i = 0; i < observations.length; i++) {
      const own = sums[placeOf(i)];
      if (isValid[i] === 0) own.addMissing();
      else own.addCase(observations[i], weightsOf[i]);
    }
    groups.forEach((one, k) => {
      this.groupSums(one, reference !== undefined).addGroup(sums[k]);
    });
    this.#added = groups.length <= MAX_KEPT_GROUPS ? added : undefined;
  }

  /**
   * Adds the sums of another verification. Throws OptionError unless it has the same options, and DataError where only one of
   * both has a reference.
   */
  merge(verification: Verification): void {
    assertVerification(verification);
    const [own, others] = [this.options, verification.options].map((options) => JSON.stringify(options));
    if (own !== others)
      throw new OptionError({ subject: 'verification', problem: 'has other options', received: others, allowed: own });
    const { hasReference } = verification;
    if (hasReference === undefined) return;
    this.#assertReference(hasReference);
    for (const group of verification.groups) this.groupSums(group, hasReference).addGroup(group.sums);
  }

  /** The sums of a group, to add to; of all groups the ones of a reference are there, or of none. @internal */
  groupSums(group: CaseGroup, hasReference: boolean): GroupSums {
    this.#table ??= this.newTable(hasReference);
    this.#assertReference(hasReference);
    return this.#table.groupAt(this.#rowOf(group, this.#table));
  }

  /** A table for sums like the ones of this verification. @internal */
  newTable(hasReference: boolean): SumsTable {
    return new SumsTable({
      ...{ quantiles: this.options.quantiles.length, events: allEvents(this.events).length, hasReference },
    });
  }

  /** The kernels. @internal */
  get skill(): Skill {
    return this.#skill;
  }

  #emptyTable(hasReference: boolean): SumsTable {
    const kept = this.#added?.shape.hasReference === hasReference ? this.#added : undefined;
    kept?.clear();
    return kept ?? this.newTable(hasReference);
  }

  #assertReference(has: boolean): void {
    if (this.hasReference === undefined || this.hasReference === has) return;
    throw new DataError({
      subject: 'reference',
      problem: has ? 'is given, and was not for cases before' : 'is missing, and was given for cases before',
      allowed: 'a reference for all cases, or for none: skill is of the same cases',
    });
  }

  #rowOf({ labels = {}, block }: CaseGroup, table: SumsTable): number {
    const sorted = Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const key = JSON.stringify([sorted, block ?? null]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size === MAX_GROUPS) throw tooManyGroups();
      group = { labels: sorted, block, row: table.addGroup().row };
      this.#groups.set(key, group);
    }
    return group.row;
  }
}

/** Space for so many groups is kept for the next cases. */
const MAX_KEPT_GROUPS = 4096;

/** Each takes about two kilobytes. */
const MAX_GROUPS = 500_000;

function tooManyGroups(): DataError {
  return new DataError({
    subject: 'groups',
    problem: 'are too many to be held: each combination of labels, such as a place, is one in each block of time',
    allowed: `at most ${MAX_GROUPS.toLocaleString('en')}: fewer places or labels, or without intervals ${mentionOption('block', 'none')}`,
  });
}

/** Throws OptionError for what is no verification. */
export function assertVerification(verification: unknown): asserts verification is Verification {
  if (!(verification instanceof Verification)) throw unusable('verification', verification, 'a Verification');
}

/** Leaves out cases with fewer members than so many. */
function leaveOut(isValid: Uint8Array, members: readonly FloatArray[], needed: number): void {
  const missing = new Int32Array(isValid.length);
  for (const values of members) {
    for (let i = 0; i < missing.length; i++) missing[i] += Number(Number.isNaN(values[i]));
  }
  for (let i = 0; i < missing.length; i++) if (members.length - missing[i] < needed) isValid[i] = 0;
}

/** Throws OptionError for arrays that cannot take a number of each case. */
function assertEach(each: EachCase, length: number): void {
  const names = ['crps', 'rps', 'referenceCrps', 'referenceRps'] as const;
  assertShape('each', each, Object.fromEntries(names.map((name) => [name, 'doubles' as const])));
  for (const name of names) assertLength(`each.${name}`, each[name], length);
}

/** Throws OptionError and DataError for cases that cannot be verified. */
function assertVerified(cases: VerifiedCases): void {
  assertCases(cases);
  const { observations, reference, climate, weights, group, groups } = cases;
  const { length } = observations;
  assertFinite('observations', observations);
  if (reference !== undefined) assertMembers('reference', reference, length);
  if (climate !== undefined && !(climate instanceof Map))
    throw unusable('climate', climate, 'a Map of arrays by probability');
  climate?.forEach((values, probability) => {
    assertLength(`climate, ${probability}`, values, length);
  });
  if (weights !== undefined) {
    if (!isFloatArray(weights)) throw unusable('weights', weights, 'a Float32Array or Float64Array');
    assertLength('weights', weights, length);
    const at = weights.findIndex((weight) => !(weight >= 0 && weight <= 1e6));
    if (at >= 0) throw unusable(`weights[${at}]`, weights[at], 'numbers from 0 to a million');
  }
  if (groups !== undefined && !(Array.isArray(groups) && groups.length > 0))
    throw unusable('groups', groups, 'a list of { labels, block }');
  groups?.forEach(assertGroup);
  if (group === undefined) return;
  if (!Array.isArray(group) && !ArrayBuffer.isView(group)) throw unusable('group', group, 'a list of places in groups');
  assertLength('group', group, length);
  const count = groups?.length ?? 1;
  const at = Array.from(group).findIndex((place) => !(Number.isInteger(place) && place >= 0 && place < count));
  if (at >= 0) throw unusable(`group[${at}]`, group[at], `whole numbers from 0 to ${count - 1}, places in groups`);
}

const isLabel = (value: unknown) => typeof value === 'string' || Number.isFinite(value);

function assertGroup(group: CaseGroup, place: number): void {
  const subject = `groups[${place}]`;
  if (!isPlainObject(group)) throw unusable(subject, group, 'an object such as { labels: { lead: 7 }, block: 2026 }');
  assertKnownKeys(group, ['labels', 'block'], subject);
  const { labels, block } = group;
  if (block !== undefined && !isLabel(block)) throw unusable(`${subject}.block`, block, 'a text or a number');
  if (labels === undefined) return;
  if (!isPlainObject(labels) || !Object.values(labels).every(isLabel))
    throw unusable(`${subject}.labels`, labels, 'an object of texts and numbers');
}
