import { MemberColumn } from '../core/member-column.js';
import { floatArray } from '../core/number-arrays.js';
import { DataError, OptionError } from '../errors.js';
import type { Ensemble, EnsemblePart } from './ensemble.js';
import { covers, findGridStep, findNearest, notCovered, type Places, type Point, somePlaces } from './nearest-place.js';

/** Throws OptionError about `subject` unless `point` is on the globe. */
export function checkPoint(point: Point, subject = 'point'): void {
  const { latitude, longitude }: Partial<Point> = point ?? {};
  checkDegrees(subject, 'latitude', latitude, -90, 90);
  checkDegrees(subject, 'longitude', longitude, -180, 360);
}

/** Throws OptionError about `subject` for what is not a number of degrees within limits. */
export function checkDegrees(subject: string, name: string, received: unknown, least: number, most: number): void {
  if (typeof received === 'number' && received >= least && received <= most) return;
  const [problem, allowed] = [`${name} cannot be used`, `a number from ${least} to ${most}`];
  throw new OptionError({ subject, problem, received, allowed }, true);
}

/**
 * The ensemble at the cell nearest to a point, by great-circle distance, longitudes wrapped. Throws a DataError if the
 * ensemble has no coordinates, or if the point is more than one grid step away in latitude or longitude (one degree if
 * the places are not a grid).
 */
export function nearestCell(ensemble: Ensemble, point: Point, source?: string): Ensemble {
  let cell = nearestPlace(placesOf(ensemble.parts), point, source);
  const part = ensemble.parts.find(({ field }) => {
    if (cell < field.cells) return true;
    cell -= field.cells;
    return false;
  }) as EnsemblePart;
  return { ...ensemble, parts: [onlyCell(part, cell)] };
}

/** The index of the place that is nearest to a point. Throws as `nearestCell` does. */
export function nearestPlace(places: Places, point: Point, source?: string, stepAt = findGridStep): number {
  checkPoint(point);
  const nearest = findNearest(places, point);
  if (nearest === undefined) {
    throw new DataError({
      source,
      problem: 'has no coordinates to find a point by',
      allowed: 'columns latitude and longitude, or both in the metadata; without a point, all rows are used',
    });
  }
  const step = stepAt(places, nearest.place);
  if (covers(places, nearest, point, step)) {
    places.labels?.assertOnly(places, nearest.place, source);
    return nearest.place;
  }
  throw notCovered(places, nearest.place, point, step, source);
}

/** The places of all cells, part after part. */
export function placesOf(parts: readonly EnsemblePart[]): Places {
  if (parts.length === 1) return parts[0];
  const all = (coordinate: 'latitude' | 'longitude') =>
    Float64Array.from(parts.flatMap((part) => Array.from(part[coordinate])));
  return { latitude: all('latitude'), longitude: all('longitude'), labels: parts[0].labels?.joined(parts) };
}

/** One cell of a part. */
export function onlyCell(part: EnsemblePart, cell: number): EnsemblePart {
  const { field } = part;
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
    ...somePlaces(part, cell, cell + 1),
  };
}
