import { DataType, type Table, type Vector } from 'apache-arrow';
import { DataError, mentionOption } from '../../errors.js';
import { DAY_SECONDS } from '../../period/day.js';
import { codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { parseColumnName } from '../columns/column-name.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { plain } from '../columns/column-roles.js';
import { isNumberType, isTextType } from '../columns/column-values.js';
import { MISSING_TEXT } from '../columns/missing-text.js';

/*
 * Tables that are dated by the start of a run and a lead time, as `to_dataframe` of xarray gives forecasts of cfgrib.
 */

/** Names of columns that hold the start of a run. */
export const RUN_COLUMNS =
  /^(init|init_?time|init_?date|reference_(date)?time|forecast_reference_time|reference_date|run|run_time|cycle|time)$/i;
/** Names of columns of lead times beside one named `time`, which is the start of the run then. */
const STEPS = /^(step|prediction_timedelta)(_?(hours?|hrs?|h))?$/;
/** Names of columns of lead times beside the start of a run. */
const LEADS =
  /^(step|prediction_timedelta|lead|lead_?time|forecast_period|forecast|f)(_?(hours?|hrs?|h))?$|^(fhr|fhour)$/;
const IN_HOURS = /(hours?|hrs?|h|fhr)$/;

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = DAY_SECONDS * SECOND;

/** The columns of a table that are added to times when values are valid. */
export interface LeadColumns {
  readonly run: string;
  readonly lead: string;
}

/**
 * The columns of the start of the run and of lead times, in a table without times when values are valid; undefined for other tables.
 * `date` is the column that would be read as dates.
 */
export function leadColumns(table: Table, given: ColumnRoles, date: string | undefined): LeadColumns | undefined {
  if (given.date !== undefined || (date !== undefined && plain(date) !== 'time')) return undefined;
  const names = table.schema.fields.map(({ name }) => name);
  const run = date ?? names.find((name) => RUN_COLUMNS.test(plain(name)));
  const lead = names.find((name) => (date === undefined ? LEADS : STEPS).test(leadName(name)));
  return run === undefined || lead === undefined ? undefined : { run, lead };
}

/** What the tables of one input have shown of the start of their run, in milliseconds. */
export interface KnownRun {
  start?: number;
  other?: number;
  /** Whether there are values beyond the start of the run. */
  hasLeads?: boolean;
}

/**
 * The times when values are valid, in milliseconds since 1970: the start of the run plus the lead time of each row. `starts` are
 * the starts, in milliseconds. Throws DataError for lead times whose unit is not stated, and for those of several runs.
 */
export function validTimes(
  table: Table,
  { run, lead }: LeadColumns,
  starts: Float64Array,
  known: KnownRun,
  source?: string,
): Float64Array {
  const leads = leadTimes(columnOf(table, lead), lead, source);
  for (const [row, start] of starts.entries()) {
    known.start ??= start;
    if (start !== known.start) known.other ??= start;
    if (leads[row] !== 0) known.hasLeads = true;
    if (known.other !== undefined && known.hasLeads) {
      throw new DataError({
        ...{ source, row: row + 1, column: run, problem: 'rows of several runs' },
        received: `${dateText(known.start)} and ${dateText(known.other)}, with ${lead}`,
        allowed: `one run; ${mentionOption('columns', { date: run })} where ${run} is when values are valid`,
      });
    }
  }
  return starts.map((start, row) => start + leads[row]);
}

/** The lead time of each row, in milliseconds. Throws DataError for what is no lead time, or has no unit. */
function leadTimes(column: Vector, name: string, source?: string): Float64Array {
  const { codes, values } = codedColumn(column);
  const fail = (row: number, problem: string, allowed: string) =>
    new DataError({ source, row: row + 1, column: name, problem, received: values[codes[row]] ?? null, allowed });
  const inMilliseconds = reader(column.type, name);
  const leads = values.map(inMilliseconds);
  const wrong = codes.findIndex((code) => code < 0 || !Number.isFinite(leads[code]));
  if (wrong >= 0 && leads[codes[wrong]] === undefined && codes[wrong] >= 0) {
    throw fail(wrong, 'lead times in a unit that is not stated', `a name with it, such as ${name}_hours`);
  }
  if (wrong >= 0) throw fail(wrong, 'is not a lead time', '0 days 06:00:00, 06:00:00, PT6H, 6h; durations; hours');
  return Float64Array.from(codes, (code) => leads[code] as number);
}

/** Reads a value of a column as milliseconds: NaN if it is no lead time, undefined if its unit is not known. */
function reader(type: DataType, name: string): (value: unknown) => number | undefined {
  if (DataType.isDuration(type)) return (ticks) => Number(ticks) * SECOND * 1_000 ** -type.unit;
  const unit = unitOf(name);
  const ofNumber = (value: number) => (value === 0 ? 0 : unit && value * unit);
  if (isNumberType(type)) return (value) => ofNumber(Number(value));
  if (DataType.isBinary(type)) return intervalOf;
  if (!isTextType(type)) return () => Number.NaN;
  return (value) => {
    const text = String(value).trim();
    return !MISSING_TEXT.test(text) && Number.isFinite(+text) ? ofNumber(+text) : millisecondsOf(text);
  };
}

function unitOf(name: string): number | undefined {
  const { units } = parseColumnName(name);
  if (units !== undefined) return { h: HOUR, d: DAY }[units.toLowerCase()];
  return IN_HOURS.test(plain(name)) ? HOUR : undefined;
}

function leadName(name: string): string {
  return plain(parseColumnName(name).whole);
}

/** An interval of Parquet, as DuckDB writes it: months, days and milliseconds. NaN for months. */
function intervalOf(value: unknown): number {
  const bytes = value as Uint8Array;
  if (bytes.length !== 12) return Number.NaN;
  const [months, days, milliseconds] = new Uint32Array(bytes.slice().buffer);
  return months === 0 ? days * DAY + milliseconds : Number.NaN;
}

/** `1 days 06:00:00` of pandas, `1 day 06:00:00` of DuckDB, `1 day, 6:00:00` of Python, `30:00:00`. */
const CLOCK = /^(?:(\d+) days?,?)?(?:(?:^| +)\+?(\d+):(\d\d):(\d\d(?:\.\d+)?))?$/;
/** `P1DT6H0M0S` of pandas and Polars, `1d 6h` of Polars. */
const LETTERS = /^P?(?:(\d+)d)? ?t?(?:(\d+)h)? ?(?:(\d+)m)? ?(?:(\d+(?:\.\d+)?)s)?$/i;

function millisecondsOf(text: string): number {
  // Polars writes 0 in its unit.
  if (/^0(m|µ|μ|n)s$/.test(text)) return 0;
  const parts = (/[^pt]/i.test(text) && (CLOCK.exec(text) ?? LETTERS.exec(text))) || undefined;
  if (parts === undefined) return Number.NaN;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return Math.round(days * DAY + hours * HOUR + (minutes * 60 + seconds) * SECOND);
}

function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}
