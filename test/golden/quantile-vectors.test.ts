import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { windowTable } from '../../src/period/period.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import type { QuantileType } from '../../src/statistics/options.js';
import { referenceFolder } from '../reference/data-folder.js';
import { measure, noError, printWorst } from './compare.js';
import { readReferenceCsv } from './reference-csv.js';

const folder = referenceFolder('quantile-vectors') ?? '';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** Quantiles of a sample: an ensemble with a member for each value, on a single day. */
function quantilesOf(sample: readonly number[], quantileType: QuantileType, quantiles: readonly number[]): number[] {
  const members = sample.map((x, m) => new MemberColumn(`m${m}`, [{ values: Float64Array.of(x) }]));
  const field = { type: 'float64', order: 'day-fastest', firstDay: 0, days: 1, cells: 1, members } as const;
  const results = computeStatistics(core, field, windowTable('daily', 0, 0), {
    window: 'mean',
    quantiles,
    quantileType,
    thresholds: [],
    spread: false,
    minMemberShare: 1,
  });
  return results.quantiles.map(([value]) => value);
}

/** The rows of a file of results, those of one sample and type together. */
function resultsOf(file: string) {
  const csv = readReferenceCsv(join(folder, file));
  const [vector, type, p, value] = [csv.text('vector'), csv.numbers('type'), csv.numbers('p'), csv.numbers('value')];
  const groups = new Map<string, { vector: string; type: QuantileType; p: number[]; value: number[] }>();
  vector.forEach((name, row) => {
    const key = `${name} ${type[row]}`;
    const group = groups.get(key) ?? { vector: name, type: type[row] as QuantileType, p: [], value: [] };
    group.p.push(p[row]);
    group.value.push(value[row]);
    groups.set(key, group);
  });
  return { length: csv.length, groups: [...groups.values()] };
}

function samples(): Record<string, number[]> {
  return JSON.parse(readFileSync(join(folder, 'vectors.json'), 'utf8'));
}

describe.skipIf(folder === '')('sample quantiles', () => {
  it('equal those of R, all nine types, within 1e-12', () => {
    const { groups, length } = resultsOf('R.csv');
    const vectors = samples();
    const worst = noError();
    for (const { vector, type, p, value } of groups) {
      const before = worst.relative;
      measure(worst, quantilesOf(vectors[vector], type, p), value);
      if (worst.relative > before) expect(worst.relative, `${vector} type ${type}`).toBeLessThanOrEqual(1e-12);
    }
    expect(worst.values).toBe(1530);
    expect(length).toBe(1530);
    printWorst('quantile-vectors, R', worst);
  });

  it('equal those of numpy 1.24 in the types that it has right: 1, 5, 7, 8, 9', () => {
    const vectors = samples();
    const worst = noError();
    for (const { vector, type, p, value } of resultsOf('numpy.csv').groups) {
      if ([1, 5, 7, 8, 9].includes(type)) measure(worst, quantilesOf(vectors[vector], type, p), value);
    }
    expect(worst.values).toBe(850);
    expect(worst.relative).toBeLessThanOrEqual(1e-12);
    printWorst('quantile-vectors, numpy', worst);
  });

  it("equal the table of nine types in numpy's own tests", () => {
    const cases: { x: number[]; p: number; expected: Record<string, number> }[] = JSON.parse(
      readFileSync(join(folder, 'published.json'), 'utf8'),
    );
    let compared = 0;
    for (const { x, p, expected } of cases) {
      for (const [type, value] of Object.entries(expected)) {
        const [found] = quantilesOf(x, Number(type) as QuantileType, [p]);
        expect(Math.abs(found - value), `type ${type}`).toBeLessThanOrEqual(1e-12 * Math.abs(value));
        compared++;
      }
    }
    expect(compared).toBe(9);
  });
});
