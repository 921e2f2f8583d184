import type { Table } from 'apache-arrow';
import { type EnsembleField, sliceCells } from '../core/field.js';
import type { Core } from '../core/load.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import { DataError, NoWindowError, OptionError } from '../errors.js';
import { dateText } from '../period/calendar.js';
import type { WindowTable } from '../period/period.js';
import { type CheckedStatisticsOptions, requestedWindows } from '../statistics/options.js';
import { resultColumn } from '../statistics/result-column.js';
import { type EnsembleHead, resultMetadata, windowRule } from '../statistics/statistics-plan.js';
import type { WindowValue } from '../statistics/window-value.js';
import { windowWords } from '../statistics/window-words.js';
import {
  moreLabels,
  placeColumns,
  type ResultLabels,
  resultLabels,
  resultsOf,
  type WindowedPart,
} from '../statistics/windowed-part.js';
import { createTable } from '../table/build/create-table.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { type Condition, leavesOf, neededQuantiles } from './condition.js';
import { conditionStatistic, conditionText } from './condition-text.js';
import {
  boundsOf,
  countComplete,
  countMembers,
  type MemberBits,
  requiredMembers,
  shareOfMembers,
} from './count-members.js';
import { pairMembers } from './pair-members.js';
import { uniqueConditions } from './sort-conditions.js';
import { windowBits } from './window-bits.js';

/** What is known of one variable of several before its values are read. */
export interface JointVariable extends EnsembleHead {
  /** Its name in conditions; undefined where it is the only one, which comparisons do not name. */
  readonly name: string | undefined;
  /** Its name in messages. */
  readonly source: string;
  /** The names of its members. */
  readonly members: readonly string[];
  readonly firstDay: number;
  readonly days: number;
  /** For each result of a part a quantile of its climatology, where it has one; NaN where that has no value. */
  readonly limitsAt?: (part: WindowedPart, quantile: number) => FloatArray;
  /** What its windows hold, where that is something else than the options say. */
  readonly window?: WindowValue | undefined;
}

/** Results by cell and then window. */
export interface JointResults {
  readonly members: Int32Array;
  /** For each condition. */
  readonly shares: readonly FloatArray[];
}

/** So many results are looked at together: their windows are in memory for all members and variables. */
const RESULTS_AT_ONCE = 8192;

/**
 * Shares of members with conditions on several variables of one ensemble, whose members are paired by number: a member
 * counts where it is known whether the condition holds for it.
 */
export class JointShares {
  /** For people: which members have no counterpart. */
  readonly note: string | undefined;
  readonly windows: WindowTable;
  readonly #core: Core;
  readonly #variables: readonly JointVariable[];
  readonly #conditions: readonly Condition[];
  readonly #options: CheckedStatisticsOptions;
  readonly #rules: readonly WindowValue[];
  readonly #positions: readonly (readonly number[])[];
  readonly #metadata: ReadonlyMap<string, string>;
  #labels?: ResultLabels;

