import { describe, expect, it } from 'vitest';
import { type EnsembleField, memberColumns } from '../../../src/core/field.js';
import { loadCore } from '../../../src/core/load.js';
import { windowTable } from '../../../src/period/period.js';
import { CoreBuffers, memberRequest, WindowTables } from '../../../src/service/point/core-buffers.js';
import { computeStatistics } from '../../../src/statistics/compute.js';
import type { StatisticsRequest } from '../../../src/statistics/statistics-request.js';

const FIRST_DAY = 20_514;

function request(window: StatisticsRequest['window'], quantiles: readonly number[]): StatisticsRequest {
  return { window, quantiles, quantileType: 7, thresholds: [], spread: false, minMemberShare: 0.8 };
}

/** Seeded values of some members, with a few that are missing. */
function randomField(days: number, members: number, seed: number): { field: EnsembleField; values: Float32Array } {
  let state = seed;
  const values = Float32Array.from({ length: days * members }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % 97 === 0 ? Number.NaN : (state >>> 8) / 1e5;
  });
  const columns = memberColumns(values as Float32Array<ArrayBuffer>, days);
  const field = {
    type: 'float32',
    order: 'day-fastest',
    firstDay: FIRST_DAY,
    days,
    cells: 1,
    members: columns,
  } as const;
  return { field, values };
}

describe('prepared statistics', () => {
  it('are those of computeStatistics, however many plans there are and in whatever order they are used', async () => {
    const core = await loadCore();
    const buffers = new CoreBuffers(core);
    const shapes = [
      [35, 5],
      [60, 31],
      [100, 7],
      [215, 51],
    ] as const;
    let seed = 1;
    for (let round = 0; round < 3; round++) {
      for (const [days, members] of shapes) {
        for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
          for (const window of ['sum', 'mean', 'min', 'max'] as const) {
            for (const quantiles of [[0.5], [0.05, 0.25, 0.5, 0.75, 0.95]]) {
              const { field, values } = randomField(days, members, seed++);
              const windows = windowTable(granularity, FIRST_DAY + (seed % 3), FIRST_DAY + days - 1);
              const requested = request(window, quantiles);
              const prepared = buffers.plans
                .find(buffers.hold(field, values), windows, memberRequest(window, quantiles))
                .compute();
              expect(prepared).toEqual(computeStatistics(core, field, windows, requested));
            }
          }
        }
      }
    }
  });

  it('are computed anew for other values: earlier results stay as they are', async () => {
    const core = await loadCore();
    const buffers = new CoreBuffers(core);
    const windows = windowTable('weekly', FIRST_DAY, FIRST_DAY + 34);
    const compute = (seed: number) => {
      const { field, values } = randomField(35, 5, seed);
      return buffers.plans.find(buffers.hold(field, values), windows, memberRequest('sum', [0.5])).compute();
    };
    const first = compute(1);
    const kept = structuredClone(first);
    expect(compute(2)).not.toEqual(first);
    expect(first).toEqual(kept);
  });

  it('an infinite value is an error, and the next result is right again', async () => {
    const core = await loadCore();
    const buffers = new CoreBuffers(core);
    const windows = windowTable('weekly', FIRST_DAY, FIRST_DAY + 34);
    const { field, values } = randomField(35, 5, 3);
    const compute = () =>
      buffers.plans.find(buffers.hold(field, values), windows, memberRequest('sum', [0.5])).compute();
    const right = compute();
    const before = values[20];
    values[20] = Number.POSITIVE_INFINITY;
    expect(compute).toThrow('infinite');
    values[20] = before;
    expect(compute()).toEqual(right);
  });
});

describe('tables of windows', () => {
  it('are those of windowTable, and the same object for the same span', () => {
    const tables = new WindowTables();
    for (let day = 0; day < 100; day++) {
      expect(tables.find('weekly', day, day + 50)).toEqual(windowTable('weekly', day, day + 50));
    }
    expect(tables.find('weekly', 99, 149)).toBe(tables.find('weekly', 99, 149));
    expect(tables.find('monthly', 99, 149)).not.toEqual(tables.find('weekly', 99, 149));
  });
});
