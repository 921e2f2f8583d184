import { DataType, Field, makeVector, Schema, Table, TimestampMillisecond, type Vector } from 'apache-arrow';
import type { Work } from '../../check/work.js';
import { DataError, isPlumecastError } from '../../errors.js';
import { DAY_MILLISECONDS, dayNumber } from '../../period/day.js';
import { columnOf, quickSchema } from '../../table/arrow/table-schema.js';
import { createTable, dates, numbers } from '../../table/build/create-table.js';
import { readCsv } from '../csv/csv-read.js';
import { TextDecoding } from '../csv/text-decoding.js';

const END = '-END HEADER-';
/** The columns of a date: a month and a day of it, or a day of the year; and the hour of values within the day. */
const PARTS = ['YEAR', 'MO', 'DY', 'DOY', 'HR'];
const HOUR = 3_600_000;
/** A zone of local solar time is 15 degrees wide; the one of UTC ends here. */
const MAX_UTC_LONGITUDE = 7.5;

/** What the header of a file states. */
interface PowerHeader {
  readonly latitude: number;
  readonly longitude: number;
  /** The number that stands for missing values. */
  readonly missing: number | undefined;
  /** The zone of dates: `LST` is local solar time. */
  readonly zone: string | undefined;
  /** The units of columns, and what they are, by their names. */
  readonly parameters: ReadonlyMap<string, { readonly units: string; readonly title: string }>;
}

/**
 * Reads CSV of NASA POWER: `date`, `latitude` and `longitude`, then its columns, with units in the metadata of their
 * fields. Values that the header calls missing are null. Days of local solar time are taken as they are, which `report` is
 * told. Throws DataError for a header without a place, for dates that do not exist, and for hours of local solar time,
 * which are not of UTC days.
 */
export async function readNasaPower(
  bytes: Uint8Array,
  source: string,
  report: ((note: string) => void) | undefined,
  work?: Work,
): Promise<Table> {
  const text = new TextDecoding(source).decode(bytes, true).replace(/\r\n?/g, '\n');
  const end = text.indexOf(END);
  if (end < 0) {
    throw new DataError({ source, problem: `the header has no end`, allowed: `a line ${END} before the table` });
  }
  const header = readHeader(text.slice(0, end), source);
  const table = await readCsv(new TextEncoder().encode(text.slice(end + END.length)), source, {}, work);
  const names = table.schema.fields.map(({ name }) => name);
  assertDays(header, names.includes('HR'), source, report);
  const date = dateColumn(table, names, source);
  const filled = (value: number) => Float64Array.from({ length: table.numRows }, () => value);
  const begin = createTable(
    [numbers('latitude', filled(header.latitude)), numbers('longitude', filled(header.longitude))],
    new Map(),
  );
  const fields: Field[] = [date.field, ...begin.schema.fields];
  const vectors: Record<string, Vector> = { [date.field.name]: date.vector };
  for (const { name } of begin.schema.fields) vectors[name] = columnOf(begin, name);
  for (const field of table.schema.fields) {
    const { name } = field;
    if (PARTS.includes(name)) continue;
    const { units, title } = header.parameters.get(name) ?? {};
    const stated = { ...(units !== undefined && { units }), ...(title !== undefined && { long_name: title }) };
    const values = withoutMissing(columnOf(table, name), header.missing);
    vectors[name] = values;
    fields.push(new Field(name, values.type, true, new Map(Object.entries(stated))));
  }
  const metadata = new Map([['provider', 'NASA POWER']]);
  return new Table(quickSchema(new Schema(fields, metadata)), vectors);
}

function readHeader(text: string, source: string): PowerHeader {
  const place = /latitude\s+(-?[\d.]+)\s+longitude\s+(-?[\d.]+)/i.exec(text);
  if (place === null) {
    const allowed = 'a line "Location: Latitude ... Longitude ..." in the header';
    throw new DataError({ source, problem: 'the header states no place', allowed });
  }
  const [latitude, longitude] = [Number(place[1]), Number(place[2])];
  const zone = /^dates\b.*\bin\s+([A-Z]+)\s*$/im.exec(text)?.[1];
  const missing = /^the value for missing\b.*:\s*(-?[\d.]+)\s*$/im.exec(text)?.[1];
  const lines = [...text.matchAll(/^([A-Z][A-Z0-9_]*)\s+(.*\S)\s+\(([^()]*(?:\([^()]*\))?[^()]*)\)\s*$/gm)];
  const parameters = new Map(lines.map(([, name, title, units]) => [name, { units: plainUnits(units), title }]));
  return { latitude, longitude, missing: missing === undefined ? undefined : Number(missing), zone, parameters };
}

