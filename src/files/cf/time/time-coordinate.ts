import { DataError } from '../../../errors.js';
import { calendarSpan, modelCalendar } from '../../../period/calendar.js';
import { DAY_SECONDS, daysFromCivil } from '../../../period/day.js';
import { otherCalendar, statedCalendar } from '../../../table/columns/day-column.js';
import type { StoredArray } from '../../array/array-file.js';
import { elements } from '../../array/copy-box.js';
import type { ArrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import { arrayNamed } from '../coordinates.js';
import { assertBounds, boundsOfInstants } from './time-bounds.js';
import {
  absoluteTime,
  areAbsolute,
  isDuration,
  isMonths,
  JULIAN_FIRST,
  JULIAN_LAST,
  modelPart,
  monthsAfter,
  secondsOfUnit,
  type TimeCalendar,
  timeUnits,
} from './time-units.js';

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
  /** What was done to read them, for people. */
  readonly notes: readonly string[];
  /** The name of bounds that the coordinate names, and the file does not have. */
  readonly absentBounds: string | undefined;
}

/** Hourly steps of 950 years. */
const MAX_STEPS = 2 ** 23;

/**
 * Reads the values of a coordinate of time in seconds since 1970-01-01 UTC, rounded to seconds; of float32 to their
 * step, with a note.
 *
 * Those of a model calendar are counted in that calendar, see `ModelCalendar`. Throws DataError for units that do not
 * count from a date, for an unknown calendar, for climatological time, where a time is missing or not a valid date, and
 * for bounds that contradict their times.
 */
export async function readTimeValues(reader: ArrayReader, coordinate: StoredArray): Promise<TimeValues> {
  const { source } = reader.file;
  const column = coordinate.name;
  const text = textAttribute(coordinate.attributes, 'units') ?? '';
  const { calendar, notes } = (await monthsOfYear(reader, coordinate, text)) ?? findCalendar(reader, coordinate, text);
  if (coordinate.attributes.has('climatology')) {
    throw new DataError({ source, column, problem: 'climatological time', allowed: 'days of single years' });
  }
  const areIri = notes.length > 0 && calendar !== 'julian';
  const scale = areAbsolute(text) ? absoluteScale(text, calendar) : scaleFromDate(text, calendar, areIri);
  if (scale === undefined) {
    throw new DataError({
      ...{ source, column, problem: 'units of time are not understood', received: text },
      allowed: 'seconds, minutes, hours or days since a date: days since 1970-01-01 00:00:00; or day as %Y%m%d.%f',
    });
  }
  return readScaled(reader, coordinate, scale, notes);
}

function scaleFromDate(text: string, calendar: TimeCalendar, areIri = false): TimeScale | undefined {
  const units = areIri ? timeUnits(text, calendar, true) : timeUnits(text, calendar);
  if (units === undefined) return undefined;
  const { seconds: unit, reference, offset } = units;
  return { unit, reference, zone: offset === 0 ? undefined : text, calendar, text };
}

/** Dates that are written as numbers. */
function absoluteScale(text: string, calendar: TimeCalendar): TimeScale {
  return { unit: 'date', reference: 0, zone: undefined, calendar, text };
}

/**
 * Finds the calendar of a coordinate, as it or the caller states. The IRI Data Library counts months since a date in
 * its calendar `360`, and means the months of the real one. Throws DataError for an unknown one, and OptionError where
 * the two differ in their days.
 */
function findCalendar(
  { file: { source }, calendar: given }: ArrayReader,
  { name, attributes }: StoredArray,
  units: string,
): { calendar: TimeCalendar; notes: string[] } {
  const named = textAttribute(attributes, 'calendar');
  const isIri = named?.trim() === '360';
  const stated = isIri ? '360_day' : named;
  if (isIri && given === undefined && isMonths(/^\w+(?=\s+since\b)/.exec(units.trim())?.[0])) {
    const notes = [`${units} in calendar 360 of ${name} are months of the real calendar`];
    return { calendar: 'proleptic_gregorian', notes };
  }
  if (given === undefined && isJulian(named)) {
    const notes = [`dates of calendar julian of ${name} are taken as the same dates of the real calendar`];
    return { calendar: 'julian', notes };
  }
  const model = statedCalendar(new Map(stated === undefined ? [] : [['calendar', stated]]), `${source}, ${name}`);
  if (given === undefined) return { calendar: model ?? toTimeCalendar(stated), notes: [] };
  const givenModel = modelCalendar(given);
  if (stated !== undefined && givenModel !== model) throw otherCalendar(given, stated, source);
  return { calendar: givenModel ?? toTimeCalendar(given), notes: [] };
}

