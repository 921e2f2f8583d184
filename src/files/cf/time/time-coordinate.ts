import { DataError } from '../../../errors.js';
import { calendarSpan, modelCalendar } from '../../../period/calendar.js';
import { DAY_SECONDS, daysFromCivil } from '../../../period/day.js';
import { otherCalendar, statedCalendar } from '../../../table/columns/day-column.js';
import type { StoredArray } from '../../array/array-file.js';
import { elements } from '../../array/copy-box.js';
import type { ArrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import { arrayNamed } from '../coordinates.js';
import { modelPart, secondsOfUnit, type TimeCalendar, timeUnits } from './time-units.js';

/** From this time on, the calendars `standard` and `gregorian` are the Gregorian one, whose dates are the real ones. */
const GREGORIAN_SECOND = daysFromCivil(1582, 10, 15) * DAY_SECONDS;

/** Times, or leads, of a coordinate in seconds. */
export interface TimeValues {
  readonly seconds: Float64Array;
  /** The start and the end of each step in turn, where the coordinate has bounds. */
  readonly bounds: Float64Array | undefined;
  readonly calendar: TimeCalendar;
  /** The units, where their date is of a zone other than UTC. */
  readonly zone: string | undefined;
}

/** Hourly steps of 950 years. */
const MAX_STEPS = 2 ** 23;

/**
 * Reads the values of a coordinate of time in seconds since 1970-01-01 UTC, rounded to seconds.
 *
 * Those of a model calendar are counted in that calendar, see `ModelCalendar`. Throws DataError for units that do not
 * count from a date, for an unknown calendar, for climatological time, and where a time is missing or not a valid date.
 */
export function readTimeValues(reader: ArrayReader, coordinate: StoredArray): Promise<TimeValues> {
  const { source } = reader.file;
  const column = coordinate.name;
  const calendar = findCalendar(reader, coordinate);
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
  const { seconds: unit, reference, offset } = units;
  const zone = offset === 0 ? undefined : text;
  return readScaled(reader, coordinate, { unit, reference, zone, calendar, text });
}

/**
 * Finds the calendar of a coordinate, as it or the caller states. Throws DataError for an unknown one, and OptionError
 * where the two differ in their days.
 */
function findCalendar(
  { file: { source }, calendar: given }: ArrayReader,
  { name, attributes }: StoredArray,
): TimeCalendar {
  const stated = textAttribute(attributes, 'calendar');
  const model = statedCalendar(new Map(stated === undefined ? [] : [['calendar', stated]]), `${source}, ${name}`);
  if (given === undefined) return model ?? toTimeCalendar(stated);
  const givenModel = modelCalendar(given);
  if (stated !== undefined && givenModel !== model) throw otherCalendar(given, stated, source);
  return givenModel ?? toTimeCalendar(given);
}

function toTimeCalendar(real = 'standard'): TimeCalendar {
  return real.toLowerCase() === 'proleptic_gregorian' ? 'proleptic_gregorian' : 'standard';
}

/**
 * Reads the times of a coordinate of lead times after `begin`, in seconds since 1970-01-01 UTC; leads have a unit of
 * time, else hours or days if the coordinate's name says so. Throws DataError as `readTimeValues` does.
 */
export function readLeads(
  reader: ArrayReader,
  coordinate: StoredArray,
  { time: begin, calendar, zone }: TimeOfRun,
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
  return readScaled(reader, coordinate, {
    unit,
    reference: begin,
    ...{ calendar, zone },
    text: `${stated} after the start of the forecast`,
  });
}

/** The time at which a run begins, in seconds since 1970-01-01 UTC of a calendar. */
export interface TimeOfRun extends Pick<TimeValues, 'calendar' | 'zone'> {
  readonly time: number;
}

/** The meaning of a coordinate's numbers: units of `unit` seconds after `reference`. */
interface TimeScale extends Pick<TimeValues, 'calendar' | 'zone'> {
  readonly unit: number;
  readonly reference: number;
  /** For messages. */
  readonly text: string;
}

async function readScaled(reader: ArrayReader, coordinate: StoredArray, scale: TimeScale): Promise<TimeValues> {
  const steps = elements(coordinate.shape);
  if (steps > MAX_STEPS) {
    throw new DataError({
      ...{ source: reader.file.source, column: coordinate.name, problem: 'has too many time steps' },
      ...{ received: `${steps}`, allowed: `at most ${MAX_STEPS}` },
    });
  }
  const seconds = await readSeconds(reader, coordinate, scale, 'time');
  const name = textAttribute(coordinate.attributes, 'bounds');
  const array = name === undefined ? undefined : arrayNamed(reader.file, coordinate, name);
  const isPairs = array?.shape.length === coordinate.shape.length + 1 && array.shape.at(-1) === 2;
  const { calendar, zone } = scale;
  if (!isPairs || array.type === 'text') return { seconds, calendar, zone, bounds: undefined };
  if (array.shape.some((length, d) => d < coordinate.shape.length && length !== coordinate.shape[d])) {
    throw new DataError({
      ...{
        source: reader.file.source,
        column: array.name,
        problem: `holds the bounds of ${coordinate.name}, but has other lengths`,
      },
      ...{ received: array.shape.join(' x '), allowed: `${coordinate.shape.join(' x ')} x 2` },
    });
  }
  return { seconds, calendar, zone, bounds: await readSeconds(reader, array, scale, 'bound') };
}

async function readSeconds(
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

/** What messages state of times. */
interface NamedTimes {
  readonly source: string;
  /** The name of their coordinate. */
  readonly column: string;
  /** What each of them is: `time`, `bound`. */
  readonly noun: string;
  readonly calendar: TimeCalendar;
  /** A value as the file has it, with its units. */
  readonly stored: (index: number) => string;
}

/**
 * Checks times in seconds since 1970-01-01 UTC before anything is computed from them. Throws DataError that names the
 * first that is missing, or not in the years 1 to 9999, or in the Julian part of a mixed calendar: its date would not
 * be the one that the file means.
 */
function assertTimes(seconds: Float64Array, { source, column, noun, calendar, stored }: NamedTimes): void {
  const [firstDay, lastDay] = calendarSpan(modelPart(calendar));
  const [first, end] = [firstDay * DAY_SECONDS, (lastDay + 1) * DAY_SECONDS];
  const from = calendar === 'standard' ? GREGORIAN_SECOND : first;
  const wrong = seconds.findIndex((time) => !(time >= from && time <= end));
  if (wrong < 0) return;
  if (Number.isNaN(seconds[wrong])) {
    throw new DataError({
      ...{ source, column, problem: `${noun} ${wrong + 1} is missing`, allowed: `a ${noun} for every step` },
    });
  }
  if (seconds[wrong] >= first && seconds[wrong] < GREGORIAN_SECOND) {
    throw new DataError({
      ...{ source, column, problem: `${noun} ${wrong + 1} is a date of the Julian calendar`, received: stored(wrong) },
      allowed:
        'times from 1582-10-15 on, where calendar standard is the real one; or the option calendar proleptic_gregorian, if the dates are of that calendar',
    });
  }
  throw new DataError({
    ...{ source, column, problem: `${noun} ${wrong + 1} is not within the years 1 to 9999` },
    ...{ received: stored(wrong), allowed: 'times from 0001-01-01T00:00:00Z to the end of 9999-12-31' },
  });
}