/** Reports days of local solar time that are not UTC days. Throws DataError for hours of it, which are of no such days. */
function assertDays(
  { zone, longitude }: PowerHeader,
  hasHours: boolean,
  source: string,
  report: ((note: string) => void) | undefined,
): void {
  if (zone === undefined || zone === 'UTC' || Math.abs(longitude) <= MAX_UTC_LONGITUDE) return;
  const allowed = 'dates in UTC: request the file with time-standard=UTC';
  const received = `${zone} at longitude ${longitude}`;
  if (hasHours)
    throw new DataError({ source, problem: 'hours are of local solar time, not of UTC', received, allowed });
  const hours = Math.round(Math.abs(longitude) / 15);
  const [length, side] = [`${hours} ${hours === 1 ? 'hour' : 'hours'}`, longitude < 0 ? 'after' : 'before'];
  report?.(
    `days are of local solar time and begin ${length} ${side} UTC days; they are taken as they are (time-standard=UTC requests UTC days)`,
  );
}

/** Units as others write them: a fraction is `dimensionless` here. */
function plainUnits(units: string): string {
  return units.trim() === 'dimensionless' ? '1' : units.trim();
}

/** The dates of the rows, or their times where there are hours. */
function dateColumn(table: Table, names: readonly string[], source: string): { field: Field; vector: Vector } {
  const [year, month, day, ofYear, hour] = PARTS.map((name) =>
    names.includes(name) ? columnOf(table, name) : undefined,
  );
  if (year === undefined || (ofYear === undefined && (month === undefined || day === undefined))) {
    const allowed = 'YEAR, MO and DY, or YEAR and DOY: daily or hourly values';
    throw new DataError({ source, problem: 'has no columns of dates', received: names.slice(0, 10), allowed });
  }
  const days = Int32Array.from({ length: table.numRows }, (_, row) => {
    const parts = [year, ...(ofYear === undefined ? [month, day] : [ofYear])].map((part) =>
      Number(part?.get(row) ?? Number.NaN),
    );
    try {
      if (ofYear === undefined) return dayNumber(parts[0], parts[1], parts[2]);
      const first = dayNumber(parts[0], 1, 1);
      const found = first + parts[1] - 1;
      if (parts[1] >= 1 && found < dayNumber(parts[0] + 1, 1, 1)) return found;
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
    }
    throw new DataError({
      ...{ source, row: row + 1, column: ofYear === undefined ? 'YEAR, MO, DY' : 'YEAR, DOY' },
      ...{ problem: 'is not a date', received: parts.join(', '), allowed: 'dates that exist' },
    });
  });
  if (hour === undefined) {
    const made = createTable([dates('date', days)], new Map());
    return { field: made.schema.fields[0], vector: columnOf(made, 'date') };
  }
  const times = BigInt64Array.from(days, (of, row) => BigInt(of * DAY_MILLISECONDS + Number(hour.get(row)) * HOUR));
  const vector = makeVector({
    type: new TimestampMillisecond('UTC'),
    data: times,
    nullCount: 0,
    length: times.length,
  } as never) as Vector;
  return { field: new Field('date', vector.type, true), vector };
}

/** A column of numbers whose missing values are null. */
function withoutMissing(vector: Vector, missing: number | undefined): Vector {
  if (!DataType.isFloat(vector.type) || missing === undefined) return vector;
  const values = Float64Array.from({ length: vector.length }, (_, row) => {
    const value = vector.get(row) as number | null;
    return value === null || value === missing ? Number.NaN : value;
  });
  return columnOf(createTable([numbers('values', values)], new Map()), 'values');
}
