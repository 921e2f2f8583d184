import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  covers,
  findGridStep,
  findNearest,
  notCovered,
  type Places,
  type Point,
} from '../../src/ensemble/nearest-place.js';
import { PlaceIndex } from '../../src/ensemble/place-index.js';
import { isPlumecastError } from '../../src/errors.js';
import { holds } from '../property/fuzz.js';
import { nearestTwin } from '../reference/nearest-place.js';

const placesOf = (...points: readonly (readonly [number, number])[]): Places => ({
  latitude: Float64Array.from(points, ([latitude]) => latitude),
  longitude: Float64Array.from(points, ([, longitude]) => longitude),
});

/** The search without an index. */
function lookAtAll(places: Places): Pick<PlaceIndex, 'nearest'> {
  return {
    nearest(point) {
      const found = findNearest(places, point);
      if (found === undefined) return undefined;
      const step = findGridStep(places, found.place);
      if (covers(places, found, point, step)) return found.place;
      throw notCovered(places, found.place, point, step);
    },
  };
}

/** The index of the nearest place, or what would have been allowed. */
function answer(index: Pick<PlaceIndex, 'nearest'>, point: Point): number | string | undefined {
  try {
    return index.nearest(point);
  } catch (error) {
    if (isPlumecastError(error, 'data')) return error.allowed;
    throw error;
  }
}

const nearest = (places: Places, latitude: number, longitude: number) =>
  answer(new PlaceIndex(places), { latitude, longitude });

const decimal = (min: number, max: number) =>
  fc.integer({ min: 1000 * min, max: 1000 * max }).map((thousandths) => thousandths / 1000);

/** Some cells of a grid, which may touch a pole or cross the date line, in any order, some of them twice. */
const grids = fc
  .record({
    south: fc.constantFrom(-90, -89.75, -1, 0, 37.3, 85, 89),
    west: fc.constantFrom(-180, -10.5, 0, 178, 355, 359.5),
    step: fc.constantFrom(0.25, 1 / 3, 1, 2.5, 60),
    narrow: fc.constantFrom(1, 0.5),
    cells: fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { minLength: 1, maxLength: 60 }),
    signed: fc.boolean(),
  })
  .map(({ south, west, step, narrow, cells, signed }) =>
    cells.map(([row, column]): [number, number] => {
      const east = west + column * step * narrow;
      return [Math.min(90, south + row * step), signed && east >= 180 ? east - 360 : east];
    }),
  );
/** Whole grids, stored by rows or by columns, in either direction; or not quite. */
const wholeGrids = fc
  .record({
    south: fc.constantFrom(-90, -1, 37.3, 88),
    west: fc.constantFrom(-180, 0, 178, 359.5),
    step: fc.constantFrom(0.25, 1 / 3, 60),
    rows: fc.integer({ min: 1, max: 4 }),
    columns: fc.integer({ min: 1, max: 6 }),
    byColumn: fc.boolean(),
    isTurned: fc.boolean(),
    change: fc.option(fc.tuple(fc.nat(), fc.constantFrom(0, 0.125), fc.constantFrom(0, 0.125))),
  })
  .map(({ south, west, step, rows, columns, byColumn, isTurned, change }) => {
    const places = Array.from({ length: rows * columns }, (_, i): [number, number] => {
      const [row, column] = byColumn ? [i % rows, Math.floor(i / rows)] : [Math.floor(i / columns), i % columns];
      const north = south + (isTurned ? rows - 1 - row : row) * Math.min(step, 0.5);
      const east = west + column * step;
      return [north, east >= 360 ? east - 360 : east];
    });
    if (change !== null) {
      const place = places[change[0] % places.length];
      place[0] += change[1];
      place[1] += change[2];
    }
    return places;
  });
const scattered = fc.array(fc.tuple(decimal(-90, 90), decimal(-180, 360)), { maxLength: 40 });
const crowded = fc.array(fc.tuple(decimal(52, 53), decimal(-9, -8)), { maxLength: 40 });
const unknown = fc.constant<[number, number]>([Number.NaN, 10]);

