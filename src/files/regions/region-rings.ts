import { DataError } from '../../errors.js';
import { RADIANS, withinCircle } from '../projection/projection.js';
import { findCrossing } from './crossing-edges.js';
import type { RegionEdges, RegionShape } from './region.js';
import { areaEastOf } from './sphere-area.js';

/** Who a problem of an outline is about. */
export interface OutlineSource {
  readonly source: string;
  readonly subject: string;
}

/** A ring of GeoJSON: positions of longitude and latitude. */
type Ring = readonly (readonly number[])[];

/** Degrees within which an edge goes once around, or a ring is closed. */
const ROUNDING = 1e-9;
/** An edge across the date line is no longer than this; others show nothing of what is between their ends. */
const MAX_ACROSS = 90;
/** An outer ring that is smaller than this has no area, in steradians: a square centimetre on the earth. */
const MIN_AREA = 2e-18;

/**
 * Makes the outline of a region of the coordinates of a Polygon or a MultiPolygon. An edge of more than 180 degrees of
 * longitude crosses the date line, one of 360 goes along the whole parallel, and a ring around a pole holds it. `note`
 * takes what was done. Throws DataError for what is no outline.
 */
export function regionShape(
  polygons: readonly (readonly Ring[])[],
  of: OutlineSource,
  note: (text: string) => void,
): RegionShape {
  const collected = new EdgeCollector();
  const add = (ring: Ring, sign: 1 | -1) => {
    const oriented = orientedRing(ring, of, note);
    // The parts of an eight may have areas that cancel each other.
    if (!collected.add(oriented, sign)) assertUncrossed(edgesOf(oriented), of);
  };
  for (const [outer, ...holes] of polygons) {
    add(outer, 1);
    for (const hole of holes) add(hole, -1);
  }
  const shape = collected.shape();
  if (shape === undefined) {
    throw new DataError({
      ...of,
      problem: 'has no area',
      received: `${polygons.length} polygons`,
      allowed: 'polygons with an area',
    });
  }
  assertUncrossed(shape.edges, of);
  return shape;
}

/** Throws DataError where edges cross each other. */
function assertUncrossed(edges: Pick<RegionEdges, 'count' | 'ends'>, of: OutlineSource): void {
  const crossing = findCrossing(edges);
  if (crossing === undefined) return;
  throw new DataError({
    ...{ ...of, problem: 'crosses itself', received: `at longitude ${crossing[0]}, latitude ${crossing[1]}` },
    allowed: 'rings that cross neither themselves nor each other (ogr2ogr -makevalid mends them)',
  });
}

function edgesOf(ring: readonly number[]): Pick<RegionEdges, 'count' | 'ends'> {
  const count = ring.length / 2;
  return { count, ends: Float64Array.from({ length: 4 * count }, (_, i) => edgeOf(ring, Math.floor(i / 4))[i % 4]) };
}

/** The outline of a box of latitudes and longitudes. */
export function boxShape(south: number, west: number, north: number, east: number): RegionShape | undefined {
  const collected = new EdgeCollector();
  collected.add([west, south, west, north, east, north, east, south], 1);
  return collected.shape();
}

/** Longitudes and latitudes of a ring, one after the other, without jumps; a ring around a pole goes to it. */
function orientedRing(ring: Ring, of: OutlineSource, note: (text: string) => void): number[] {
  const fail = (problem: string, received: unknown, allowed: string) =>
    new DataError({ ...of, problem, received, allowed });
  if (!Array.isArray(ring)) throw fail('has a ring that is no list', ring, 'a list of positions');
  const found: number[] = [];
  let shift = 0;
  for (let i = 0; i < ring.length; i++) {
    const position = isUsual(ring[i]) ? ring[i] : positionOf(ring[i], fail);
    const given = position[0];
    const latitude = position[1];
    const last = found.length - 2;
    const width = last < 0 ? 0 : given + shift - found[last];
    if (width > 180 || width < -180) shift += shiftOf(width, fail, note);
    const longitude = given + shift;
    if (last >= 0 && longitude === found[last] && latitude === found[last + 1]) continue;
    found.push(longitude, latitude);
  }
  const end = found.length - 2;
  const isClosed = end > 0 && found[end + 1] === found[1] && isSame(withinCircle(found[end] - found[0]), 0);
  /** By how many degrees of longitude the ring ends beside its beginning: 0, or 360 of one around a pole. */
  const turn = isClosed ? found[end] - found[0] : end >= 0 ? -shiftOf(found[0] - found[end], fail, note) : 0;
  if (isClosed) found.length = end;
  if (found.length < 6)
    throw fail('has a ring of too few positions', ring.length, 'at least four, the last as the first');
  if (!isSame(turn, 0)) return aroundPole(found, turn, fail, note);
  return isWholeParallel(found) ? aroundPole(found.slice(0, 4), 360, fail, note) : found;
}

/** Whether a ring goes along one parallel around the earth, and back by one edge: it is around the pole, as it has no area. */
function isWholeParallel(ring: readonly number[]): boolean {
  if (ring.some((degrees, i) => i % 2 === 1 && degrees !== ring[1])) return false;
  const longitudes = ring.filter((_, i) => i % 2 === 0);
  return isSame(Math.max(...longitudes) - Math.min(...longitudes), 360);
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= ROUNDING;
}

type Fail = (problem: string, received: unknown, allowed: string) => DataError;

/** Whether a position is within usual degrees. */
function isUsual(position: readonly number[]): boolean {
  if (!Array.isArray(position)) return false;
  const longitude = position[0];
  const latitude = position[1];
  const areNumbers = typeof longitude === 'number' && typeof latitude === 'number';
  return areNumbers && Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90;
}

