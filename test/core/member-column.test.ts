import { beforeEach, describe, expect, it } from 'vitest';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { windowTable } from '../../src/period/period.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';

let core: Core;
beforeEach(async () => {
  core = await loadCore();
});

const request: StatisticsRequest = {
  window: 'sum',
  quantiles: [0, 1],
  quantileType: 7,
  thresholds: [],
  spread: false,
  minMemberShare: 0.8,
};

/** Two weeks of two members that lie in the core's memory: 1 and 3 on every day. */
function fieldInCore(): EnsembleField {
  const addresses = [1, 3].map((value) => {
    const address = core.memory.allocate(14 * 4);
    core.memory.float32(address, 14).fill(value);
    return address;
  });
  const members = addresses.map((at, m) => new MemberColumn(`m${m}`, [{ values: core.memory.float32(at, 14) }]));
  return { type: 'float32', order: 'day-fastest', firstDay: 4, days: 14, cells: 1, members };
}

const growMemory = () => core.memory.allocate(2 ** 26);

describe('columns in the memory of the core', () => {
  it('keep their address when the memory grows', () => {
    const field = fieldInCore();
    growMemory();
    expect(field.members[0].chunks[0].values).toHaveLength(0);
    const { mean, quantiles } = computeStatistics(core, field, windowTable('weekly', 4, 17), request);
    expect([...mean]).toEqual([14, 14]);
    expect(quantiles.map((values) => [...values])).toEqual([
      [7, 7],
      [21, 21],
    ]);
  });

  it('report an infinite value there, too', () => {
    const field = fieldInCore();
    field.members[1].chunks[0].values[9] = Number.NEGATIVE_INFINITY;
    growMemory();
    expect(() => computeStatistics(core, field, windowTable('weekly', 4, 17), request)).toThrow(
      'row 10, column m1: infinite value; received -Infinity; allowed: finite numbers; NaN or null where a value is missing',
    );
  });

  it('throw if they must be copied and their view is detached', () => {
    const field = fieldInCore();
    const elsewhere = new MemberColumn('heap', [{ values: new Float32Array(14) }]);
    growMemory();
    const mixed = { ...field, members: [...field.members, elsewhere] };
    expect(() => computeStatistics(core, mixed, windowTable('weekly', 4, 17), request)).toThrow(
      'column m0: is detached, as the memory of the core has grown',
    );
  });

  it('are released with the memory above a mark', () => {
    const mark = core.memory.mark();
    const first = core.memory.allocate(100);
    core.memory.release(mark);
    expect(core.memory.allocate(100)).toBe(first);
  });

  it('cannot exceed four gigabytes', () => {
    expect(() => core.memory.allocate(2 ** 33)).toThrow('core memory: not enough memory for 8589934592 more bytes');
  });
});
