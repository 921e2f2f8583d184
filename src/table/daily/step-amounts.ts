import { DataType, type Table, type Vector } from 'apache-arrow';
import { assertOneOf } from '../../check/option-checks.js';
import type { MemberColumn } from '../../core/member-column.js';
import {
  ACCUMULATIONS,
  type Accumulation,
  type Amounts,
  mayStateAmounts,
  readAccumulation,
  type StepEdges,
  statedAmounts,
  stepEdges,
} from '../../ensemble/accumulation.js';
import { AccumulationEvidence } from '../../ensemble/accumulation-evidence.js';
import { stepSeconds } from '../../ensemble/daily-steps.js';
import { isPlumecastError, OptionError, subjectIn } from '../../errors.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { DAY_SECONDS } from '../../period/day.js';
import type { UnitConversion } from '../../variable/unit-conversion.js';
import type { Variable } from '../../variable/variable.js';
import { dayColumn, parseDateText } from '../columns/day-column.js';
import type { EnsembleRows } from '../rows/row-reader.js';
import type { DailyTableOptions } from './daily-options.js';
import { RUN_COLUMNS } from './lead-times.js';
import type { StepSeries } from './step-series.js';
import { type StepTable, stepRule } from './step-table.js';
import { timeColumn } from './time-column.js';

/** The number of values that are examined together. */
const BATCH = 262_144;

/** Rows of amounts, as series by place and member. */
export interface AmountRows {
  readonly table: Table;
  readonly plan: StepTable;
  readonly rows: EnsembleRows;
  readonly series: readonly StepSeries[];
  /** In seconds. */
  readonly times: Float64Array;
}

/** What the amounts of the tables of one input count, which is decided once for all of them. */
export class StepAmounts {
  /** What the caller says that amounts count. */
  readonly #accumulation: Accumulation | undefined;
  readonly #options: DailyTableOptions;
  #decided: Amounts | undefined;
  /**
   * The evidence of the first table that left it open, as both ways to count gave the same days, though amounts were
   * not 0.
   */
  #undecided: AccumulationEvidence | undefined;
  #init: number | undefined;

  /** Throws OptionError for an unknown accumulation. */
  constructor(options: DailyTableOptions) {
    this.#accumulation = givenAccumulation(options);
    this.#options = options;
  }

  /** The start of the run, if the last table stated it. */
  get init(): number | undefined {
    return this.#init;
  }

  /**
   * What the amounts of a table count: what the option says, else what metadata state, else what its values show.
   * Undefined for rates. Throws OptionError if none of these decides it, and for rates that the option says accumulate.
   */
  of(found: AmountRows, variable: Variable, { perSecond, factor }: UnitConversion): Amounts | undefined {
    const { source } = this.#options;
    const accumulation = this.#accumulation ?? 'per-step';
    if (perSecond && accumulation !== 'per-step') {
      throw new OptionError({
        subject: subjectIn(source, 'accumulation'),
        problem: `${variable.slug} is given as rates, which do not accumulate`,
        received: accumulation,
        allowed: 'per-step',
      });
    }
    if (perSecond) return undefined;
    this.#init = runStart(found);
    this.#decided ??= this.#decide(found, variable, 10 ** -variable.decimals / factor);
    return this.#decided ?? { kind: 'either', by: 'by their values' };
  }

