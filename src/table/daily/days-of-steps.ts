import type { Table } from 'apache-arrow';
import { type Amounts, amountsInWords } from '../../ensemble/accumulation.js';
import { DataError, mentionOption, OptionError } from '../../errors.js';
import type { Variable } from '../../variable/variable.js';
import { wideTable } from '../build/wide-table.js';
import { type EnsembleRows, readRows } from '../rows/read-rows.js';
import { describePlace, rowNumber } from '../rows/row-index.js';
import type { DailyTableOptions } from './daily-options.js';
import { DaysOfSeries, dayValues, firstFall } from './day-values.js';
import { StepAmounts } from './step-amounts.js';
import { knownSlugs, stepRule, stepsInWords } from './step-rule.js';
import { type StepSeries, stepSeries } from './step-series.js';
import type { StepTable } from './step-table.js';
import { resolveStepUnits } from './step-units.js';
import { utcDayCheck } from './utc-days.js';
import { type MemberDays, wideDays } from './wide-days.js';

/** A table of days made from time steps; it has no rows if no day is whole. */
export interface DaysOfSteps {
  readonly table: Table;
  /** What was done to the values, for people. */
  readonly conversions: readonly string[];
  /** What amounts count; undefined for other values. */
  readonly accumulation?: Amounts['kind'];
}

/**
 * Combines the time steps of a table to a wide table of days, as `dailyTable` does. Throws as that does, except if no
 * day is whole. What amounts count is decided once for the tables of an input, which share `known`.
 */
export function combineSteps(
  table: Table,
  plan: StepTable,
  options: DailyTableOptions,
  known: StepAmounts = new StepAmounts(options),
): DaysOfSteps {
  const { source, units } = options;
  const { times = new Float64Array(0) } = plan;
  const variable = knownVariable(plan, source);
  const { conversion, notes } = resolveStepUnits(plan, variable, { units, source });
  const how = { rule: stepRule(variable), conversion };
  const rows = readRows(table, { ...plan, variable, units: variable.units, metadata: table.schema.metadata }, source);
  const { places, members, series } = stepSeries(rows, times);
  const amounts = how.rule === 'sum' ? known.of({ table, plan, rows, series, times }, variable, conversion) : undefined;
  const grows = amounts !== undefined && amounts.kind !== 'per-step' && amounts.kind !== 'either';
  const { stamps = grows || plan.areOfPrecedingSteps ? 'end' : 'start' } = options;
  const areEnds = plan.areOfPrecedingSteps && options.stamps === undefined;
  const axes = new DaysOfSeries(stamps, source, grows ? { amounts, init: known.init } : undefined);
  const assertUtcDay = utcDayCheck(table, plan.dateColumn, source);
  const days: MemberDays[] = [];
  for (const one of series) {
    const steps = axes.of(one.rows, times);
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
  const { latitude, longitude } = rows.index;
  const wide = wideDays(days, Math.max(members, rows.members.length), source);
  const degrees = (values?: Float64Array) => Float64Array.from(wide.place, (place) => values?.[places[place]] ?? NaN);
  const daily = { ...wide, latitude: degrees(latitude), longitude: degrees(longitude) };
  return {
    table: wideTable(daily, metadataOf(table, plan, variable)),
    conversions: [
      ...notes,
      ...(amounts === undefined ? [] : [amountsInWords(amounts)]),
      ...(grows ? [] : [stepsInWords(axes.step, how.rule)]),
      ...(areEnds ? ['values are of the step before their times, as Open-Meteo documents'] : []),
    ],
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
    subject: source === undefined ? 'variable' : `${source}, variable`,
    problem: 'not given, and nothing names it, so that it is not known whether time steps are summed or averaged',
    ...(names.length > 0 && { received: names.join(', ') }),
    allowed: `one of ${knownSlugs()}`,
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

function metadataOf({ schema }: Table, { calendar }: StepTable, { slug, units }: Variable): Map<string, string> {
  const metadata = new Map(schema.metadata).set('variable', slug).set('units', units);
  if (calendar !== undefined) metadata.set('calendar', calendar);
  for (const key of ['member_names', 'pandas', 'ARROW:schema', 'standard_name', 'time_zone']) metadata.delete(key);
  return metadata;
}