function positionOf(position: unknown, fail: Fail): readonly [number, number] {
  const [longitude, latitude] = Array.isArray(position) ? position : [];
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) {
    throw fail('has a position without coordinates', position, 'longitude and latitude in degrees, as numbers');
  }
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360) return [longitude, latitude];
  if (Math.abs(latitude) <= 90 + ROUNDING) return [longitude, Math.sign(latitude) * 90];
  const isSwapped = Math.abs(longitude) <= 90 && Math.abs(latitude) <= 360;
  const hint = isSwapped ? ', as latitudes and longitudes seem to be swapped' : '';
  const allowed = 'first the longitude from -360 to 360, then the latitude from -90 to 90';
  throw fail(`has a position out of range${hint}`, position, allowed);
}

/** The degrees by which what follows an edge is moved, so that no edge is longer than half of a parallel. */
function shiftOf(width: number, fail: Fail, note: (text: string) => void): number {
  if (Math.abs(width) <= 180 || isSame(Math.abs(width), 360)) return 0;
  const shift = -360 * Math.round(width / 360);
  if (Math.abs(width + shift) > MAX_ACROSS) {
    const allowed = `edges of at most 180 degrees, or of at most ${MAX_ACROSS} across the date line; add positions between`;
    throw fail(
      'has an edge that may go either way around the earth',
      `${Math.abs(width)} degrees of longitude`,
      allowed,
    );
  }
  note('crosses the date line');
  return shift;
}

/** A ring that goes once around the earth, with the pole of its hemisphere. */
function aroundPole(found: readonly number[], turn: number, fail: Fail, note: (text: string) => void): number[] {
  const latitudes = found.filter((_, i) => i % 2 === 1);
  const [lowest, highest] = [Math.min(...latitudes), Math.max(...latitudes)];
  if (!isSame(Math.abs(turn), 360) || lowest * highest <= 0) {
    const received = `latitudes ${lowest} to ${highest}`;
    throw fail('goes around the earth, and does not show which pole it holds', received, 'a ring on one hemisphere');
  }
  const pole = lowest > 0 ? 90 : -90;
  note(`holds the ${pole > 0 ? 'north' : 'south'} pole`);
  const [first] = found;
  return [...found, first + turn, found[1], first + turn, pole, first, pole];
}

/** Collects rings as edges, and the middle of their area. */
class EdgeCollector {
  /** Of each ring the ends of its edges. */
  readonly #ends: Float64Array[] = [];
  readonly #next: number[] = [];
  readonly #middle = [0, 0, 0];

  /** Adds a ring, whose area counts as positive or negative, unless it has none. Returns whether it did. */
  add(ring: readonly number[], sign: 1 | -1): boolean {
    const length = ring.length / 2;
    let [area, x, y, flat] = [0, 0, 0, 0];
    for (let i = 0; i < ring.length; i += 2) {
      const next = i + 2 === ring.length ? 0 : i + 2;
      const lon1 = ring[i];
      const lat1 = ring[i + 1];
      const lon2 = ring[next];
      const lat2 = ring[next + 1];
      area += areaEastOf(0, lon1 * RADIANS, lat1 * RADIANS, lon2 * RADIANS, lat2 * RADIANS);
      const cross = (lon1 - ring[0]) * (lat2 - ring[1]) - (lon2 - ring[0]) * (lat1 - ring[1]);
      flat += cross;
      x += cross * (lon1 + lon2 - 2 * ring[0]);
      y += cross * (lat1 + lat2 - 2 * ring[1]);
    }
    if (Math.abs(area) < MIN_AREA || flat === 0) return false;
    const isBackward = area * sign < 0;
    const first = this.#next.length;
    const ends = new Float64Array(4 * length);
    for (let i = 0; i < length; i++) {
      const from = isBackward ? 2 * ((length - i) % length) : 2 * i;
      const to = isBackward ? 2 * (length - 1 - i) : 2 * ((i + 1) % length);
      ends[4 * i] = ring[from];
      ends[4 * i + 1] = ring[from + 1];
      ends[4 * i + 2] = ring[to];
      ends[4 * i + 3] = ring[to + 1];
      this.#next.push(first + ((i + 1) % length));
    }
    this.#ends.push(ends);
    const [lon, lat] = [(ring[0] + x / (3 * flat)) * RADIANS, (ring[1] + y / (3 * flat)) * RADIANS];
    const weight = Math.abs(area) * sign;
    const direction = [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
    for (const [axis, part] of direction.entries()) this.#middle[axis] += weight * part;
    return true;
  }

  /** The shape of all rings; undefined where none has an area. */
  shape(): RegionShape | undefined {
    const count = this.#next.length;
    if (count === 0) return undefined;
    const ends = new Float64Array(4 * count);
    let at = 0;
    for (const ring of this.#ends) {
      ends.set(ring, at);
      at += ring.length;
    }
    let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < ends.length; i += 2) {
      west = Math.min(west, ends[i]);
      east = Math.max(east, ends[i]);
    }
    const edges: RegionEdges = { count, west, east, ends, next: Int32Array.from(this.#next) };
    const [x, y, z] = this.#middle;
    return { edges, latitude: rounded(Math.atan2(z, Math.hypot(x, y))), longitude: rounded(Math.atan2(y, x)) };
  }
}

function edgeOf(ring: readonly number[], i: number): readonly [number, number, number, number] {
  const next = (2 * i + 2) % ring.length;
  return [ring[2 * i], ring[2 * i + 1], ring[next], ring[next + 1]];
}

/** Degrees with as many decimals as people need. */
function rounded(angle: number): number {
  return Math.round((angle / RADIANS) * 1e4) / 1e4;
}
