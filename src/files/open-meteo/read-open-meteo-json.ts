import { type Data, makeVector, type Table } from 'apache-arrow';
import { DataError, FormatError } from '../../errors.js';
import { Float64Column, Utf8Column } from '../csv/csv-column.js';
import { assertDistinct, checkLocation, type Location } from './location.js';
import { createOpenMeteoTable } from './open-meteo-table.js';
import { readTimes } from './times.js';

/** JSON is read in one piece, and needs several times its bytes of memory. */
const MAX_BYTES = 268_435_456;
/** The series of a response: each is an object of lists, with another object of units. */
const SECTIONS = ['minutely_15', 'hourly', 'six_hourly', 'daily', 'weekly', 'monthly'];
const READ_SECTIONS = ['minutely_15', 'hourly', 'six_hourly', 'daily'];
const ALLOWED = 'the JSON of Open-Meteo as it comes; other data as CSV, Parquet, Arrow, NetCDF or Zarr';

type JsonObject = Readonly<Record<string, unknown>>;

/** The series of one location. */
interface Section {
  readonly location: Location;
  readonly name: string;
  readonly units: JsonObject;
  readonly series: JsonObject;
  readonly length: number;
}

/**
 * Reads the JSON of Open-Meteo, of one location or a list of them, into the same table as its CSV: a row for each
 * location and time, `latitude`, `longitude`, `time` in UTC, and its columns with their units in brackets; nulls stay
 * null.
 *
 * Throws a FormatError if the bytes are incomplete JSON, other JSON, or an error message of Open-Meteo, which is
 * repeated; and a DataError for several series (hourly and daily), for lists of different lengths, for invalid values,
 * and as `createOpenMeteoTable` does.
 */
export async function readOpenMeteoJson(bytes: Uint8Array, source: string): Promise<Table> {
  const answers = readAnswers(parse(bytes, source), source);
  const sections = answers.map((answer, index) => readSection(answer, index, answers.length, source));
  const [first] = sections;
  for (const section of sections) assertAlike(section, first, source);
  const locations = sections.map(({ location }) => location);
  assertDistinct(locations, source);
  const columns = Object.keys(first.series).filter((name) => name !== 'time');
  const length = sections.reduce((sum, section) => sum + section.length, 0);
  const locationOf = new Int32Array(length);
  let start = 0;
  for (const [index, section] of sections.entries()) {
    locationOf.fill(index, start, start + section.length);
    start += section.length;
  }
  if (length === 0) {
    throw new DataError({ source, problem: 'has no times', allowed: `${first.name} values of one time at least` });
  }
  const place = { source, column: 'time', rowsBefore: 0 };
  const times = readTimes(makeVector(createTexts(sections, 'time', source)), place);
  const rows = {
    locations,
    locationOf: locations.length > 1 ? locationOf : undefined,
    times,
    areDays: first.name === 'daily' || times.form === 'day',
    values: columns.map((name) => ({ name: labelOf(name, first.units), data: createValues(sections, name, source) })),
  };
  return createOpenMeteoTable(rows, source);
}

