import { RADIANS } from '../projection/projection.js';
import type { CellShapes } from './overlap.js';
import { areaEastOf } from './sphere-area.js';

/** A polygon whose edges are straight in longitude and latitude, in radians; clockwise, so that its area is positive. */
export interface FlatPolygon {
  readonly longitude: readonly number[];
  readonly latitude: readonly number[];
}

/** An edge that bends by less than this share of its length is straight. */
const STRAIGHT = 1e-3;
const MAX_PIECES = 64;
/** Closer to a pole than this, in radians, a corner is there. */
const AT_POLE = 1e-9;
/** Corners are on one parallel within this, in radians: coordinates may be stored as float32. */
const SAME_PARALLEL = 1e-7;

/**
 * The outline of a cell on the plane of longitude and latitude; undefined for a cell without a place. Longitudes go on
 * beyond 180 degrees, bent edges are divided, and a cell with a pole in it goes to the pole.
 */
export function flatOutline(shapes: Extract<CellShapes, { kind: 'outlines' }>, cell: number): FlatPolygon | undefined {
  const { outlines, areGreatCircles, hasParallels = false } = shapes;
  const { points } = outlines;
  const corners: [number, number][] = [];
  for (let i = cell * points; i < (cell + 1) * points; i++) {
    const [lat, lon] = [outlines.latitude[i] * RADIANS, outlines.longitude[i] * RADIANS];
    if (Number.isNaN(lat + lon)) return undefined;
    const last = corners[corners.length - 1];
    if (last === undefined || last[0] !== lat || last[1] !== lon) corners.push([lat, lon]);
  }
  if (corners.length > 1 && isSameCorner(corners[0], corners[corners.length - 1])) corners.pop();
  if (corners.length < 3) return undefined;
  const polygon = { longitude: [] as number[], latitude: [] as number[] };
  const add = (lat: number, lon: number) => {
    const before = polygon.longitude[polygon.longitude.length - 1] ?? lon;
    polygon.longitude.push(lon - 2 * Math.PI * Math.round((lon - before) / (2 * Math.PI)));
    polygon.latitude.push(lat);
  };
  for (const [i, corner] of corners.entries()) {
    const following = corners[(i + 1) % corners.length];
    const [lat, lon] = corner;
    if (!isAtPole(lat)) add(lat, lon);
    else if (areGreatCircles) {
      // A pole has every longitude: edges go to it and from it along meridians.
      const [, previous] = corners[(i + corners.length - 1) % corners.length];
      add(lat, previous);
      add(lat, following[1]);
      continue;
    } else add(lat, lon);
    if (areGreatCircles && !isAtPole(following[0])) addBetween(corner, following, hasParallels, add);
  }
  return directed(aroundPole(polygon));
}

function isSameCorner([lat, lon]: readonly [number, number], [otherLat, otherLon]: readonly [number, number]): boolean {
  return lat === otherLat && lon === otherLon;
}

function isAtPole(latitude: number): boolean {
  return Math.abs(latitude) >= Math.PI / 2 - AT_POLE;
}

/** Adds places on the shortest way between two corners, so many that the pieces are straight. */
function addBetween(
  [lat1, lon1]: readonly [number, number],
  [lat2, lon2]: readonly [number, number],
  hasParallels: boolean,
  add: (lat: number, lon: number) => void,
): void {
  const turned = lon2 - lon1;
  const width = Math.abs(turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI)));
  if (hasParallels && Math.abs(lat1 - lat2) <= SAME_PARALLEL) return;
  const farthest = Math.max(Math.abs(lat1), Math.abs(lat2));
  const bend = (width * Math.sin(farthest)) / 8;
  const pieces = Math.min(MAX_PIECES, Math.ceil(Math.sqrt(bend / STRAIGHT)));
  if (pieces <= 1) return;
  const [from, to] = [onSphere(lat1, lon1), onSphere(lat2, lon2)];
  const angle = Math.acos(Math.max(-1, Math.min(1, from[0] * to[0] + from[1] * to[1] + from[2] * to[2])));
  for (let piece = 1; piece < pieces; piece++) {
    const [one, other] = [Math.sin((1 - piece / pieces) * angle), Math.sin((piece / pieces) * angle)];
    const [x, y, z] = from.map((value, axis) => one * value + other * to[axis]);
    add(Math.atan2(z, Math.hypot(x, y)), Math.atan2(y, x));
  }
}

function onSphere(lat: number, lon: number): readonly [number, number, number] {
  return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
}

/** A polygon that goes once around the earth, with the pole that it holds. */
function aroundPole(polygon: { longitude: number[]; latitude: number[] }): FlatPolygon {
  const { longitude, latitude } = polygon;
  const closing = longitude[longitude.length - 1] - longitude[0];
  const turn = 2 * Math.PI * Math.round(closing / (2 * Math.PI));
  if (turn === 0) return polygon;
  const pole = latitude[0] > 0 ? Math.PI / 2 : -Math.PI / 2;
  const [first] = longitude;
  return {
    longitude: [...longitude, first + turn, first + turn, first],
    latitude: [...latitude, latitude[0], pole, pole],
  };
}

function directed({ longitude, latitude }: FlatPolygon): FlatPolygon {
  let area = 0;
  for (let i = 0, j = latitude.length - 1; i < latitude.length; j = i++) {
    area += areaEastOf(0, longitude[j] - longitude[0], latitude[j], longitude[i] - longitude[0], latitude[i]);
  }
  return area >= 0
    ? { longitude, latitude }
    : { longitude: [...longitude].reverse(), latitude: [...latitude].reverse() };
}