/** Places, and points among, near and far from them. */
const examples = fc
  .tuple(fc.oneof(grids, wholeGrids, scattered, crowded), fc.array(unknown, { maxLength: 1 }))
  .chain(([known, missing]) => {
    const near = fc.tuple(fc.nat(99), decimal(-2, 2), decimal(-2, 2)).map(([i, north, east]) => {
      const [latitude, longitude] = known[i % Math.max(1, known.length)] ?? [0, 0];
      return [Math.max(-90, Math.min(90, latitude + north)), longitude + east] as const;
    });
    const point = fc.oneof(
      near,
      near,
      fc.tuple(decimal(-90, 90), decimal(-180, 360)),
      fc.nat(99).map((i) => known[i % Math.max(1, known.length)] ?? [0, 0]),
    );
    return fc.record({
      places: fc.constant([...missing, ...known]),
      points: fc.array(point, { minLength: 1, maxLength: 8 }),
    });
  });

describe('the nearest place', () => {
  holds('is that which a look at all of them finds, and so is its grid step', 800, examples, ({ places, points }) => {
    const all = placesOf(...places);
    const index = new PlaceIndex(all);
    for (const [latitude, longitude] of points) {
      const expected = nearestTwin(all, { latitude, longitude });
      expect(expected).toContain(answer(index, { latitude, longitude }));
      expect(expected).toContain(answer(lookAtAll(all), { latitude, longitude }));
    }
  });

  it('covers points within a grid step of a pole, whatever their longitude', () => {
    const index = new PlaceIndex({ latitude: Float64Array.of(-90, -89.75), longitude: Float64Array.of(0, 0) });
    expect(index.covering({ latitude: -89.9, longitude: 180 })).toBe(0);
    expect(index.covering({ latitude: -89.7, longitude: 180 })).toBeUndefined();
  });

  it('may lie across the date line, Greenwich or a pole', () => {
    expect(nearest(placesOf([0, -179], [0, 175], [0, 178]), 0, 180)).toBe(0);
    expect(nearest(placesOf([50, 358], [50, 3], [50, 1]), 50, -1)).toBe(0);
    expect(nearest(placesOf([89, 0], [89, 90], [89, 180], [89, 270]), 89.9, 530)).toBe(2);
    expect(nearest(placesOf([90, 0], [89, 0]), 90, 123)).toBe(0);
  });

  it('is the first of several at the same coordinates', () => {
    expect(nearest(placesOf([11, 20], [10, 20], [10, 20], [10, 380]), 10.1, 20)).toBe(1);
    expect(nearest(placesOf([10, 20.0000001], [10, 20]), 10, 20)).toBe(0);
  });

  it('is undefined if no place has coordinates', () => {
    expect(nearest(placesOf(), 0, 0)).toBeUndefined();
    expect(nearest(placesOf([Number.NaN, 5], [5, Number.NaN]), 5, 5)).toBeUndefined();
  });

  it('is within one step to its neighbours, or within one degree if it has none', () => {
    const rejected = (within: string, at: string) => `within ${within} of the data; the nearest is ${at}`;
    const grid = placesOf([10, 20], [10, 22.5], [11, 20], [11, 22.5]);
    expect(nearest(grid, 12, 25)).toBe(3);
    expect(nearest(grid, 12.1, 25)).toBe(rejected('one grid step (1 by 2.5 degrees)', '11, 22.5'));
    const around = placesOf([0, -180], [0, 90], [0, 179]);
    expect(nearest(around, 1.1, 180)).toBe(rejected('one grid step (1 by 1 degrees)', '0, -180'));
    const stations = placesOf([52, -8], [53.5, -9]);
    expect(nearest(stations, 52.7, -8)).toBe(0);
    expect(nearest(stations, 50.9, -8)).toBe(rejected('1 degree of latitude and longitude', '52, -8'));
  });
});
