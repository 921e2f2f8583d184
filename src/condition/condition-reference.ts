import type { Core } from '../core/load.js';
import { concatenate, type FloatArray, floatArray } from '../core/number-arrays.js';
import { combineWindows } from '../statistics/compute.js';
import type { CheckedStatisticsOptions } from '../statistics/options.js';
import { resultColumn } from '../statistics/result-column.js';
import { type ConcatResults, type EnsembleHead, type Reference, windowRule } from '../statistics/statistics-plan.js';
import type { WindowValue } from '../statistics/window-value.js';
import { groupsOfParts, resultsOf, type WindowedPart } from '../statistics/windowed-part.js';
import type { NewColumn } from '../table/build/create-table.js';
import type { Condition } from './condition.js';
import { conditionStatistic } from './condition-text.js';
import { countMembers, type MemberCounts, memberBits, requiredMembers, shareOfMembers } from './count-members.js';

/** What has the limits that quantiles of a climatology are. */
interface ClimateLimits extends Reference {
  limitsAt(part: WindowedPart, probability: number): FloatArray;
}

/** So many results are looked at together: their windows are in memory for all members. */
const RESULTS_AT_ONCE = 8192;

/**
 * Adds the shares of members with conditions on one variable to its statistics, before the columns of a climatology.
 * Comparisons have no variable.
 */
export class ConditionReference implements Reference {
  readonly metadata: ReadonlyMap<string, string>;
  readonly #core: Core;
  readonly #conditions: readonly Condition[];
  readonly #climate: ClimateLimits | undefined;
  readonly #rule: WindowValue;
  readonly #options: CheckedStatisticsOptions;

  /** `climate` must have the quantiles of the conditions. */
  constructor(
    core: Core,
    conditions: readonly Condition[],
    ensemble: EnsembleHead,
    options: CheckedStatisticsOptions,
    climate?: ClimateLimits,
  ) {
    this.metadata = climate?.metadata ?? new Map();
    this.#core = core;
    this.#conditions = conditions;
    this.#climate = climate;
    this.#rule = windowRule(ensemble, options);
    this.#options = options;
  }

  categories(part: WindowedPart) {
    return this.#climate?.categories(part) ?? [];
  }

  columns(parts: readonly WindowedPart[], concat: ConcatResults): NewColumn[] {
    const shares = [...groupsOfParts(parts, RESULTS_AT_ONCE)].flat().map((part) => this.#shares(part));
    const of = `${this.#options.granularity} ${this.#rule}`;
    const own = this.#conditions.map((condition, k) =>
      resultColumn(conditionStatistic(condition), concatenate(shares.map((each) => each[k])), of),
    );
    return [...own, ...(this.#climate?.columns(parts, concat) ?? [])];
  }

  /** The shares of each condition. */
  #shares(part: WindowedPart): FloatArray[] {
    const { field, windows } = part;
    const { type } = field;
    const length = resultsOf(part);
    const members = field.members.length;
    if (length === 0) return this.#conditions.map(() => floatArray(type, 0));
    const values = memberBits(type, combineWindows(this.#core, field, windows, this.#rule));
    const required = requiredMembers(members, this.#options.minMemberShare);
    const limit = (probability: number) => this.#climate?.limitsAt(part, probability) as FloatArray;
    return this.#conditions.map((condition) =>
      shareColumn(countMembers(condition, { members, length, of: () => values, limit }), required, type),
    );
  }
}

/** The shares of members in an array of a type. */
function shareColumn(counts: MemberCounts, required: number, type: 'float32' | 'float64'): FloatArray {
  const shares = shareOfMembers(counts, required);
  return type === 'float32' ? Float32Array.from(shares) : shares;
}