  /** Undefined if both ways to count give the same days. */
  #decide(found: AmountRows, variable: Variable, smallest: number): Amounts | undefined {
    const { stamps = 'end', source } = this.#options;
    const accumulation = this.#accumulation;
    const given = accumulation && readAccumulation(accumulation, this.#init);
    if (given !== undefined) return given;
    if (found.plan.areOfPrecedingSteps && accumulation === undefined) {
      return { kind: 'per-step', by: 'as Open-Meteo gives them' };
    }
    const axis = axisOf(found);
    if (axis.length < 2) return undefined;
    const edges = stepEdges(axis, stepSeconds(axis, stamps), stamps);
    const stated = accumulation === undefined ? statedAmounts(statedTexts(found.table, found.plan), edges) : undefined;
    if (stated !== undefined) return stated;
    const evidence = evidenceOf(found, edges, axis, { init: this.#init, smallest, accumulation });
    const amounts = evidence.amounts(accumulation);
    if (amounts === undefined) throw evidence.unclear(subjectIn(source, 'accumulation'), variable.slug, accumulation);
    if (amounts.kind === 'either') {
      if (!evidence.isNegligible) this.#undecided ??= evidence;
      return undefined;
    }
    if (amounts.kind !== 'per-step' && this.#undecided !== undefined) {
      throw this.#undecided.unclear(subjectIn(source, 'accumulation'), variable.slug, accumulation);
    }
    return amounts;
  }
}

/** What the caller says that amounts count. Throws OptionError for an unknown accumulation. */
function givenAccumulation({ accumulation }: DailyTableOptions): Accumulation | undefined {
  if (accumulation !== undefined) assertOneOf('accumulation', accumulation, ACCUMULATIONS);
  return accumulation;
}

/** The times of all series. */
export function axisOf({ series, times }: Pick<AmountRows, 'series' | 'times'>): Float64Array {
  const all = new Set<number>();
  for (const { rows } of series) for (const row of rows) all.add(times[row]);
  return Float64Array.from(all).sort();
}

/** Examines series, spread evenly over all, until they show what amounts count. */
function evidenceOf(
  found: AmountRows,
  edges: StepEdges,
  axis: Float64Array,
  context: { init: number | undefined; smallest: number; accumulation: Accumulation | undefined },
): AccumulationEvidence {
  const evidence = new AccumulationEvidence(edges, context);
  const { members } = found.rows;
  const count = found.series.length * members.length;
  const batches = Math.ceil(count / Math.max(1, Math.floor(BATCH / axis.length)));
  for (let first = 0; first < batches; first++) {
    const batch: Float64Array[] = [];
    for (let i = first; i < count; i += batches) {
      const { rows } = found.series[Math.floor(i / members.length)];
      batch.push(alongAxis(rows, found.times, axis, members[i % members.length]));
    }
    evidence.add(batch);
    const amounts = evidence.amounts(context.accumulation);
    if (amounts !== undefined && amounts.kind !== 'either') break;
  }
  return evidence;
}

function alongAxis(rows: Int32Array, times: Float64Array, axis: Float64Array, member: MemberColumn): Float64Array {
  const values = new Float64Array(axis.length).fill(Number.NaN);
  let at = 0;
  for (const row of rows) {
    while (axis[at] < times[row]) at++;
    values[at] = member.value(row);
  }
  return values;
}

/** The start of the run, from the metadata or from a column that has the same time in all rows. */
export function runStart({ table, plan: { roles, dateColumn, calendar } }: AmountRows): number | undefined {
  const stated = table.schema.metadata.get('init_time');
  if (stated !== undefined) {
    const text = /(Z|[+-]\d{2}:?\d{2})$/i.test(stated) || stated.length <= 10 ? stated : `${stated}Z`;
    const time = calendar === undefined ? Date.parse(text) / 1000 : modelTime(text, calendar);
    return Number.isNaN(time) ? undefined : time;
  }
  const taken = Object.values(roles);
  const name = table.schema.names.map(String).find((each) => RUN_COLUMNS.test(each) && !taken.includes(each));
  if (name === undefined || name === dateColumn) return undefined;
  const column = table.getChild(name) as Vector;
  if (DataType.isInt(column.type) || DataType.isFloat(column.type)) return undefined;
  const starts = startsOf(column, name, calendar);
  const start = starts?.[0] ?? Number.NaN;
  return starts?.every((time) => time === start) && !Number.isNaN(start) ? start : undefined;
}

/** The time of a text in a model calendar; NaN if it is not a time. */
function modelTime(text: string, calendar: ModelCalendar): number {
  const date = parseDateText(text, calendar);
  return 'time' in date ? date.time / 1000 : Number.NaN;
}

/** The times of a column; undefined if they have an unknown form. */
function startsOf(column: Vector, name: string, calendar?: ModelCalendar): Float64Array | undefined {
  try {
    return timeColumn(column, name, undefined, calendar);
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return undefined;
  }
}

/** The metadata of the schema and of the columns of values. */
export function statedTexts(table: Table, plan: StepTable): ReadonlyMap<string, string> {
  const first = table.schema.fields.find(({ name }) => plan.values.names.includes(name));
  return new Map([...table.schema.metadata, ...(first?.metadata ?? [])]);
}

/** How to read a table of daily amounts that grow from day to day as one of time steps. */
export interface GrowingDays {
  readonly plan: StepTable;
  readonly options: DailyTableOptions;
}

/**
 * Reads a table of daily amounts as one of time steps of a day each, if the option `accumulation` or its metadata say
 * that they grow; undefined for all other tables. Throws OptionError for an unknown accumulation.
 */
export function growingDays(table: Table, plan: StepTable, options: DailyTableOptions): GrowingDays | undefined {
  const { variable, times, units } = plan;
  if (times !== undefined || variable === undefined || stepRule(variable) !== 'sum') return undefined;
  const accumulation = givenAccumulation(options);
  if (accumulation === 'per-step') return undefined;
  if (accumulation === undefined && !mayStateAmounts(statedTexts(table, plan))) return undefined;
  const days = dayColumn(table.getChild(plan.dateColumn) as Vector, plan.dateColumn, options.source, plan.calendar);
  const starts = Float64Array.from(days, (day) => day * DAY_SECONDS);
  const known = accumulation ?? statedAmounts(statedTexts(table, plan), edgesOf(starts))?.kind;
  if (known === undefined || known === 'per-step' || known === 'either') return undefined;
  return {
    plan: { ...plan, times: starts, units: units ?? options.units ?? variable.units },
    options: { ...options, accumulation: known, stamps: 'start' },
  };
}

function edgesOf(starts: Float64Array) {
  const axis = Float64Array.from(new Set(starts)).sort();
  return stepEdges(axis, new Float64Array(axis.length).fill(DAY_SECONDS), 'start');
}
