import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  divideField,
  locate,
  membersAtPlaces,
  membersOfRegions,
  type PairedRegions,
  type Regions,
  regionsAround,
} from '../../../src/blend/pairing/regions.js';
import { sampleByIndex, sampleRegions } from '../../../src/blend/pairing/sampled-cells.js';
import type { Places } from '../../../src/ensemble/nearest-place.js';
import { shuffled } from '../../property/examples.js';
import { holds } from '../../property/fuzz.js';

function grid(south: number, north: number, west: number, east: number, step: number): Places {
  const latitude: number[] = [];
  const longitude: number[] = [];
  for (let y = south; y <= north; y += step) {
    for (let x = west; x < east; x += step) {
      latitude.push(y);
      longitude.push(x);
    }
  }
  return { latitude: Float64Array.from(latitude), longitude: Float64Array.from(longitude) };
}

const globe = grid(-90, 90, 0, 360, 2.5);
const all = () => true;
const divided = (places: Places) => divideField(places, 1250) as Regions;

describe('divideField', () => {
  it('leaves a field of 1,800 km whole, and divides the globe into regions of about 1,250 km', () => {
    expect(divided(grid(40, 55, 0, 20, 1)).count).toBe(1);
    const { bands, count, isRound } = divided(globe);
    expect([bands.length, isRound, bands[8].columns, bands[0].columns]).toEqual([16, true, 32, 3]);
    expect(count).toBe(bands.reduce((sum, { columns }) => sum + columns, 0));
    expect(
      divideField({ latitude: Float64Array.of(Number.NaN), longitude: Float64Array.of(Number.NaN) }),
    ).toBeUndefined();
  });

  it('takes a field across the date line, or across Greenwich, as one, in either way to count longitudes', () => {
    const pacific = divided(grid(-20, 20, 150, 230, 1));
    const shifted = grid(-20, 20, 150, 230, 1);
    const other = divided({ ...shifted, longitude: shifted.longitude.map((x) => (x > 180 ? x - 360 : x)) });
    expect([pacific.isRound, pacific.bands[0].columns]).toEqual([false, 7]);
    expect(other.bands).toEqual(pacific.bands);
    expect(other.west).toBeCloseTo(pacific.west, 9);
    expect(locate(pacific, 0, -175).region).toBe(locate(other, 0, 185).region);
  });
});

describe('sampleRegions', () => {
  it('spreads a sample over each region, in any order of cells, with weights by area', () => {
    const regions = divided(globe);
    const samples = sampleRegions(regions, globe, 4, all);
    expect(samples.every(({ cells }) => cells.length > 0 && cells.length <= 16)).toBe(true);
    const order = shuffled(globe.latitude.length, 4);
    const turned = {
      latitude: Float64Array.from(order, (cell) => globe.latitude[cell]),
      longitude: Float64Array.from(order, (cell) => globe.longitude[cell]),
    };
    sampleRegions(regions, turned, 4, all).forEach(({ cells, weights }, r) => {
      expect(Array.from(cells, (cell) => order[cell])).toEqual([...samples[r].cells]);
      expect(weights).toEqual(samples[r].weights);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    });
    expect(new Set(samples[100].quarters)).toEqual(new Set([0, 1, 2, 3]));
  });

  it('without coordinates spreads over rows and columns of any length', () => {
    for (const width of [6, 12, 36, 100]) {
      const { cells } = sampleByIndex(width * 36, 36, all);
      expect(cells.length).toBe(36);
      expect(new Set(Array.from(cells, (cell) => cell % width)).size).toBeGreaterThan(Math.min(width, 36) / 3);
    }
    expect([...sampleByIndex(5, 36, all).cells]).toEqual([0, 1, 2, 3, 4]);
    const isOdd = (cell: number) => cell % 2 === 1;
    expect([...sampleByIndex(9, 36, isOdd).cells]).toEqual([1, 3, 5, 7]);
  });

  it('takes the next cell where the nearest has no values, and none where no cell has', () => {
    const regions = divided(globe);
    const before = sampleRegions(regions, globe, 4, all);
    const empty = new Set(before.flatMap(({ cells }) => [...cells]));
    const after = sampleRegions(regions, globe, 4, (cell) => !empty.has(cell));
    expect(after.flatMap(({ cells }) => [...cells]).filter((cell) => empty.has(cell))).toEqual([]);
    expect(after[100].cells.length).toBeGreaterThan(4);
    const south = sampleRegions(regions, globe, 4, (cell) => globe.latitude[cell] < 0);
    expect(south.map(({ cells }) => cells.length > 0).indexOf(false)).toBe(regions.bands[8].first);
  });
});

/** Two seams of a field whose regions have permutations of their own. */
function paired(regions: Regions, members: number): PairedRegions {
  const seams = [1, 2].map((seam) => ({
    chosen: Int32Array.from(shuffled(members + 3, seam).slice(0, members)),
    partners: Int32Array.from(
      Array.from({ length: regions.count }, (_, r) => shuffled(members, 1000 * seam + r)).flat(),
    ),
  }));
  return { ...regions, seams };
}

describe('membersAtPlaces', () => {
  const members = 9;
  const regions = paired(divided(globe), members);
  const at = membersAtPlaces(regions);

  holds(
    'is a permutation everywhere, of the members that are in use',
    500,
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 360, noNaN: true }),
    }),
    ({ latitude, longitude }) => {
      at(latitude, longitude).forEach((found, s) => {
        expect([...found].sort((a, b) => a - b)).toEqual([...regions.seams[s].chosen].sort((a, b) => a - b));
      });
    },
  );

  it('is the permutation of a region in its middle, and follows the members of the first seam at the second', () => {
    const tables = membersOfRegions(regions);
    const { south, height, west, bands } = regions;
    for (const b of [0, 7, 15]) {
      for (let c = 0; c < bands[b].columns; c++) {
        const middle = [south + (b + 0.5) * height, west + (c + 0.5) * bands[b].width] as const;
        const r = bands[b].first + c;
        at(...middle).forEach((found, s) => {
          expect([...found]).toEqual([...tables[s].subarray(r * members, (r + 1) * members)]);
        });
      }
    }
  });

  it('changes one member after the other on the way to the next region: at most three at a time', () => {
    const { south, height } = regions;
    const latitude = south + 7.5 * height;
    const steps = 4000;
    let before = at(latitude, -180)[0];
    let most = 0;
    let changes = 0;
    for (let step = 1; step <= steps; step++) {
      const found = at(latitude, -180 + (360 * step) / steps)[0];
      const changed = found.filter((member, t) => member !== before[t]).length;
      most = Math.max(most, changed);
      changes += changed;
      before = found;
    }
    expect(most).toBeLessThanOrEqual(3);
    expect(changes).toBeGreaterThan(100);
  });

  it('needs no other regions than those around a place', () => {
    for (const [latitude, longitude] of [
      [0, 0],
      [-89, 12],
      [52.3, 179.9],
      [37, -80],
    ]) {
      const around = regionsAround(regions, latitude, longitude);
      expect(around.length).toBeLessThanOrEqual(6);
      const seams = regions.seams.map(({ chosen, partners }) => ({
        chosen,
        partners: partners.map((partner, i) => (around.includes(Math.floor(i / members)) ? partner : i % members)),
      }));
      expect(membersAtPlaces({ ...regions, seams })(latitude, longitude)).toEqual(at(latitude, longitude));
    }
  });
});