/**
 * Months since the first day of one are months of the real calendar where all are whole ones or half ones: others may be
 * twelfths of a year. Undefined for all else.
 */
async function monthsOfYear(
  reader: ArrayReader,
  coordinate: StoredArray,
  units: string,
): Promise<{ calendar: TimeCalendar; notes: string[] } | undefined> {
  const named = textAttribute(coordinate.attributes, 'calendar') ?? 'standard';
  const isReal = /^(standard|gregorian|proleptic_gregorian)$/i.test(named);
  const areMonths = isMonths(/^\w+(?=\s+since\s+\d+-\d+-0?1\b)/.exec(units.trim())?.[0]);
  if (reader.calendar !== undefined || !isReal || !areMonths) return undefined;
  const values = await reader.numbers(coordinate);
  if (!values.every((value) => Number.isInteger(2 * value))) return undefined;
  return { calendar: 'proleptic_gregorian', notes: [`${units} of ${coordinate.name} are months of the calendar`] };
}

function isJulian(calendar: string | undefined): boolean {
  return calendar?.trim().toLowerCase() === 'julian';
}

function toTimeCalendar(real = 'standard'): TimeCalendar {
  return real.toLowerCase() === 'proleptic_gregorian' ? 'proleptic_gregorian' : 'standard';
}

/**
 * Reads the times of a coordinate of lead times after `begin`, in seconds since 1970-01-01 UTC; leads have a unit of
 * time, else hours, days or months if the coordinate's name says so. Throws DataError as `readTimeValues` does.
 */
export function readLeads(reader: ArrayReader, coordinate: StoredArray, begin: TimeOfRun): Promise<TimeValues> {
  const stated = unitOfLeads(coordinate);
  if (stated === undefined) {
    throw new DataError({
      ...{ source: reader.file.source, column: coordinate.name, problem: 'units of lead time are not understood' },
      ...{ received: textAttribute(coordinate.attributes, 'units') ?? 'none' },
      allowed: 'seconds, minutes, hours, days or months',
    });
  }
  const { time: reference, calendar, zone } = begin;
  const text = `${stated} after the start of the forecast`;
  return readScaled(reader, coordinate, { unit: secondsOfUnit(stated), reference, calendar, zone, text });
}

/** The unit of leads, as they state it or their name says; undefined where neither does. */
export function unitOfLeads({ name, attributes }: StoredArray): string | undefined {
  const byName = /hour|fhour/i.test(name) ? 'hours' : /day/i.test(name) ? 'days' : undefined;
  const stated = textAttribute(attributes, 'units') ?? byName ?? '';
  return isDuration(stated) ? stated : undefined;
}

/** The time at which a run begins, in seconds since 1970-01-01 UTC of a calendar. */
export interface TimeOfRun extends Pick<TimeValues, 'calendar' | 'zone'> {
  readonly time: number;
}

/** The meaning of a coordinate's numbers: units of `unit` seconds, or months, after `reference`, or dates. */
interface TimeScale extends Pick<TimeValues, 'calendar' | 'zone'> {
  readonly unit: number | 'date' | undefined;
  readonly reference: number;
  /** For messages. */
  readonly text: string;
}

