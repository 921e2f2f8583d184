import { expect, it } from 'vitest';
import { regionFinder } from '../../../src/files/regions/region-at.js';
import { regionList } from '../../../src/files/regions/region-list.js';

const ring = (...positions: [number, number][]) => [...positions, positions[0]];
const feature = (name: string, ...rings: [number, number][][]) => ({
  type: 'Feature',
  properties: { name },
  geometry: { type: 'Polygon', coordinates: rings.map((each) => ring(...each)) },
});
const find = (...features: object[]) => regionFinder(regionList({ type: 'FeatureCollection', features } as never));

it('regionFinder gives the region of a place: not in a hole, across the date line, at a pole, and on borders once', () => {
  const square = feature(
    'square',
    [
      [0, 0],
      [0, 10],
      [10, 10],
      [10, 0],
    ],
    [
      [4, 4],
      [6, 4],
      [6, 6],
      [4, 6],
    ],
  );
  const east = feature('east', [
    [10, 0],
    [10, 10],
    [20, 10],
    [20, 0],
  ]);
  const pacific = feature('pacific', [
    [170, -10],
    [170, 10],
    [-170, 10],
    [-170, -10],
  ]);
  const arctic = feature('arctic', [
    [-180, 80],
    [-90, 80],
    [0, 80],
    [90, 80],
    [180, 80],
  ]);
  const at = find(square, east, pacific, arctic);
  const names = (...places: [number, number][]) => places.map(([longitude, latitude]) => at({ latitude, longitude }));
  expect(names([5, 1], [5, 5], [361, 1], [-1, 5], [10, 5], [0, 5], [20, 5], [5, 0], [5, 10])).toEqual([
    ...['square', undefined, 'square', undefined, 'east', 'square', undefined, 'square', undefined],
  ]);
  expect(names([175, 0], [-175, 0], [185, 0], [165, 0], [180, 0])).toEqual([
    ...['pacific', 'pacific', 'pacific', undefined, 'pacific'],
  ]);
  expect(names([33, 85], [0, 90], [250, 81], [33, 79])).toEqual(['arctic', 'arctic', 'arctic', undefined]);
  expect(names([Number.NaN, 5])).toEqual([undefined]);
});

it('regionFinder gives a place in several regions the first one, and a triangle what lies below its edge', () => {
  const at = find(
    feature('a', [
      [0, 0],
      [0, 10],
      [10, 0],
    ]),
    feature('b', [
      [0, 0],
      [0, 10],
      [10, 10],
      [10, 0],
    ]),
  );
  let [inA, all] = [0, 0];
  for (let x = 0.25; x < 10; x += 0.5)
    for (let y = 0.25; y < 10; y += 0.5) {
      const name = at({ latitude: y, longitude: x });
      expect(name).toBe(x + y <= 10 && x + y < 10 ? 'a' : x + y === 10 ? name : 'b');
      inA += Number(name === 'a');
      all++;
    }
  expect([all, inA]).toEqual([400, expect.any(Number)]);
});