  /** Throws OptionError and DataError for conditions and variables that do not fit together. */
  constructor(
    core: Core,
    variables: readonly JointVariable[],
    conditions: readonly Condition[],
    options: CheckedStatisticsOptions,
  ) {
    assertNamed(conditions, variables);
    assertOneCalendar(variables);
    const { positions, note } = pairMembers(variables);
    this.note = note;
    this.#core = core;
    this.#variables = variables;
    this.#conditions = uniqueConditions(conditions);
    this.#options = options;
    this.#positions = positions;
    this.#rules = variables.map(({ window = options.window, ...ensemble }) =>
      windowRule(ensemble, { ...options, window, source: ensemble.source }),
    );
    this.windows = commonWindows(variables, options);
    this.#metadata = commonMetadata(variables, options, this.#rules);
  }

  get #label(): string | undefined {
    const [{ name, variable }] = this.#variables;
    return name === undefined ? variable?.slug : this.#variables.map((each) => each.name).join('+');
  }

  get #units(): string | undefined {
    return this.#variables.length === 1 ? this.#variables[0].units : undefined;
  }

  /** The number of members that all variables have. */
  get members(): number {
    return this.#positions[0].length;
  }

  /** The shares at some cells: one field for each variable, values by cell and then day, all of one type. */
  table(fields: readonly EnsembleField[], places: Omit<EnsemblePart, 'field'>): Table {
    return this.tableOf(this.results(fields, places), fields[0], places);
  }

  /** The table of results at some cells; `field` is one of any cells. */
  tableOf({ members, shares }: JointResults, field: EnsembleField, places: Omit<EnsemblePart, 'field'>): Table {
    const cells = places.latitude.length;
    const part: WindowedPart = { ...places, field: { ...field, cells, order: 'day-fastest' }, windows: this.windows };
    this.#labels =
      this.#labels === undefined ? resultLabels(this.#label, this.#units, [part]) : moreLabels(this.#labels, [part]);
    return createTable(
      [
        ...placeColumns([part], this.#labels),
        resultColumn({ kind: 'count', of: 'members' }, members),
        ...this.#conditions.map((condition, k) => resultColumn(conditionStatistic(condition), shares[k])),
      ],
      this.#metadata,
    );
  }

  /** The results at some cells, by cell and then window; fields as `table` takes them. */
  results(fields: readonly EnsembleField[], places: Omit<EnsemblePart, 'field'>): JointResults {
    const { windows } = this;
    const [{ type, cells }] = fields;
    const part: WindowedPart = { ...places, field: { ...fields[0], order: 'day-fastest' }, windows };
    const members = new Int32Array(resultsOf(part));
    const shares = this.#conditions.map(() => floatArray(type, members.length));
    const limits = this.#limits(part);
    const step = Math.max(1, Math.floor(RESULTS_AT_ONCE / Math.max(1, windows.count)));
    for (let cell = 0; cell < cells; cell += step) {
      const some = fields.map((field) => sliceCells(field, cell, Math.min(cell + step, cells)));
      this.#compute(some, cell * windows.count, members, shares, limits);
    }
    return { members, shares };
  }

  /** The quantiles of climatologies at all results of a part, each found once. */
  #limits(part: WindowedPart): (quantile: number, variable: string | undefined) => FloatArray {
    const found = new Map<string, FloatArray>();
    return (quantile, name) => {
      const key = `${quantile} ${name}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const limits = this.#variables.find((variable) => variable.name === name)?.limitsAt?.(part, quantile);
      found.set(key, limits ?? new Float64Array(resultsOf(part)).fill(Number.NaN));
      return found.get(key) as FloatArray;
    };
  }

  /** Computes some cells, and writes their results from `at` on. */
  #compute(
    fields: readonly EnsembleField[],
    at: number,
    valid: Int32Array,
    shares: readonly FloatArray[],
    limits: (quantile: number, variable: string | undefined) => FloatArray,
  ): void {
    const [{ type, cells }] = fields;
    const length = cells * this.windows.count;
    if (length === 0) return;
    const limit = (quantile: number, variable: string | undefined) =>
      limits(quantile, variable).subarray(at, at + length);
    const byName = new Map<string | undefined, MemberBits>();
    for (const [v, field] of fields.entries()) {
      const members = this.#positions[v].map((m) => field.members[m]);
      const { name } = this.#variables[v];
      const own = { ...field, members, place: placeOf(field, this.#positions[v]) };
      const bounds = boundsOf(this.#conditions, name, { limit }, type);
      byName.set(name, windowBits(this.#core, own, this.windows, this.#rules[v], bounds));
    }
    countComplete([...byName.values()], valid.subarray(at, at + length));
    const of = (variable: string | undefined) => byName.get(variable) as MemberBits;
    const required = requiredMembers(this.members, this.#options.minMemberShare);
    const values = { members: this.members, length, of, limit };
    for (const [k, condition] of this.#conditions.entries()) {
      shares[k].set(shareOfMembers(countMembers(condition, values), required), at);
    }
  }
}

/** Where values are, of members that are some of a field's. */
function placeOf({ place }: EnsembleField, positions: readonly number[]): EnsembleField['place'] {
  return place && ((member, row) => place(positions[member], row));
}

/** Throws OptionError for comparisons without a variable, of other variables, or with quantiles of a climatology that is not there. */
function assertNamed(conditions: readonly Condition[], variables: readonly JointVariable[]): void {
  const names = variables.map(({ name }) => name);
  for (const condition of conditions) {
    const fail = (problem: string, allowed: string) =>
      new OptionError({ subject: 'condition', problem, received: conditionText(condition), allowed });
    for (const leaf of leavesOf(condition)) {
      const { variable } = leaf;
      if (variable === undefined && !names.includes(undefined))
        throw fail('does not say of which variable a comparison is', names.map((name) => `${name}>5`).join(', '));
      if (!names.includes(variable))
        throw fail(
          `is of ${variable}, which is not there`,
          names.filter((name) => name !== undefined).join(', ') || 'no variable',
        );
      const { limitsAt } = variables.find(({ name }) => name === variable) as JointVariable;
      if (limitsAt === undefined && neededQuantiles([leaf]).length > 0)
        throw fail(`compares ${variable ?? 'values'} with a climatology, and there is none of it`, 'numbers');
    }
  }
}

/** Throws DataError for variables in different calendars. */
function assertOneCalendar(variables: readonly JointVariable[]): void {
  assertConsistent(
    variables.map(({ source, metadata }) => ({
      source,
      ensemble: { variable: undefined, units: undefined, metadata },
    })),
  );
}

/** The windows within the days that all variables have. */
function commonWindows(variables: readonly JointVariable[], options: CheckedStatisticsOptions): WindowTable {
  const calendar = statedCalendar(variables[0].metadata, variables[0].source);
  const firstDay = Math.max(...variables.map((each) => each.firstDay));
  const lastDay = Math.min(...variables.map((each) => each.firstDay + each.days - 1));
  const span = (from: number, to: number) => `${dateText(calendar, from)} to ${dateText(calendar, to)}`;
  if (lastDay < firstDay) {
    const spans = variables.map((each) => `${each.name} ${span(each.firstDay, each.firstDay + each.days - 1)}`);
    throw new DataError({ problem: 'no day is common to all variables', received: spans.join(', ') });
  }
  const windows = requestedWindows({ firstDay, days: lastDay - firstDay + 1 }, options, calendar);
  if (windows.count > 0) return windows;
  throw new NoWindowError({
    source: variables.map(({ source }) => source).join(', '),
    problem: `no ${windowWords(options.granularity, options.partial)}`,
    allowed: `windows within the common days, ${span(firstDay, lastDay)}`,
  });
}

/** What all variables state alike, and the windows. */
function commonMetadata(
  variables: readonly JointVariable[],
  options: CheckedStatisticsOptions,
  rules: readonly WindowValue[],
): ReadonlyMap<string, string> {
  const [first, ...others] = variables.map((each, v) => resultMetadata(each, options, rules[v]));
  if (variables.length > 1) for (const key of ['variable', 'units']) first.delete(key);
  return new Map([...first].filter(([key, value]) => others.every((metadata) => metadata.get(key) === value)));
}