async function readScaled(
  reader: ArrayReader,
  coordinate: StoredArray,
  scale: TimeScale,
  notes: readonly string[] = [],
): Promise<TimeValues> {
  const steps = elements(coordinate.shape);
  const { source } = reader.file;
  const { calendar, zone } = scale;
  if (steps > MAX_STEPS) {
    throw new DataError({
      ...{ source, column: coordinate.name, problem: 'has too many time steps' },
      ...{ received: `${steps}`, allowed: `at most ${MAX_STEPS}` },
    });
  }
  const times = await readSeconds(reader, coordinate, scale, 'time');
  const read = { seconds: times.seconds, calendar, zone, notes: [...notes, ...times.notes] };
  const name = textAttribute(coordinate.attributes, 'bounds');
  if (name === undefined) return { ...read, bounds: undefined, absentBounds: undefined };
  const array = arrayNamed(reader.file, coordinate, name);
  const isTurned = array !== undefined && haveEdgesFirst(array, coordinate);
  const isPairs = array?.shape.length === coordinate.shape.length + 1 && array.shape.at(-1) === 2;
  if (!(isPairs || isTurned) || array.type === 'text') return { ...read, bounds: undefined, absentBounds: name };
  if (!isTurned && array.shape.some((length, d) => d < coordinate.shape.length && length !== coordinate.shape[d])) {
    throw new DataError({
      ...{ source, column: array.name, problem: `holds the bounds of ${coordinate.name}, but has other lengths` },
      ...{ received: array.shape.join(' x '), allowed: `${coordinate.shape.join(' x ')} x 2` },
    });
  }
  const own = scaleOfBounds(source, array, scale);
  const { seconds: stored } = await readSeconds(reader, array, own, 'bound');
  const bounds = isTurned ? stored.map((_, i) => stored[(i % 2) * steps + (i >> 1)]) : stored;
  assertBounds(source, array.name, coordinate.name, times.seconds, bounds, modelPart(calendar));
  const whole = isAmountSoFar(reader, times.seconds, bounds) ? undefined : boundsOfInstants(bounds);
  const zones = { zone: zone ?? own.zone, absentBounds: undefined };
  if (whole === undefined) return { ...read, ...zones, bounds };
  const length = lengthText(whole.between);
  const note = `bounds in ${array.name} end with the last of several instants: each is taken ${length} longer`;
  return { ...read, ...zones, bounds: whole.bounds, notes: [...read.notes, note] };
}

/** Whether bounds have all starts, then all ends, as `transpose` of xarray leaves them. */
function haveEdgesFirst({ dimensions, shape }: StoredArray, coordinate: StoredArray): boolean {
  const [time] = coordinate.dimensions;
  return (
    coordinate.shape.length === 1 &&
    shape.length === 2 &&
    shape[0] === 2 &&
    dimensions[1] === time &&
    dimensions[0] !== time
  );
}

/**
 * Whether a single value ends at its time, as what was added up from the start of a run does; CDO writes the middle, or what
 * its option requests, which its history has.
 */
function isAmountSoFar({ file }: ArrayReader, [time]: Float64Array, bounds: Float64Array): boolean {
  if (bounds.length !== 2 || time !== bounds[1]) return false;
  return !/timestat_date/.test(textAttribute(file.attributes, 'history') ?? '');
}

/**
 * The meaning of the numbers of bounds: their own units, date and calendar, where they state them, else those of their
 * coordinate. Throws DataError for units that are none of time, and for another calendar.
 */
function scaleOfBounds(source: string, { name: column, attributes }: StoredArray, scale: TimeScale): TimeScale {
  const text = textAttribute(attributes, 'units');
  const stated = textAttribute(attributes, 'calendar');
  const named = scale.calendar === 'julian' && isJulian(stated) ? undefined : stated;
  const own = named === undefined ? undefined : statedCalendar(new Map([['calendar', named]]), `${source}, ${column}`);
  if (named !== undefined && own !== modelPart(scale.calendar)) {
    throw new DataError({
      ...{ source, column, problem: 'bounds have another calendar than their times', received: named },
      allowed: 'one calendar for both',
    });
  }
  if (text === undefined) return scale;
  const calendar = named === undefined || own !== undefined ? scale.calendar : toTimeCalendar(named);
  if (areAbsolute(text)) return absoluteScale(text, calendar);
  const units = isDuration(text) ? { ...scale, unit: secondsOfUnit(text), text } : scaleFromDate(text, calendar);
  if (units !== undefined) return units;
  throw new DataError({
    ...{ source, column, problem: 'units of bounds are not understood', received: text },
    allowed: 'the units of their times, or seconds, minutes, hours or days since a date',
  });
}

