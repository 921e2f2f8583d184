import { DataError } from '../../errors.js';
import { modelCalendar } from '../../period/calendar.js';
import { otherCalendar, statedCalendar } from '../../table/table-calendar.js';
import type { StoredArray } from '../array/array-file.js';
import { elements } from '../array/box.js';
import { arrayNamed } from './array-dimensions.js';
import type { ArrayReader } from './array-reader.js';
import { textAttribute } from './attribute-values.js';
import { assertTimes } from './check-times.js';
import { secondsOfUnit, type TimeCalendar, timeUnits } from './time-units.js';

/** Times, or leads, of a coordinate in seconds. */
export interface TimeValues {
  readonly seconds: Float64Array;
  /** The start and the end of each step in turn, where the coordinate has bounds. */
  readonly bounds: Float64Array | undefined;
  readonly calendar: TimeCalendar;
}

/** Hourly steps of 950 years. */
const MAX_STEPS = 2 ** 23;

/**
 * The values of a coordinate of time in seconds since 1970-01-01 UTC, rounded to seconds.
 *
 * Those of a model calendar are counted in that, see `ModelCalendar`. Throws DataError for units that do not count from a date, for a
 * calendar that is not understood, for climatological time, and where a time is missing, or not a date that is understood.
 */
export function readTimeValues(reader: ArrayReader, coordinate: StoredArray): Promise<TimeValues> {
  const { source } = reader.file;
  const column = coordinate.name;
  const calendar = calendarOfTimes(reader, coordinate);
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
  return secondsOf(reader, coordinate, { unit: units.seconds, reference: units.reference, calendar, text });
}

/**
 * The calendar of a coordinate, as it states or the caller says. Throws DataError for one that is not understood, and OptionError where
 * the two differ in their days.
 */
function calendarOfTimes(
  { file: { source }, calendar: given }: ArrayReader,
  { name, attributes }: StoredArray,
): TimeCalendar {
  const stated = textAttribute(attributes, 'calendar');
  const model = statedCalendar(new Map(stated === undefined ? [] : [['calendar', stated]]), `${source}, ${name}`);
  if (given === undefined) return model ?? timeCalendar(stated);
  const givenModel = modelCalendar(given);
  if (stated !== undefined && givenModel !== model) throw otherCalendar(given, stated, source);
  return givenModel ?? timeCalendar(given);
}

function timeCalendar(real = 'standard'): TimeCalendar {
  return real.toLowerCase() === 'proleptic_gregorian' ? 'proleptic_gregorian' : 'standard';
}

/**
 * The times of a coordinate of lead times after `begin`, in seconds since 1970-01-01 UTC; leads have a unit of time, else hours where the
 * name says so, else days. Throws DataError as `readTimeValues` does.
 */
export function readLeads(
  reader: ArrayReader,
  coordinate: StoredArray,
  { time: begin, calendar }: TimeOfRun,
): Promise<TimeValues> {
  const text = textAttribute(coordinate.attributes, 'units');
  const byName = /hour|fhour/i.test(coordinate.name) ? 'hours' : /day/i.test(coordinate.name) ? 'days' : undefined;
  const stated = text ?? byName ?? '';
  const unit = secondsOfUnit(stated);
  if (unit === undefined) {
    throw new DataError({
      ...{ source: reader.file.source, column: coordinate.name, problem: 'units of lead time are not understood' },
      ...{ received: text ?? 'none', allowed: 'seconds, minutes, hours or days' },
    });
  }
  return secondsOf(reader, coordinate, {
    unit,
    reference: begin,
    calendar,
    text: `${stated} after the start of the forecast`,
  });
}

/** The time that a run begins at, in seconds since 1970-01-01 UTC of a calendar. */
export interface TimeOfRun {
  readonly time: number;
  readonly calendar: TimeCalendar;
}

/** What the numbers of a coordinate mean: units of `unit` seconds after `reference`. */
interface TimeScale {
  readonly unit: number;
  readonly reference: number;
  readonly calendar: TimeCalendar;
  /** For messages. */
  readonly text: string;
}

async function secondsOf(reader: ArrayReader, coordinate: StoredArray, scale: TimeScale): Promise<TimeValues> {
  const steps = elements(coordinate.shape);
  if (steps > MAX_STEPS) {
    throw new DataError({
      ...{ source: reader.file.source, column: coordinate.name, problem: 'has too many time steps' },
      ...{ received: `${steps}`, allowed: `at most ${MAX_STEPS}` },
    });
  }
  const seconds = await checkedSeconds(reader, coordinate, scale, 'time');
  const name = textAttribute(coordinate.attributes, 'bounds');
  const array = name === undefined ? undefined : arrayNamed(reader.file, coordinate, name);
  const isPairs = array?.shape.length === coordinate.shape.length + 1 && array.shape.at(-1) === 2;
  const { calendar } = scale;
  if (!isPairs || array.type === 'text') return { seconds, calendar, bounds: undefined };
  if (array.shape.some((length, d) => d < coordinate.shape.length && length !== coordinate.shape[d])) {
    throw new DataError({
      ...{
        source: reader.file.source,
        column: array.name,
        problem: `other lengths than ${coordinate.name}, whose bounds it holds`,
      },
      ...{ received: array.shape.join(' x '), allowed: `${coordinate.shape.join(' x ')} x 2` },
    });
  }
  return { seconds, calendar, bounds: await checkedSeconds(reader, array, scale, 'bound') };
}

async function checkedSeconds(
  reader: ArrayReader,
  array: StoredArray,
  { unit, reference, calendar, text }: TimeScale,
  noun: string,
): Promise<Float64Array> {
  const { source } = reader.file;
  const values = await reader.numbers(array);
  const seconds = values.map((value) => Math.round(value * unit + reference));
  assertTimes(seconds, { source, column: array.name, noun, calendar, stored: (index) => `${values[index]} ${text}` });
  return seconds;
}
