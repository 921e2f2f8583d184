import { floatArray } from '../core/float-array.js';
import { MemberColumn } from '../core/member-column.js';
import { DataError, OptionError } from '../errors.js';
import type { Ensemble, EnsemblePart } from './ensemble.js';

/** A place on the globe, in degrees; longitudes count from -180 or from 0. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** How far a point may be from a place that has no neighbours to tell a grid step by, in degrees. */
const LONE_REACH = 1;

/** Coordinates that differ by less are the same. */
const SAME = 1e-6;

/** Throws OptionError unless `point` is on the globe. */
export function checkPoint({ latitude, longitude }: Point): void {
  if (!(latitude >= -90 && latitude <= 90)) {
    throw new OptionError({
      subject: 'point',
      problem: 'no latitude',
      received: latitude,
      allowed: 'a number from -90 to 90',
    });
  }
  if (!(longitude >= -180 && longitude <= 360)) {
    throw new OptionError({
      subject: 'point',
      problem: 'no longitude',
      received: longitude,
      allowed: 'a number from -180 to 360',
    });
  }
}

/**
 * The ensemble at the cell nearest to a point, by great-circle distance, longitudes wrapped. Throws a DataError where the
 * ensemble has no coordinates, or the point lies farther from it than one grid step in latitude or longitude (one degree where
 * the places are no grid).
 */
export function nearestCell(ensemble: Ensemble, point: Point, source?: string): Ensemble {
  checkPoint(point);
  let nearest: { part: EnsemblePart; cell: number; distance: number } | undefined;
  for (const part of ensemble.parts) {
    for (let cell = 0; cell < part.field.cells; cell++) {
      const distance = centralAngle(point, { latitude: part.latitude[cell], longitude: part.longitude[cell] });
      if (distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { part, cell, distance };
    }
  }
  if (nearest === undefined) {
    throw new DataError({
      source,
      problem: 'has no coordinates to find a point by',
      allowed: 'columns latitude and longitude, or both in the metadata; without a point, all rows are used',
    });
  }
  const { part, cell } = nearest;
  const found = { latitude: part.latitude[cell], longitude: part.longitude[cell] };
  const reach = gridStep(ensemble.parts, found);
  const away = {
    latitude: Math.abs(found.latitude - point.latitude),
    // Near a pole a degree of longitude is short: what counts is how far apart the places are.
    longitude: Math.min(
      Math.abs(wrap(found.longitude - point.longitude)),
      (nearest.distance * 180) / Math.PI / Math.max(Math.cos((found.latitude * Math.PI) / 180), 1e-9),
    ),
  };
  if (away.latitude > reach.latitude + 1e-9 || away.longitude > reach.longitude + 1e-9) {
    throw new DataError({
      source,
      problem: 'location is not covered',
      received: `${point.latitude}, ${point.longitude}`,
      allowed: `a point within one grid step (${shown(reach.latitude)} by ${shown(reach.longitude)} degrees) of the data; the nearest is ${found.latitude}, ${found.longitude}`,
    });
  }
  return { ...ensemble, parts: [onlyCell(part, cell)] };
}

function shown(degrees: number): string {
  return String(Number(degrees.toPrecision(6)));
}

/** The steps from a cell to its neighbours north or south and east or west; where it has none, it is no grid. */
function gridStep(parts: readonly EnsemblePart[], { latitude, longitude }: Point): Point {
  let [north, east] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const part of parts) {
    for (let cell = 0; cell < part.field.cells; cell++) {
      const up = Math.abs(part.latitude[cell] - latitude);
      const along = Math.abs(wrap(part.longitude[cell] - longitude));
      if (along < SAME && up > SAME && up < north) north = up;
      if (up < SAME && along > SAME && along < east) east = along;
    }
  }
  const either = Math.min(north, east);
  const fallback = either === Number.POSITIVE_INFINITY ? LONE_REACH : either;
  return {
    latitude: north === Number.POSITIVE_INFINITY ? fallback : north,
    longitude: east === Number.POSITIVE_INFINITY ? fallback : east,
  };
}

/** Degrees of longitude between -180 and 180. */
function wrap(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

/** The angle between two places in radians, by the haversine formula. */
function centralAngle(a: Point, b: Point): number {
  const rad = Math.PI / 180;
  const up = Math.sin(((b.latitude - a.latitude) * rad) / 2);
  const along = Math.sin((wrap(b.longitude - a.longitude) * rad) / 2);
  const h = up * up + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * along * along;
  return 2 * Math.asin(Math.min(1, Math.sqrt(h)));
}

function onlyCell({ field, latitude, longitude }: EnsemblePart, cell: number): EnsemblePart {
  const { days, cells, order, type } = field;
  const rowOf = (day: number) => (order === 'day-fastest' ? cell * days + day : day * cells + cell);
  const members = field.members.map((member) => {
    if (order === 'day-fastest') return member.slice(rowOf(0), rowOf(days));
    const values = floatArray(type, days);
    for (let day = 0; day < days; day++) values[day] = member.value(rowOf(day));
    return new MemberColumn(member.name, [{ values }]);
  });
  return {
    field: {
      ...field,
      order: 'day-fastest',
      cells: 1,
      members,
      place: (m, day) => field.place?.(m, rowOf(day)) ?? { row: rowOf(day) + 1 },
    },
    latitude: latitude.subarray(cell, cell + 1),
    longitude: longitude.subarray(cell, cell + 1),
  };
}
