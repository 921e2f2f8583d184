import type { LocalDays } from '../../../ensemble/local-days.js';
import { areZonesByPlace } from '../../../ensemble/place-days.js';
import { DataError, OptionError } from '../../../errors.js';
import { DAY_SECONDS } from '../../../period/day.js';
import { DAY_KEYS } from '../../../period/stated-days.js';
import { findTimeZone } from '../../../period/time-zone.js';
import type { ArrayFile } from '../../array/array-file.js';
import type { ArrayLayout } from '../array-layout.js';
import { textAttribute } from '../attribute-values.js';
import type { CheckedGridOptions } from '../grid-options.js';
import type { TimeAxis } from '../time/time-axis.js';
import { modelPart, utcText } from '../time/time-units.js';
import { hasLength } from './array-amounts.js';

/** Times that are written as fractions of days are not exact. */
const TOLERANCE = 60;
/** Days of a zone are longer and shorter by an hour or two where its clocks are changed. */
const SHORTEST = 20 * 3600;

/** What the attributes of a file state of the days of its values, as results have it; empty for days of UTC. */
export function statedDays({ attributes }: ArrayFile): ReadonlyMap<string, string> {
  const stated = DAY_KEYS.flatMap((key) => {
    const text = textAttribute(attributes, key);
    return text === undefined || text === '' ? [] : [[key, text] as const];
  });
  const [key, zone] = stated[0] ?? [];
  if (key !== 'time_zone' || zone === undefined) return new Map();
  if (!areZonesByPlace(zone) && findTimeZone(zone) === undefined) return new Map();
  return new Map(zone === 'UTC' && stated.length === 1 ? [] : stated);
}

/** Whether the values of an axis are daily: by their bounds, else by their times. A single time is a day. */
export function areDaily({ seconds, bounds }: TimeAxis): boolean {
  const lengths =
    bounds !== undefined && hasLength(bounds)
      ? seconds.map((_, step) => bounds[2 * step + 1] - bounds[2 * step])
      : seconds.slice(1).map((time, i) => time - seconds[i]);
  return lengths.every((length) => length >= SHORTEST);
}

/** Throws OptionError for days of a zone of values that have none: of a model calendar, and of stored periods. */
export function assertZones(source: string, { times }: ArrayLayout, { native }: CheckedGridOptions): void {
  const calendar = modelPart(times.calendar);
  if (calendar === undefined && native !== true) return;
  throw new OptionError({
    subject: `${source}, timeZone`,
    problem: native ? 'values are of stored periods' : 'times are of a model calendar, which has no zones',
    ...(calendar !== undefined && { received: calendar }),
    allowed: native ? 'days, weeks or months that are made of time steps' : 'times of the real calendar',
  });
}

/**
 * The axis of daily values that are kept as days of a zone: dates at midnight stay; times that are midnight in the zone
 * become its dates. Throws DataError where units state a zone in which days begin at other times.
 */
export function datesOfZone(source: string, times: TimeAxis, { zone }: LocalDays): TimeAxis {
  const { seconds, bounds, zone: stated, coordinate } = times;
  const toWall = (values: Float64Array) => values.map((time) => time + zone.offset(time));
  const edges = bounds !== undefined && hasLength(bounds) ? bounds : seconds;
  if (stated === undefined && edges.every(isMidnight)) return times;
  const isLocal = toWall(edges).every(isMidnight);
  if (isLocal) return { ...times, seconds: toWall(seconds), bounds: bounds && toWall(bounds), zone: undefined };
  if (stated === undefined) return times;
  throw new DataError({
    ...{ source, column: coordinate, problem: `daily values are not of days of ${zone.name}` },
    received: `${stated}: ${utcText(edges[0])}`,
    allowed: 'times at which its days begin, dates without a zone, or time steps, of which its days are made',
  });
}

function isMidnight(time: number): boolean {
  return Math.abs(time - DAY_SECONDS * Math.round(time / DAY_SECONDS)) <= TOLERANCE;
}
