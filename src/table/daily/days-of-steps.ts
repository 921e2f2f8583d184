import type { Table } from 'apache-arrow';
import { type Amounts, amountsInWords, freshSteps, knownDays, stepEdges } from '../../ensemble/accumulation.js';
import { isFall, roundingTolerance } from '../../ensemble/accumulation-evidence.js';
import { type DailySteps, dailySteps, type Stamps } from '../../ensemble/daily-steps.js';
import { LocalDays } from '../../ensemble/local-days.js';
import {
  assertUnsplit,
  localDayNotes,
  localSteps,
  shareOfStep,
  splitSteps,
  withoutShares,
} from '../../ensemble/local-steps.js';
import type { PlaceDays } from '../../ensemble/place-days.js';
import type { PlaceLabels } from '../../ensemble/place-labels.js';
import type { TimeMeaning } from '../../ensemble/time-meaning.js';
import { DataError, isPlumecastError, mentionOption, OptionError, subjectIn } from '../../errors.js';
import { DAY_KEYS } from '../../period/stated-days.js';
import { allowedVariables } from '../../variable/find-variable.js';
import type { UnitConversion } from '../../variable/unit-conversion.js';
import type { Variable } from '../../variable/variable.js';
import { wideTable } from '../build/wide-table.js';
import { describePlace, rowNumber } from '../rows/row-index.js';
import { type EnsembleRows, readRows } from '../rows/row-reader.js';
import type { DailyTableOptions, RowsOfSteps } from './daily-options.js';
import { daysOfPlaces } from './days-of-places.js';
import { axisOf, StepAmounts } from './step-amounts.js';
import { type StepSeries, stepSeries } from './step-series.js';
import { type StepRule, type StepTable, stepRule, stepsInWords } from './step-table.js';
import { StepTimes } from './step-times.js';
import { resolveStepUnits } from './step-units.js';
import { utcDayCheck } from './time-column.js';
import { type MemberDays, wideDays } from './wide-days.js';

/** A table of days made from time steps; it has no rows if no day is whole. */
export interface DaysOfSteps {
  readonly table: Table;
  /** What was done to the values, for people. */
  readonly conversions: readonly string[];
  /** What may be wrong: what times stand for, where nothing states it. */
  readonly warnings: readonly string[];
  /** What amounts count; undefined for other values. */
  readonly accumulation?: Amounts['kind'];
  /** What times stand for, and by which evidence. */
  readonly times?: TakenTimes;
}

/** What the times of steps stand for, and by which evidence. */
export type TakenTimes = Pick<TimeMeaning, 'stamps' | 'by'>;

/** What is decided once for all tables of an input. */
export interface KnownSteps {
  readonly amounts: StepAmounts;
  readonly times: StepTimes;
}

export function knownSteps(options: DailyTableOptions): KnownSteps {
  return { amounts: new StepAmounts(options), times: new StepTimes(options) };
}

/**
 * Combines the time steps of a table to a wide table of days, as `dailyTable` does. Throws as that does, except if no
 * day is whole. What amounts count and times stand for is decided once for the tables of an input, which share `known`.
 * Days are of UTC, or `local`, which may be of zones by place. With the option `makeRows` each step is a row,
 * and dates are their numbers.
 */
