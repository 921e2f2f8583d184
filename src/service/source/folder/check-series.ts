import { readPairing } from '../../../blend/pairing/pairing-record.js';
import { assertObject, assertOneOf, assertShape, assertShapes } from '../../../check/option-checks.js';
import type { Places } from '../../../ensemble/nearest-place.js';
import { assertLabels } from '../../../ensemble/place-labels.js';
import { OptionError } from '../../../errors.js';
import { checkDay } from '../../../period/day.js';
import { HORIZONS } from '../../../variable/availability.js';
import type { SeriesHead } from '../../store/block-file.js';
import { checkHorizons } from '../check-horizons.js';
import type { ForecastHeader } from './manifest.js';
import { isForecastPart, type StorePart } from './store-part.js';

/*
 * Checks of the arguments of an update: each throws OptionError for the first fault.
 */

/** A variable's slug, units and axis; a history has one member. */
export function checkSeries(part: StorePart, { slug, units, axis }: SeriesHead): void {
  checkSlug(slug);
  if (typeof units !== 'string') throw optionError(`${slug} units`, 'are not a text', units, 'a unit, such as degC');
  const { firstDay, days, members } = axis;
  checkDay(`${slug} axis.firstDay`, firstDay);
  for (const [name, count] of Object.entries({ days, members })) {
    if (!(Number.isInteger(count) && count >= 1)) {
      throw optionError(`${slug} axis.${name}`, 'is not a count', count, 'a whole number from 1 on');
    }
  }
  checkDay(`${slug} last day`, firstDay + days - 1);
  checkHorizons(slug, axis);
  if (!isForecastPart(part) && members !== 1) {
    throw optionError(`${part} ${slug}`, 'is a history of several members', members, 'one member');
  }
}

/** A slug, as it becomes part of a file's name. */
export function checkSlug(slug: string): void {
  if (typeof slug === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(slug)) return;
  const allowed = 'a lower-case letter, then lower-case letters, digits and underscores, 64 in all at most';
  throw optionError('variable', 'has an unusable slug', slug, allowed);
}

/** Places: at least one, in degrees. */
export function checkPlaces(subject: string, places: Places): void {
  assertShape(`${subject} places`, places, { latitude: 'doubles', longitude: 'doubles' });
  const { latitude, longitude, labels } = places;
  assertLabels(labels, `${subject} labels`);
  if (latitude.length === 0 || latitude.length !== longitude.length) {
    const received = `${latitude.length} latitudes, ${longitude.length} longitudes`;
    throw optionError(`${subject} places`, 'are not pairs of coordinates', received, 'as many of each, at least one');
  }
  checkDegrees(`${subject} latitude`, latitude, -90, 90);
  checkDegrees(`${subject} longitude`, longitude, -180, 360);
}

/** The header of a forecast. */
export function checkForecastHeader(header: ForecastHeader): void {
  const { initTime, version, generation, nextInitTime, horizonInitTimes, pairing, complete, shortfalls } = header;
  if (complete !== undefined) assertShape('complete', complete, {});
  for (const [horizon, extent] of Object.entries(complete ?? {})) {
    assertOneOf('complete', horizon, HORIZONS);
    assertShape(`complete.${horizon}`, extent, { members: 'count', days: 'count', variables: 'texts' });
  }
  if (shortfalls !== undefined) assertShapes('shortfalls', shortfalls, { horizon: 'text', variables: 'texts?' });
  if (pairing !== undefined) readPairing(pairing);
  checkTime('initTime', initTime);
  if (nextInitTime !== undefined) checkTime('nextInitTime', nextInitTime);
  for (const [name, text] of Object.entries({ version, generation })) {
    if (typeof text !== 'string' || text === '')
      throw optionError(name, 'is not a text, or empty', text, 'a text that is not empty');
  }
  assertObject('horizonInitTimes', horizonInitTimes, "{ 'short-term': '2026-03-02T00:00:00Z' }");
  for (const [horizon, time] of Object.entries(horizonInitTimes)) {
    assertOneOf('horizonInitTimes', horizon, HORIZONS);
    checkTime(`init time of ${horizon}`, time);
  }
}

function checkTime(subject: string, time: string): void {
  const isTime =
    typeof time === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(time) &&
    !Number.isNaN(Date.parse(time));
  if (!isTime) throw optionError(subject, 'is not a time', time, 'ISO 8601 in UTC, such as 2024-05-01T00:00:00Z');
}

function checkDegrees(subject: string, degrees: Float64Array, min: number, max: number): void {
  const wrong = degrees.findIndex((value) => !(value >= min && value <= max));
  if (wrong < 0) return;
  throw optionError(`${subject} of place ${wrong}`, 'is out of range', degrees[wrong], `degrees from ${min} to ${max}`);
}

function optionError(subject: string, problem: string, received: unknown, allowed: string): OptionError {
  return new OptionError({ subject, problem, received, allowed });
}
