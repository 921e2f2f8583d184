import { describe, expect, it } from 'vitest';
import { cellRows } from '../../../src/ensemble/cell-shapes/cell-rows.js';
import { areasOfCells, regionWeights } from '../../../src/files/cf/weights/region-weights.js';
import type { GeoObject } from '../../../src/files/places/geo-json.js';
import type { Regions } from '../../../src/files/regions/region.js';
import { regionList } from '../../../src/files/regions/region-list.js';

type Ring = readonly (readonly unknown[])[];

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
/** A ring along a parallel, by the degrees between its positions. */
const parallel = (latitude: number, step: number): Ring =>
  Array.from({ length: Math.abs(360 / step) + 1 }, (_, i) => [-180 * Math.sign(step) + i * step, latitude]);

const regions = (name: string | undefined, ...rings: Ring[]) =>
  regionList({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: name && { name }, geometry: { type: 'Polygon', coordinates: rings } }],
  } as unknown as GeoObject);

const LATITUDES = Float64Array.from({ length: 180 }, (_, i) => i - 89.5);
const LONGITUDES = Float64Array.from({ length: 360 }, (_, i) => i + 0.5);
const GLOBE = { kind: 'rectilinear' as const, latitude: LATITUDES, longitude: LONGITUDES };

/** The area of the globe that the cells of a region have, in shares of the sphere. */
function shareOfGlobe(given: Regions): number {
  const all = areasOfCells({ kind: 'rows', rows: cellRows(GLOBE) ?? [] });
  const { weights, covered } = regionWeights(all, 180 * 360, given, 'globe');
  expect(covered[0]).toBeCloseTo(1, 9);
  return weights.weight.reduce((sum, weight, run) => sum + weight * weights.count[run], 0) / (4 * Math.PI);
}

const sine = (degrees: number) => Math.sin((degrees * Math.PI) / 180);
const shareOfBox = (west: number, south: number, east: number, north: number) =>
  ((east - west) / 360) * ((sine(north) - sine(south)) / 2);

