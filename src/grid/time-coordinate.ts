import { DataError } from '../errors.js';
import type { StoredArray } from '../formats/array-file.js';
import { arrayNamed } from './array-dimensions.js';
import type { ArrayReader } from './array-reader.js';
import { textAttribute } from './attribute-values.js';
import { secondsOfUnit, timeUnits } from './time-units.js';

/** Times, or leads, of a coordinate in seconds. */
export interface TimeValues {
  readonly seconds: Float64Array;
  /** The start and the end of each step in turn, where the coordinate has bounds. */
  readonly bounds: Float64Array | undefined;
}

const CALENDARS = ['standard', 'gregorian', 'proleptic_gregorian'];

/**
 * The values of a coordinate of time in seconds since 1970-01-01 UTC, rounded to seconds.
 *
 * Throws DataError for units that do not count from a date, for another calendar than the Gregorian one, for climatological time, and where a time is missing.
 */
export function timesOf(reader: ArrayReader, coordinate: StoredArray): Promise<TimeValues> {
  const { source } = reader.file;
  const column = coordinate.name;
  const calendar = textAttribute(coordinate.attributes, 'calendar')?.toLowerCase() ?? 'standard';
  if (!CALENDARS.includes(calendar)) {
    throw new DataError({
      ...{ source, column, problem: 'a calendar with other days than the real one', received: calendar },
      allowed: `${CALENDARS.join(', ')}; convert the dates first, with xarray's convert_calendar or the like`,
    });
  }
  if (coordinate.attributes.has('climatology')) {
    throw new DataError({ source, column, problem: 'climatological time', allowed: 'days of single years' });
  }
  const text = textAttribute(coordinate.attributes, 'units') ?? '';
  const units = timeUnits(text, calendar);
  if (units === undefined) {
    throw new DataError({
      ...{ source, column, problem: 'units of time are not understood', received: text },
      allowed: 'seconds, minutes, hours or days since a date: days since 1970-01-01 00:00:00',
    });
  }
  return secondsOf(reader, coordinate, units.seconds, units.reference);
}

/** The values of a coordinate of lead times in seconds, which has a unit of time, else hours where its name says so, else days. */
export function leadsOf(reader: ArrayReader, coordinate: StoredArray): Promise<TimeValues> {
  const text = textAttribute(coordinate.attributes, 'units');
  const byName = /hour|fhour/i.test(coordinate.name) ? 'hours' : /day/i.test(coordinate.name) ? 'days' : undefined;
  const seconds = secondsOfUnit(text ?? byName ?? '');
  if (seconds === undefined) {
    throw new DataError({
      ...{ source: reader.file.source, column: coordinate.name, problem: 'units of lead time are not understood' },
      ...{ received: text ?? 'none', allowed: 'seconds, minutes, hours or days' },
    });
  }
  return secondsOf(reader, coordinate, seconds, 0);
}

async function secondsOf(
  reader: ArrayReader,
  coordinate: StoredArray,
  unit: number,
  reference: number,
): Promise<TimeValues> {
  const inSeconds = (values: Float64Array) => values.map((value) => Math.round(value * unit + reference));
  const seconds = inSeconds(await reader.numbers(coordinate));
  const missing = seconds.findIndex(Number.isNaN);
  if (missing >= 0) {
    throw new DataError({
      ...{ source: reader.file.source, column: coordinate.name, problem: `time ${missing + 1} is missing` },
      allowed: 'a time for every step',
    });
  }
  const name = textAttribute(coordinate.attributes, 'bounds');
  const array = name === undefined ? undefined : arrayNamed(reader.file, coordinate, name);
  const isPairs = array?.shape.length === coordinate.shape.length + 1 && array.shape.at(-1) === 2;
  return { seconds, bounds: isPairs ? inSeconds(await reader.numbers(array)) : undefined };
}
