import { climateKeyIndex } from '../../climate/climatology.js';
import { type Condition, withVariables } from '../../condition/condition.js';
import { conditionStatistic } from '../../condition/condition-text.js';
import {
  countMembers,
  type MemberBits,
  memberBits,
  requiredMembers,
  shareOfMembers,
} from '../../condition/count-members.js';
import type { EnsembleField } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import type { Granularity, WindowTable } from '../../period/period.js';
import type { ConditionShare } from '../../respond/answer-data.js';
import { combineWindows } from '../../statistics/compute.js';
import type { Threshold } from '../../statistics/options.js';
import type { Variable } from '../../variable/variable.js';
import { MIN_MEMBER_SHARE } from './core-buffers.js';
import { type HorizonMembers, horizonValues, type WindowTools } from './horizon-members.js';
import type { PointClimatology } from './point-climatology.js';

/** A condition on variables of an answer. */
export interface RequestedCondition {
  /** Each of its comparisons names a variable, by its slug. */
  readonly condition: Condition;
  /** These variables, each once, in the order in which they are named. */
  readonly variables: readonly Variable[];
}

/** A variable of an answer, its windows, and the climatology of its place, where conditions need that. */
export interface ConditionedVariable {
  readonly variable: Variable;
  readonly field: EnsembleField;
  readonly windows: WindowTable;
  readonly climatology?: PointClimatology | undefined;
}

/** A comparison with a number, which kernels count; undefined for other conditions. */
function thresholdOf({ condition }: RequestedCondition): Threshold | undefined {
  if (condition.kind !== 'comparison' || typeof condition.limit !== 'number') return undefined;
  return { operator: condition.operator, limit: condition.limit };
}

/** The comparisons of a variable with numbers, in their order. */
export function thresholdsOf(variable: Variable, requested: readonly RequestedCondition[]): Threshold[] {
  return requested.flatMap((one) => (one.variables[0] === variable ? (thresholdOf(one) ?? []) : []));
}

/** The conditions on more variables than one. */
export function jointConditions(requested: readonly RequestedCondition[]): RequestedCondition[] {
  return requested.filter(({ variables }) => variables.length > 1);
}

/** The shares of members of an answer with conditions, comparisons with numbers aside. */
export class PointConditions {
  readonly #tools: WindowTools;
  readonly #conditions: readonly RequestedCondition[];
  readonly #variables: readonly ConditionedVariable[];
  readonly #joint = new Map<Condition, { readonly windows: WindowTable; readonly values: Float32Array }>();

  /** Climatologies must have the quantiles of the conditions; variables of one condition must have the same members. */
  constructor(tools: WindowTools, requested: readonly RequestedCondition[], variables: readonly ConditionedVariable[]) {
    this.#tools = tools;
    this.#conditions = requested.filter((one) => thresholdOf(one) === undefined);
    this.#variables = variables;
  }

  /** The shares in the windows of a variable: over all members of its horizons where these are given. */
  of(index: number, members?: HorizonMembers): ConditionShare[] {
    const one = this.#variables[index];
    return this.#conditions.flatMap(({ condition, variables }) => {
      if (!variables.includes(one.variable)) return [];
      if (variables.length > 1) {
        return { statistic: conditionStatistic(condition), values: this.#jointIn(one.windows, condition, variables) };
      }
      const { core } = this.#tools;
      const unnamed = withVariables(condition, () => undefined);
      const shareIn = (field: EnsembleField, windows: WindowTable) =>
        sharesOf(core, unnamed, new Map([[undefined, { ...one, field }]]), windows);
      const values =
        members === undefined
          ? shareIn(one.field, one.windows)
          : horizonValues(this.#tools, members, one.windows, ({ field }, windows) => shareIn(field, windows));
      return { statistic: conditionStatistic(unnamed), values };
    });
  }

  /** The share of a condition on several variables in the windows of one of them, NaN where others have no window. */
  #jointIn(windows: WindowTable, condition: Condition, variables: readonly Variable[]): Float32Array {
    const found = this.#joint.get(condition) ?? this.#compute(condition, variables);
    this.#joint.set(condition, found);
    const values = new Float32Array(windows.count).fill(Number.NaN);
    // Complete windows of some of the days are consecutive ones of all.
    if (found.windows.count > 0) values.set(found.values, windows.start.indexOf(found.windows.start[0]));
    return values;
  }

  #compute(condition: Condition, variables: readonly Variable[]) {
    const bySlug = new Map(
      this.#variables.filter(({ variable }) => variables.includes(variable)).map((one) => [one.variable.slug, one]),
    );
    const all = [...bySlug.values()].map(({ windows }) => windows);
    const firstDay = Math.max(...all.map((windows) => windows.firstDay));
    const lastDay = Math.min(...all.map((windows) => windows.lastDay));
    const { core, windows: tables } = this.#tools;
    const windows = tables.find(all[0].granularity as Granularity, firstDay, Math.max(firstDay - 1, lastDay));
    return { windows, values: sharesOf(core, condition, bySlug, windows) };
  }
}

/** The shares in windows that all variables have. */
function sharesOf(
  core: Core,
  condition: Condition,
  variables: ReadonlyMap<string | undefined, ConditionedVariable>,
  windows: WindowTable,
): Float32Array {
  const { count, granularity, start } = windows;
  if (count === 0) return new Float32Array(0);
  const rows = new Map<string | undefined, MemberBits>();
  for (const [name, { field, variable }] of variables) {
    rows.set(name, memberBits(field.type, combineWindows(core, field, windows, variable.window)));
  }
  const [{ field }] = variables.values();
  const members = field.members.length;
  const counts = countMembers(condition, {
    ...{ members, length: count },
    of: (name) => rows.get(name) as MemberBits,
    limit(quantile, name) {
      const values = variables.get(name)?.climatology?.quantileAt(quantile);
      return Float64Array.from(
        start,
        (day) => values?.[climateKeyIndex(granularity as Granularity, day)] ?? Number.NaN,
      );
    },
  });
  return Float32Array.from(shareOfMembers(counts, requiredMembers(members, MIN_MEMBER_SHARE)));
}