async function readSeconds(
  reader: ArrayReader,
  array: StoredArray,
  { unit, reference, calendar, text }: TimeScale,
  noun: string,
): Promise<{ seconds: Float64Array; notes: string[] }> {
  const { source } = reader.file;
  const values = await reader.numbers(array);
  const toSeconds = (value: number) => {
    if (unit === 'date') return absoluteTime(value, calendar);
    return unit === undefined ? monthsAfter(reference, value, calendar) : value * unit + reference;
  };
  const seconds = values.map((value) => Math.round(toSeconds(value)));
  if (unit === 'date') assertDates(seconds, values, array, source);
  assertTimes(seconds, { source, column: array.name, noun, calendar, stored: (index) => `${values[index]} ${text}` });
  const rounded =
    array.type === 'float32' && typeof unit === 'number' ? roundedToStep(seconds, values, unit) : undefined;
  if (rounded === undefined) return { seconds, notes: [] };
  const { seconds: exact, step, furthest } = rounded;
  const isNoted = noun === 'time' && furthest > TOLERANCE;
  const note = `times of ${array.name} are float32, up to ${furthest} s off: rounded to ${lengthText(step)}`;
  return { seconds: exact, notes: isNoted ? [note] : [] };
}

/** Throws DataError for numbers that are no dates, and for float32, which has too few digits for them. */
function assertDates(seconds: Float64Array, values: Float64Array, { name, type }: StoredArray, source: string): void {
  const wrong = seconds.findIndex((time, i) => Number.isNaN(time) && !Number.isNaN(values[i]));
  if (wrong < 0 && type !== 'float32') return;
  const problem = wrong < 0 ? 'float32 is too short for dates and times' : `time ${wrong + 1} is not a date`;
  const received = values[Math.max(0, wrong)];
  throw new DataError({ source, column: name, problem, received, allowed: 'dates such as 20260302.25, in float64' });
}

/** A length of time for people. */
function lengthText(seconds: number): string {
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`;
}

/** Times may differ from their step by this many seconds: those written as fractions of days are not exact. */
const TOLERANCE = 60;

/** Steps of times in seconds. */
const STEPS = [86_400, 43_200, 21_600, 10_800, 3600, 1800, 900, 600, 300, 60];

/**
 * Times of float32, rounded to the longest step that all of them are multiples of, as far as float32 can tell; undefined
 * where there is none, or all are exact. `values` are the stored numbers, of units of `unit` seconds.
 */
function roundedToStep(
  seconds: Float64Array,
  values: Float64Array,
  unit: number,
): { seconds: Float64Array; step: number; furthest: number } | undefined {
  // Float32 has 24 bits: neighbours differ by a 2^-23rd of the power of two below.
  const errors = values.map((value) => (value === 0 ? 0 : 2 ** (Math.floor(Math.log2(Math.abs(value))) - 24) * unit));
  const largest = errors.reduce((a, b) => Math.max(a, b), 0);
  const roundTo = (step: number) => seconds.map((time) => Math.round(time / step) * step);
  for (const step of STEPS) {
    if (step <= 4 * largest) return undefined;
    const rounded = roundTo(step);
    const moved = rounded.map((time, i) => Math.abs(time - seconds[i]));
    if (!moved.every((distance, i) => distance <= errors[i] + 1)) continue;
    const furthest = moved.reduce((a, b) => Math.max(a, b), 0);
    return furthest === 0 ? undefined : { seconds: rounded, step, furthest };
  }
  return undefined;
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
  const [firstDay, lastDay] = calendar === 'julian' ? [JULIAN_FIRST, JULIAN_LAST] : calendarSpan(modelPart(calendar));
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
  if (calendar === 'julian') {
    throw new DataError({
      ...{ source, column, problem: `${noun} ${wrong + 1} is of calendar julian`, received: stored(wrong) },
      allowed:
        'times from 1900-03-01 to 2100-02-28, of which the real calendar has the same dates; convert others, for example with convert_calendar of xarray',
    });
  }
  throw new DataError({
    ...{ source, column, problem: `${noun} ${wrong + 1} is not within the years 1 to 9999` },
    ...{ received: stored(wrong), allowed: 'times from 0001-01-01T00:00:00Z to the end of 9999-12-31' },
  });
}
