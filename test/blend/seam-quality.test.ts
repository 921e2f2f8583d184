import { describe, expect, it } from 'vitest';
import { blendFields } from '../../src/blend/blend-fields.js';
import type { Horizon } from '../../src/blend/horizon.js';
import type { BlendMethod } from '../../src/blend/pairing/pairing.js';
import type { EnsembleField } from '../../src/core/field.js';
import { loadCore } from '../../src/core/load.js';
import { casesOf, isFullCheck } from '../full-check.js';
import { SeamComparison, type SeamQuality } from '../reference/seam-quality.js';
import { SimulatedProcess, type SimulatedVariable } from '../reference/simulated-fields.js';

const core = await loadCore();
const [OVERLAP, BEFORE, AFTER] = [3, 9, 9];

interface Case {
  readonly across: number;
  readonly kilometres: number;
  readonly sizes: readonly [number, number];
  readonly runs: number;
  /** What a rare weekly total exceeds. */
  readonly rare: number;
  readonly variable: SimulatedVariable;
  readonly method?: BlendMethod;
}

/** Temperature with a memory of 0.8, rain with 0.5: of single cells, and of the mean of the field. */
function qualityOf({ across, kilometres, sizes, runs, rare, variable, method = 'field' }: Case): SeamQuality[] {
  const shape = { across, kilometres };
  const process = new SimulatedProcess({ shape, memory: 0.8, rainMemory: 0.5, seed: 11 });
  const seam = { handOver: BEFORE, complete: BEFORE + OVERLAP };
  const all = Array.from({ length: across * across }, (_, cell) => cell);
  const comparisons = [undefined, all].map((area) => new SeamComparison(shape, seam, area, rare));
  for (let run = 0; run < runs; run++) {
    const earlier = process.draw(sizes[0], 0, BEFORE + OVERLAP);
    const later = process.draw(sizes[1], BEFORE, OVERLAP + AFTER);
    const first = 20_000 + run;
    const shifted = (field: EnsembleField) => ({ ...field, firstDay: field.firstDay + first });
    const of = (slug: SimulatedVariable) =>
      [earlier, later].map((fields, h): Horizon => ({ name: `horizon ${h + 1}`, field: shifted(fields[slug]) }));
    const options = { method, overlaps: [OVERLAP], lastLeads: [], keepGaps: false, places: process.places };
    const [leading, ...also] = variable === 'rain' ? [of('rain')] : [of('temperature'), of('rain with temperature')];
    const { pairing } = blendFields(core, leading, { ...options, also });
    const { field } = blendFields(core, of(variable), pairing, process.places);
    for (const comparison of comparisons) {
      comparison.add(earlier[variable], later[variable], { ...field, firstDay: 0 }, pairing);
    }
  }
  return comparisons.map((comparison) => comparison.result());
}

const place = { across: 1, kilometres: 1, sizes: [31, 31], runs: isFullCheck ? 8000 : 400 } as const;
const small = { across: 5, kilometres: 50, sizes: [31, 31], runs: isFullCheck ? 400 : 40 } as const;
const wide = { across: 11, kilometres: 100, sizes: [31, 31], runs: isFullCheck ? 200 : 12 } as const;
/** Few runs leave noise. */
const noise = isFullCheck ? 0 : 0.05;

const CASES = casesOf<[string, Case]>(
  [
    ['temperature at a place', { ...place, variable: 'temperature', rare: 12.4 }],
    ['rain at a place', { ...place, variable: 'rain', rare: 72 }],
    ['rain that goes with temperature, at a place', { ...place, variable: 'rain with temperature', rare: 75 }],
    ['temperature in 200 km', { ...small, variable: 'temperature', rare: 12.4 }],
    ['rain in 200 km', { ...small, variable: 'rain', rare: 72 }],
    ['rain that goes with temperature, in 200 km', { ...small, variable: 'rain with temperature', rare: 75 }],
    ['temperature in 1,000 km', { ...wide, variable: 'temperature', rare: 12.4 }],
    ['rain in 1,000 km', { ...wide, variable: 'rain', rare: 72 }],
    ['rain that goes with temperature, in 1,000 km', { ...wide, variable: 'rain with temperature', rare: 75 }],
  ],
  [1, 3, 8],
);

describe('a timeline of known fields across a seam', () => {
  it.each(CASES)(
    'keeps %s: areas, neighbours, days, weeks and persistence',
    (_, example) => {
      const [cells, area] = qualityOf(example);
      expect(area.after).toBeCloseTo(1, 5);
      expect(Math.abs(cells.neighbours)).toBeLessThan(0.02 + noise / 5);
      // The mean of a day, and its variance, have no bias: what is left is that the members that switched are a sample.
      expect(Math.abs(cells.dailyMean)).toBeLessThan(0.02 + noise);
      expect(Math.abs(cells.dailyVariance)).toBeLessThan(0.04 + noise);
      expect(Math.abs(cells.week.mean)).toBeLessThan(0.04 + noise);
      // In 1,000 km one permutation has several patterns to suit.
      const isWide = example.across > 5;
      expect(Math.abs(cells.week.worst)).toBeLessThan((isWide ? 0.065 : 0.055) + noise);
      expect(Math.abs(cells.rare.mean)).toBeLessThan((isWide ? 0.18 : 0.1) + noise);
      expect(Math.abs(area.week.mean)).toBeLessThan(0.04 + noise);
      expect(cells.across).toBeGreaterThan(isWide ? 0.5 : 0.7);
    },
    600_000,
  );

  it('is lost where each cell is paired by itself, or members are spliced', () => {
    const example: Case = { ...wide, runs: 8, variable: 'temperature', rare: 12.4 };
    const [, byCell] = qualityOf({ ...example, method: 'cell' });
    expect(byCell.after).toBeLessThan(0.3);
    const [spliced] = qualityOf({ ...example, method: 'splice' });
    expect(spliced.week.worst).toBeLessThan(-0.25);
    expect(Math.abs(spliced.across)).toBeLessThan(0.1);
  });

  it.each<[string, readonly [number, number], number]>([
    ['51 members are chosen from', [31, 51], 0.05],
    ['31 members are repeated', [51, 31], 0.05],
  ])('is kept in a place where %s', (_, sizes, bound) => {
    const [cells] = qualityOf({ ...place, sizes, variable: 'rain', rare: 72 });
    expect(Math.abs(cells.week.mean)).toBeLessThan(bound + noise);
    expect(Math.abs(cells.dailyMean)).toBeLessThan(0.03 + noise);
    expect(Math.abs(cells.dailyVariance)).toBeLessThan(0.05 + noise);
    expect(Math.abs(cells.after - 1)).toBeLessThan(0.06 + noise);
  });

  it('of 5,000 km keeps areas of 1,000 km, and neighbours: its regions pass smoothly', () => {
    const process = { across: 13, kilometres: 400, sizes: [31, 31], runs: isFullCheck ? 20 : 5 } as const;
    const [cells] = qualityOf({ ...process, variable: 'temperature', rare: 12.4 });
    // Neighbours are 400 km apart here.
    expect(Math.abs(cells.neighbours)).toBeLessThan(0.08);
    expect(cells.across).toBeGreaterThan(0.15);
  });
});