export function combineSteps(
  table: Table,
  plan: StepTable,
  options: DailyTableOptions,
  known: KnownSteps = knownSteps(options),
  local?: LocalDays | PlaceDays,
): DaysOfSteps {
  const { source, units } = options;
  const { times = new Float64Array(0) } = plan;
  const variable = knownVariable(plan, source);
  const { conversion, notes } = resolveStepUnits(plan, variable, { units, source });
  const how = { rule: stepRule(variable), conversion };
  const rows = readRows(
    table,
    { ...plan, variable, units: variable.units || plan.units, metadata: table.schema.metadata },
    source,
  );
  const all = stepSeries(rows, times);
  const { places, members, series } = all;
  const byPlace = local === undefined || local instanceof LocalDays ? undefined : daysOfPlaces(rows, all, local);
  const found = { table, plan, rows, series, times };
  const amounts = how.rule === 'sum' ? known.amounts.of(found, variable, conversion) : undefined;
  const grows = amounts !== undefined && amounts.kind !== 'per-step' && amounts.kind !== 'either';
  const meaning = grows ? undefined : known.times.of(found, variable);
  const stamps = options.stamps ?? meaning?.stamps ?? 'end';
  const areEnds = plan.areOfPrecedingSteps && options.stamps === undefined;
  const areInstants = !grows && stamps === 'instant' && how.rule !== 'sum';
  const asRows = options.makeRows?.(axisOf(found), { stamps, areInstants });
  const axesOf = new Map<LocalDays | undefined, DaysOfSeries>();
  const axesIn = (days: LocalDays | undefined): DaysOfSeries => {
    const axes =
      axesOf.get(days) ??
      new DaysOfSeries(
        { stamps, rule: how.rule, column: plan.values.names[0], source, local: days, asRows },
        grows ? { amounts, init: known.amounts.init } : undefined,
      );
    axesOf.set(days, axes);
    return axes;
  };
  const assertUtcDay = local || asRows ? () => undefined : utcDayCheck(table, plan.dateColumn, source);
  const days: MemberDays[] = [];
  for (const one of series) {
    const steps = axesIn(byPlace?.days[one.place] ?? (local as LocalDays | undefined)).of(one.rows, times);
    if (steps === undefined || steps.days === 0) continue;
    for (const [day, first] of steps.firstStep.entries()) {
      if (steps.steps[day] === 1 && steps.whole[day] === 1) assertUtcDay(one.rows[first], times[one.rows[first]]);
    }
    rows.members.forEach((column, m) => {
      const valueAt = (step: number) => finite(column.value(one.rows[step]), rows, one.rows[step], column.name);
      const fall = firstFall(steps, one.rows.length, valueAt, 10 ** -variable.decimals / conversion.factor);
      if (fall !== undefined) throw fallError(rows, one.rows[fall.step], times[one.rows[fall.step]], column.name, fall);
      days.push({ ...placeOf(one, m), firstDay: steps.firstDay, values: dayValues(steps, valueAt, how) });
    });
  }
  const { latitude, longitude, places: labelled } = rows.index;
  const wide = wideDays(days, Math.max(members, rows.members.length), source);
  const degrees = (values?: Float64Array) => Float64Array.from(wide.place, (place) => values?.[places[place]] ?? NaN);
  const numbered = { ...wide, latitude: degrees(latitude), longitude: degrees(longitude) };
  const placed = labelled?.placed(numbered) ?? numbered;
  const labels = byPlace?.labelled('labels' in placed ? (placed.labels as PlaceLabels) : undefined);
  const daily = labels === undefined ? placed : { ...placed, labels };
  const axes = [...axesOf.values()];
  const texts = byPlace?.texts ?? (local as LocalDays | undefined)?.texts;
  return {
    table: wideTable(daily, metadataOf(table, plan, variable, texts)),
    conversions: [
      ...notes,
      ...(amounts === undefined ? [] : [amountsInWords(amounts, asRows !== undefined)]),
      ...(grows || asRows ? [] : [stepsInWords(axes[0]?.step ?? 0, how.rule)]),
      ...axes.flatMap(({ notes: ofDays }) => ofDays),
      ...(areEnds ? ['values are of the step before their times, as Open-Meteo documents'] : []),
    ],
    warnings: meaning?.warnings ?? [],
    times: meaning ?? { stamps, by: grows ? 'as the amounts grow' : 'as there is one step' },
    ...(amounts !== undefined && { accumulation: amounts.kind }),
    ...(conversion.perSecond && { accumulation: 'per-step' as const }),
  };
}

/** The place and member of values: rows of long tables have one member, rows of other tables have all. */
function placeOf({ place, member }: StepSeries, column: number): Pick<MemberDays, 'place' | 'member'> {
  return { place, member: member + column };
}

function knownVariable({ variable, names }: StepTable, source?: string): Variable {
  if (variable !== undefined) return variable;
  throw new OptionError({
    subject: subjectIn(source, 'variable'),
    problem: 'nothing says whether time steps are summed or averaged',
    ...(names.length > 0 && { received: names.join(', ') }),
    allowed: allowedVariables(),
  });
}