function parse(bytes: Uint8Array, source: string): unknown {
  const fail = (problem: string, allowed: string, cause?: unknown): never => {
    throw new FormatError({ subject: source, problem, allowed, ...(cause !== undefined && { cause }) });
  };
  if (bytes.length > MAX_BYTES) {
    fail(`is JSON of ${bytes.length} bytes`, `at most ${MAX_BYTES}; format=csv in the request to Open-Meteo for more`);
  }
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    fail('is JSON that is not UTF-8 text', 'JSON in UTF-8', cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (isJson(text.trimStart().split('\n', 1)[0])) fail('is JSON Lines (a JSON value in each line)', ALLOWED, cause);
    return fail('begins like JSON, but is cut off or damaged', 'a complete file; was the download interrupted?', cause);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The response for each location. */
function readAnswers(value: unknown, source: string): JsonObject[] {
  if (isObject(value) && value.error === true) {
    const reason = typeof value.reason === 'string' ? value.reason : JSON.stringify(value.reason ?? 'unknown');
    throw new FormatError({
      ...{ subject: source, problem: `is an error message of Open-Meteo: ${reason.slice(0, 500)}` },
      allowed: 'the answer to a request that Open-Meteo accepts',
    });
  }
  const answers = Array.isArray(value) ? value : [value];
  if (answers.length > 0 && answers.every(isAnswer)) return answers;
  throw new FormatError({ subject: source, problem: `is ${describeJson(value)}, which is not read`, allowed: ALLOWED });
}

function isAnswer(value: unknown): value is JsonObject {
  return isObject(value) && ['latitude', 'longitude', 'utc_offset_seconds'].every((name) => name in value);
}

function readSection(answer: JsonObject, index: number, count: number, source: string): Section {
  const place = count === 1 ? 'location' : `location ${index + 1}`;
  const fail = (problem: string, received: unknown, allowed: string): never => {
    throw new DataError({ source, ...(count > 1 && { subject: place }), problem, received, allowed });
  };
  const stated = {
    id: String(answer.location_id ?? index),
    latitude: answer.latitude,
    longitude: answer.longitude,
    utcOffset: answer.utc_offset_seconds,
    timezone: typeof answer.timezone === 'string' ? answer.timezone : '',
  };
  const location = checkLocation(stated, source, place);
  const names = SECTIONS.filter((name) => answer[name] !== undefined && answer[name] !== null);
  const wanted = 'hourly or daily values: hourly=... or daily=... in the request to Open-Meteo';
  if (names.length === 0) {
    const current = answer.current ?? answer.current_weather;
    fail(current === undefined ? 'contains no time series' : 'contains current values only', undefined, wanted);
  }
  if (names.length > 1) {
    const allowed =
      'one of them: request only hourly or only daily values from Open-Meteo, or delete the others from the file';
    fail('contains several series of values', names.join(', '), allowed);
  }
  const [name] = names;
  if (!READ_SECTIONS.includes(name)) fail(`contains ${name} values only`, undefined, wanted);
  const [series, units = {}] = [answer[name], answer[`${name}_units`]];
  if (!isObject(series)) return fail(`${name} is not an object of lists`, series, ALLOWED);
  if (!isObject(units)) return fail(`${name}_units is not an object of texts`, units, ALLOWED);
  if (!Array.isArray(series.time))
    return fail(`${name} has no list of times`, series.time, 'hourly.time or daily.time');
  for (const [column, values] of Object.entries(series)) {
    if (!Array.isArray(values)) fail(`${name}.${column} is not a list`, values, 'a list with a value for each time');
    const { length } = values as unknown[];
    if (length !== series.time.length) {
      fail(`${name}.${column} has another number of values than there are times`, length, String(series.time.length));
    }
  }
  return { location, name, units, series, length: series.time.length };
}

/** Throws a DataError if the series, columns or units of a location differ from those of the first. */
function assertAlike({ name, series, units }: Section, first: Section, source: string): void {
  const describe = (section: string, of: JsonObject, own: JsonObject) =>
    [section, ...Object.keys(of).map((column) => labelOf(column, own))].join(', ');
  const [own, others] = [describe(name, series, units), describe(first.name, first.series, first.units)];
  if (own === others) return;
  throw new DataError({
    ...{ source, problem: 'locations have different series, columns or units', received: own },
    allowed: `${others}, as the first location has`,
  });
}

/** The name of a column as the CSV of Open-Meteo has it: `precipitation (mm)`. */
function labelOf(name: string, units: JsonObject): string {
  const unit = units[name];
  return typeof unit === 'string' && unit !== '' && unit !== 'undefined' ? `${name} (${unit})` : name;
}

/** Numbers, or texts if Open-Meteo has times as values, such as sunrise. */
function createValues(sections: readonly Section[], name: string, source: string): Data {
  const isTime = sections.some(({ series }) => (series[name] as unknown[]).some((value) => typeof value === 'string'));
  if (isTime && sections[0].units[name] === 'iso8601') return createTexts(sections, name, source);
  const column = new Float64Column(sections.reduce((sum, { length }) => sum + length, 0));
  for (const { series } of sections) {
    for (const value of series[name] as unknown[]) {
      if (value === null) column.pushNull();
      else if (typeof value === 'number' && Number.isFinite(value)) column.push(value);
      else throw wrongValue(value, name, column.length, source);
    }
  }
  return column.finish();
}

function createTexts(sections: readonly Section[], name: string, source: string): Data {
  const column = new Utf8Column();
  for (const { series } of sections) {
    for (const value of series[name] as unknown[]) {
      if (value === null) column.pushNull();
      else if (typeof value === 'string' || typeof value === 'number') column.push(String(value));
      else throw wrongValue(value, name, column.length, source);
    }
  }
  return column.finish();
}

function wrongValue(value: unknown, column: string, row: number, source: string): DataError {
  return new DataError({
    ...{ source, column, row: row + 1, problem: 'is neither a number nor null' },
    received: typeof value === 'object' ? JSON.stringify(value) : value,
    allowed: 'numbers, and null where one is missing',
  });
}

/**
 * Describes JSON that is not from Open-Meteo in common words: `GeoJSON`, `a list of records, as pandas'
 * to_json(orient="records") writes it`.
 */
function describeJson(value: unknown): string {
  if (Array.isArray(value)) return describeList(value);
  if (!isObject(value)) return `JSON of a single ${value === null ? 'null' : typeof value}`;
  const { type } = value;
  if (typeof type === 'string' && GEOJSON.includes(type)) return 'GeoJSON';
  if (typeof type === 'string' && /^Coverage|^Domain$/.test(type)) return 'CoverageJSON';
  if (Array.isArray(value.columns) && Array.isArray(value.data)) return `${OF_PANDAS}, orient="split")`;
  if (isObject(value.schema) && Array.isArray(value.data)) return `${OF_PANDAS}, orient="table")`;
  if (isObject(value.dims) && isObject(value.data_vars)) return 'JSON of an xarray dataset (to_dict())';
  if (isObject(value.variables) || isObject(value.meta)) return 'JSON of a service, but not of Open-Meteo';
  const columns = Object.values(value);
  if (columns.length > 0 && columns.every(isObject)) return `${OF_PANDAS})`;
  if (columns.length > 0 && columns.every(Array.isArray)) return 'JSON of columns (an object of lists)';
  return 'JSON of another kind than that of Open-Meteo';
}

const OF_PANDAS = 'JSON as pandas writes it (to_json()';
const GEOJSON = [
  ...['FeatureCollection', 'Feature', 'GeometryCollection', 'Point', 'MultiPoint', 'LineString'],
  ...['MultiLineString', 'Polygon', 'MultiPolygon'],
];

function describeList(list: readonly unknown[]): string {
  if (list.length === 0) return 'an empty list of JSON';
  if (list.every(isObject)) return 'JSON records (a list of objects), as of pandas\' to_json(orient="records")';
  if (list.every(Array.isArray)) return 'JSON rows (a list of lists)';
  return 'a list of JSON values';
}

/** Whether a value of JSON is an object. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