describe('regions of GeoJSON', () => {
  it.each<[string, Ring[], number, string[]]>([
    ['a box', [box(10, 40, 20, 50)], shareOfBox(10, 40, 20, 50), []],
    ['a box in the other direction', [[...box(10, 40, 20, 50)].reverse()], shareOfBox(10, 40, 20, 50), []],
    [
      'a box across the date line',
      [box(175, -20, -175, -10)],
      shareOfBox(175, -20, 185, -10),
      ['A crosses the date line'],
    ],
    ['a box up to 360 degrees', [box(350, -20, 360, -10)], shareOfBox(350, -20, 360, -10), []],
    ['a ring around the north pole', [parallel(70, 20)], (1 - sine(70)) / 2, ['A holds the north pole']],
    ['a ring around the south pole, westward', [parallel(-70, -20)], (1 - sine(70)) / 2, ['A holds the south pole']],
    ['a belt around the earth', [box(-180, 0, 180, 10)], sine(10) / 2, []],
    ['a hole', [box(0, 0, 10, 10), box(2, 2, 4, 4)], shareOfBox(0, 0, 10, 10) - shareOfBox(2, 2, 4, 4), []],
    [
      'a hole that touches its ring',
      [box(0, 0, 10, 10), box(0, 2, 4, 4)],
      shareOfBox(0, 0, 10, 10) - shareOfBox(0, 2, 4, 4),
      [],
    ],
    ['a ring that is not closed', [box(0, 0, 10, 10).slice(0, 4)], shareOfBox(0, 0, 10, 10), []],
  ])('have the area of %s', (_, rings, share, notes) => {
    const given = regions('A', ...rings);
    expect(given.notes).toEqual(notes);
    expect(shareOfGlobe(given)).toBeCloseTo(share, 12);
  });

  it('of one feature need no name', () => {
    expect(regions(undefined, box(0, 0, 1, 1)).names).toEqual(['region']);
  });

  it.each<[string, Ring[], string]>([
    [
      'an edge around half of the earth',
      [box(-100, 0, 100, 20)],
      'regions, A: has an edge that may go either way around the earth; received "200 degrees of longitude"; ' +
        'allowed: edges of at most 180 degrees, or of at most 90 across the date line; add positions between',
    ],
    [
      'a ring around the earth on both hemispheres',
      [parallel(0, 20).map(([longitude], i) => [longitude, i % 2 === 0 ? -5 : 5])],
      'goes around the earth, and does not show which pole it holds; received "latitudes -5 to 5"; allowed: a ring on one hemisphere',
    ],
    [
      'too few positions',
      [
        [
          [0, 0],
          [5, 5],
          [0, 0],
        ],
      ],
      'has a ring of too few positions; received 3; allowed: at least four, the last as the first',
    ],
    [
      'no coordinates',
      [
        [
          [0, 0],
          [null, 0],
          [5, 5],
          [0, 0],
        ],
      ],
      'has a position without coordinates; received null, 0',
    ],
    [
      'texts as coordinates',
      [
        [
          ['0', '0'],
          ['5', '0'],
          ['5', '5'],
          ['0', '0'],
        ],
      ],
      'has a position without coordinates; received "0", "0"',
    ],
    [
      'a latitude above 90',
      [box(100, 80, 110, 95)],
      'has a position out of range; received 110, 95; allowed: first the longitude from -360 to 360, then the latitude from -90 to 90',
    ],
    [
      'latitudes before longitudes',
      [box(40, 100, 50, 110)],
      'has a position out of range, as latitudes and longitudes seem to be swapped; received 40, 100',
    ],
    [
      'no area',
      [
        [
          [0, 0],
          [5, 5],
          [10, 10],
          [0, 0],
        ],
      ],
      'has no area',
    ],
    ['no ring', [], 'has a ring that is no list; allowed: a list of positions'],
    [
      'an edge that crosses another one',
      [
        [
          [0, 0],
          [4, 4],
          [4, 0],
          [0, 3],
          [0, 0],
        ],
      ],
      'crosses itself; received "at longitude 1.7143, latitude 1.7143"; allowed: rings that cross neither themselves nor each other',
    ],
    ['a hole across its ring', [box(0, 0, 5, 5), box(4, 4, 6, 6)], 'A: crosses itself; received "at longitude'],
  ])('with %s are an error', (_, rings, message) => {
    expect(() => regions('A', ...rings)).toThrow(message);
  });

  it('with a hole outside of the ring, or without any feature, are an error', () => {
    const outside = regions('A', box(0, 0, 5, 5), box(20, 20, 22, 22));
    expect(() => shareOfGlobe(outside)).toThrow('regions, A: has polygons that overlap, or a hole outside of its ring');
    const none = { type: 'FeatureCollection', features: [] } as unknown as GeoObject;
    expect(() => regionList(none)).toThrow(
      'has no features; received an empty list; allowed: a FeatureCollection with at least one',
    );
  });

  it('find one crossing among many edges, wherever they are', () => {
    // A star of many points: two that are exchanged make edges cross.
    const star = Array.from({ length: 5000 }, (_, i): [number, number] => {
      const radius = i % 2 === 0 ? 20 : 18;
      return [radius * Math.cos((i * Math.PI) / 2500), radius * Math.sin((i * Math.PI) / 2500)];
    });
    expect(() => regions('A', star)).not.toThrow();
    for (const at of [3, 1250, 2501, 4321]) {
      const crossed = star.with(at, star[at + 2]).with(at + 2, star[at]);
      expect(() => regions('A', crossed)).toThrow('crosses itself');
    }
  });
});

describe('regions of TopoJSON', () => {
  it('are made of arcs that they share, in steps of whole numbers', () => {
    const topology = {
      type: 'Topology',
      transform: { scale: [0.5, 0.25], translate: [7, 47] },
      objects: {
        districts: {
          type: 'GeometryCollection',
          geometries: [
            { type: 'Polygon', arcs: [[0, 1]], properties: { name: 'West' } },
            { type: 'MultiPolygon', arcs: [[[2, -1]]], properties: { name: 'Ost' } },
          ],
        },
      },
      arcs: [
        [
          [5, 0],
          [0, 12],
        ],
        [
          [5, 12],
          [-5, 0],
          [0, -12],
          [5, 0],
        ],
        [
          [5, 0],
          [5, 0],
          [0, 12],
          [-5, 0],
        ],
      ],
    };
    const found = regionList(topology as unknown as GeoObject);
    expect(found.names).toEqual(['West', 'Ost']);
    const boxes = [box(7, 47, 9.5, 50), box(9.5, 47, 12, 50)];
    for (const [i, ring] of boxes.entries()) {
      const [one] = regions('A', ring).shapes;
      expect([found.latitude[i], found.longitude[i]]).toEqual([one.latitude, one.longitude]);
      const given = { ...found, names: ['A'], shapes: [found.shapes[i]] };
      expect(shareOfGlobe(given)).toBeCloseTo(shareOfGlobe({ ...given, shapes: [one] }), 14);
    }
  });
});