function finite(value: number, { index }: EnsembleRows, row: number, column: string): number {
  if (value !== Number.POSITIVE_INFINITY && value !== Number.NEGATIVE_INFINITY) return value;
  throw new DataError({
    source: index.source,
    row: rowNumber(index, row),
    column,
    problem: 'infinite value',
    received: value,
    allowed: 'a finite number, or a missing value',
  });
}

function fallError(
  { index }: EnsembleRows,
  row: number,
  time: number,
  column: string,
  { before, after }: { before: number; after: number },
): DataError {
  const place = index.latitude === undefined ? '' : ` (${describePlace(index, row)})`;
  return new DataError({
    source: index.source,
    row: rowNumber(index, row),
    column,
    problem: `growing amounts fall at ${new Date(1000 * time).toISOString()}${place}`,
    received: `${before}, then ${after}`,
    allowed: `amounts that fall by rounding at most; or ${mentionOption('accumulation', 'per-step')}, where they are those of each step`,
  });
}

function metadataOf(
  { schema }: Table,
  { calendar }: StepTable,
  { slug, units }: Variable,
  texts: ReadonlyMap<string, string> | undefined,
): Map<string, string> {
  const metadata = new Map(schema.metadata).set('variable', slug).set('units', units);
  if (calendar !== undefined) metadata.set('calendar', calendar);
  for (const key of [...OF_STEPS, ...DAY_KEYS]) metadata.delete(key);
  return texts === undefined ? metadata : new Map([...metadata, ...texts]);
}

/** Metadata of steps that their days do not have. */
const OF_STEPS = ['member_names', 'pandas', 'ARROW:schema', 'standard_name', 'printed_time_zone'];

/** How values of time steps become daily values. */
interface DayRule {
  readonly rule: StepRule;
  readonly conversion: UnitConversion;
}

/** The steps that days are made from. */
interface StepDays extends DailySteps {
  /**
   * For amounts that grow: for each step 1 if its amount counts from its own start, 0 if it continues that of the step
   * before.
   */
  readonly fresh?: Uint8Array;
}

/** How the days of series are found. */
interface SeriesDays {
  readonly stamps: Stamps;
  readonly rule: StepRule;
  /** A column of values, for messages. */
  readonly column: string;
  readonly source: string | undefined;
  /** By default days of UTC. */
  readonly local: LocalDays | undefined;
  /** Where steps are rows. */
  readonly asRows: RowsOfSteps | undefined;
}

/** The days of series. Neighbouring series mostly have the same times, whose days are then found only once. */
class DaysOfSeries {
  /** The length of the very first step in seconds; 0 before there is one. */
  step = 0;
  readonly #how: SeriesDays;
  readonly #growth: { readonly amounts: Amounts; readonly init: number | undefined } | undefined;
  #times = new Float64Array(0);
  #steps?: StepDays;
  /** The steps of the series of which most lie in several days. */
  #mostSplit: DailySteps | undefined;

  /** For amounts that grow over several steps, `growth` says how, and when the run began. */
  constructor(how: SeriesDays, growth?: { amounts: Amounts; init: number | undefined }) {
    this.#how = how;
    this.#growth = growth;
  }

