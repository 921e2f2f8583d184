import { makeVector, type Table } from 'apache-arrow';
import { isFloatArray } from '../../core/number-arrays.js';
import { mentionOption, OptionError, subjectIn } from '../../errors.js';
import type { Variable } from '../../variable/variable.js';
import { columnOf } from '../arrow/table-schema.js';
import type { StepTable } from './step-table.js';
import { timeColumn } from './time-column.js';

/** So many values are looked at, of so many columns at most, spread over all rows: more take longer than a small table. */
const VALUES = 4096;
const COLUMNS = 8;
/** So many days are a month of rain, which falls in metres where no day has more than 1. */
const MONTH = 28;
const MAX_METRES = 1;
/** No temperature of the air is as low, in kelvin, and none as high in other units. */
const MIN_KELVIN = 150;

/** Units are not stated, and cannot be the variable's. */
export class UnstatedUnitsError extends OptionError {}

/**
 * The warning for a table of daily values whose units are not stated, and are taken for the variable's. Throws
 * UnstatedUnitsError where one of a sample of values lies outside the bounds of the variable, or a month of rain never exceeds
 * 1 mm, as rain in metres does not.
 */
export function unstatedUnits(table: Table, plan: StepTable, variable: Variable, source?: string): string {
  const { slug, units, bounds } = variable;
  const { names } = plan.values;
  const named = names.length === 1 ? names[0] : `${names[0]} and others`;
  const subject = subjectIn(source, 'units');
  const allowed = (likely: string, others = '') =>
    `a column named units, or ${mentionOption('units', likely)} if it is so${others}`;
  const { lowest, highest } = rangeOf(table, plan, VALUES / Math.min(COLUMNS, names.length), COLUMNS);
  // Real files hold amounts such as -1e-18 mm.
  const slack = (bounds[1] - bounds[0]) * 1e-6;
  const outside = lowest < bounds[0] - slack ? lowest : highest > bounds[1] + slack ? highest : undefined;
  if (outside !== undefined) {
    const problem = `of ${named} are not stated, and cannot be ${units}: a value of ${slug} lies outside ${bounds.join(' to ')}`;
    const missing = `; or ${mentionOption('missing', outside)} if that stands for no value`;
    const likely = units === 'degC' && lowest > MIN_KELVIN ? 'K' : units;
    throw new UnstatedUnitsError({ subject, problem, received: outside, allowed: allowed(likely, missing) });
  }
  if (slug === 'precipitation' && highest > 0 && highest <= MAX_METRES && hasMonth(table, plan)) {
    const most = rangeOf(table, plan).highest;
    if (most <= MAX_METRES) {
      const problem = `of ${named} are not stated, and seem to be m: no day of a month has more than 1`;
      throw new UnstatedUnitsError({ subject, problem, received: most, allowed: allowed('m') });
    }
  }
  const of = named === slug ? '' : `, the unit of ${slug}`;
  return `units of ${named} are not stated: taken for ${units}${of}; ${mentionOption('units')} states others`;
}

/** The lowest and the highest value of some rows and columns, by default of all; infinite where there are none. */
function rangeOf(table: Table, { values, use }: StepTable, rows = table.numRows, columns = values.names.length) {
  const step = Math.max(1, Math.floor(table.numRows / rows));
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const add = (value: unknown) => {
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return;
    lowest = Math.min(lowest, number);
    highest = Math.max(highest, number);
  };
  for (const name of values.names.slice(0, columns)) {
    let [first, row] = [0, 0];
    for (const chunk of columnOf(table, name).data) {
      const end = first + chunk.length;
      if (chunk.nullCount === 0 && isFloatArray(chunk.values) && use === undefined) {
        // As plain as it is, because few values are looked at, before any of this is compiled.
        for (const floats = chunk.values; row < end; row += step) {
          const value = floats[row - first];
          if (value < lowest && value !== Number.NEGATIVE_INFINITY) lowest = value;
          if (value > highest && value !== Number.POSITIVE_INFINITY) highest = value;
        }
      } else {
        for (const vector = makeVector(chunk); row < end; row += step) {
          if (use?.(row) === false) continue;
          const value = vector.get(row - first);
          if (values.form === 'list' && value !== null) for (const each of value as Iterable<unknown>) add(each);
          else add(value);
        }
      }
      first = end;
    }
  }
  return { lowest, highest };
}

/** Whether rows have as many dates as a month has days. */
function hasMonth(table: Table, { dateColumn, calendar }: StepTable): boolean {
  const dates = columnOf(table, dateColumn);
  const times = timeColumn(dates, dateColumn, undefined, calendar);
  const seen = new Set<unknown>();
  for (let row = 0; row < table.numRows && seen.size < MONTH; row++) seen.add(times?.[row] ?? dates.get(row));
  return seen.size >= MONTH;
}