  /** For people: what was done to steps that lie in several days. */
  get notes(): string[] {
    const { rule, local } = this.#how;
    if (local === undefined || this.#mostSplit === undefined) return [];
    return localDayNotes(this.#mostSplit, local, rule === 'min' || rule === 'max');
  }

  /**
   * The days of the times of some rows; undefined for a single time, whose step has no known length. Throws a DataError
   * if all steps are longer than a day.
   */
  of(rows: Int32Array, timeOf: Float64Array): StepDays | undefined {
    if (rows.length < 2) return undefined;
    const isSame = rows.length === this.#times.length && rows.every((row, i) => timeOf[row] === this.#times[i]);
    if (isSame) return this.#steps;
    this.#times = Float64Array.from(rows, (row) => timeOf[row]);
    this.#steps = this.#daysOf(this.#times);
    this.step ||= this.#steps.seconds[0];
    return this.#steps;
  }

  #daysOf(times: Float64Array): StepDays {
    const { stamps, source, asRows } = this.#how;
    try {
      const steps = asRows?.of(times, stamps) ?? this.#local(times) ?? dailySteps(times, { stamps });
      if (this.#growth === undefined) return steps;
      const { amounts, init } = this.#growth;
      const edges = stepEdges(times, steps.seconds, stamps);
      const fresh = freshSteps(edges, amounts, init);
      return { ...knownDays(steps, edges, fresh, init), fresh };
    } catch (error) {
      if (!isPlumecastError(error, 'data') || error.column !== undefined) throw error;
      const { problem, received, allowed } = error;
      throw new DataError({ source, problem: `time ${problem}`, received, allowed });
    }
  }

  /** The days of a zone; undefined for days of UTC. */
  #local(times: Float64Array): DailySteps | undefined {
    const { stamps, rule, column, source, local } = this.#how;
    if (local === undefined) return undefined;
    const areInstants = stamps === 'instant' && rule !== 'sum';
    const steps = withoutShares(localSteps({ times, stamps, areInstants, days: local }));
    const most = this.#mostSplit;
    if (most === undefined || splitSteps(steps) > splitSteps(most)) this.#mostSplit = steps;
    if (rule !== 'min' && rule !== 'max') return steps;
    assertUnsplit(steps, stepEdges(times, steps.seconds, stamps), local, { source, column });
    return steps;
  }
}

/**
 * The value of each day: the sum, the mean weighted by the lengths of steps, the lowest or the highest of its steps'
 * values, in the unit that the conversion gives. NaN if the day is not whole or a step is missing.
 */
function dayValues(steps: StepDays, valueAt: (step: number) => number, how: DayRule): Float64Array {
  const values = new Float64Array(steps.days).fill(Number.NaN);
  const { fresh } = steps;
  for (let day = 0; day < steps.days; day++) {
    if (steps.whole[day] === 0) continue;
    const first = steps.firstStep[day];
    const end = first + steps.steps[day];
    const shareOf = (step: number) => shareOfStep(steps, day, step);
    if (fresh !== undefined) values[day] = dayGrowth(first, end, fresh, valueAt, shareOf) * how.conversion.factor;
    else values[day] = dayValue(first, end, steps.seconds, valueAt, how, shareOf);
  }
  return values;
}

function dayValue(
  from: number,
  to: number,
  seconds: Float64Array,
  valueAt: (step: number) => number,
  { rule, conversion: { factor, offset, perSecond } }: DayRule,
  shareOf: (step: number) => number,
): number {
  let [sum, duration, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let step = from; step < to; step++) {
    const value = valueAt(step) * factor * (perSecond ? seconds[step] : 1) + offset;
    const share = shareOf(step);
    sum += (rule === 'mean' ? value * seconds[step] : value) * share;
    duration += seconds[step] * share;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (rule === 'mean') return sum / duration;
  return rule === 'sum' ? sum : rule === 'min' ? low : high;
}

/** How much amounts grow from step `from` to `to` (exclusive); 0 if rounding makes it less than 0. */
function dayGrowth(
  from: number,
  to: number,
  fresh: Uint8Array,
  valueAt: (step: number) => number,
  shareOf: (step: number) => number,
): number {
  const last = to - 1;
  let growth = fresh[from] === 1 ? 0 : -valueAt(from - 1);
  for (let step = from; step < to; step++) if (step === last || fresh[step + 1] === 1) growth += valueAt(step);
  // What lies in other days is taken away.
  for (const step of last === from ? [from] : [from, last]) {
    const beside = 1 - shareOf(step);
    if (beside > 0) growth -= beside * (valueAt(step) - (fresh[step] === 1 ? 0 : valueAt(step - 1)));
  }
  return growth < 0 && valueAt(last) >= 0 ? 0 : growth;
}

/**
 * The first step at which growing amounts fall by more than rounding, and the amounts before and after it; undefined if
 * they never do.
 */
function firstFall(
  { fresh }: StepDays,
  count: number,
  valueAt: (step: number) => number,
  smallest: number,
): { step: number; before: number; after: number } | undefined {
  if (fresh === undefined) return undefined;
  let before = Number.NaN;
  for (let step = 0; step < count; step++) {
    const after = valueAt(step);
    const rounding = roundingTolerance(10 * smallest, Math.max(Math.abs(before), Math.abs(after)));
    if (fresh[step] === 0 && isFall(before, after, rounding)) return { step, before, after };
    if (fresh[step] === 1 || !Number.isNaN(after)) before = after;
  }
  return undefined;
}
