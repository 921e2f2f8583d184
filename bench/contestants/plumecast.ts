import type { EnsembleField, RowOrder } from '../../src/core/field.js';
import type { Core } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { computeStatistics, type StatisticsRequest } from '../../src/statistics/compute.js';
import type { Contestant, Results } from '../contestant.js';
import type { Members } from '../data.js';
import { DAYS, FIRST_DAY, PROBABILITIES, type Workload } from '../workloads.js';

/** `computeStatistics` on values in the order of tables and in that of fields, beside or in the memory of the core. */
export function plumecastContestants(core: Core): Contestant[] {
  const begin = core.memory.mark();
  return [
    {
      name: 'plumecast, copying its input',
      kind: 'plumecast',
      order: 'cell-first',
      prepare: (workload, members) => runner(core, workload, 'day-fastest', members),
    },
    {
      name: 'plumecast, in place',
      kind: 'plumecast',
      order: 'cell-first',
      prepare(workload, members) {
        core.memory.release(begin);
        const placed = placeIn(core, members, (values, to) => to.set(values));
        return runner(core, workload, 'day-fastest', placed);
      },
    },
    {
      name: 'plumecast, in place, cell fastest',
      kind: 'plumecast',
      order: 'window-first',
      prepare(workload, members) {
        core.memory.release(begin);
        const placed = placeIn(core, members, transpose);
        return runner(core, workload, 'cell-fastest', placed);
      },
    },
  ];
}

function runner(core: Core, workload: Workload, order: RowOrder, members: Members): () => Results {
  const field: EnsembleField = {
    type: 'float32',
    order,
    firstDay: FIRST_DAY,
    days: DAYS,
    cells: members[0].length / DAYS,
    members: members.map((values, m) => new MemberColumn(`member_${m}`, [{ values }])),
  };
  const request: StatisticsRequest = {
    window: workload.rule,
    quantiles: PROBABILITIES,
    quantileType: 7,
    thresholds: [],
    spread: false,
    minMemberShare: 0.8,
  };
  return () => {
    const { mean, quantiles } = computeStatistics(core, field, workload.windows, request);
    return [mean, ...quantiles] as Float32Array[];
  };
}

/** Room for the members in the core's memory, filled from `members`. */
function placeIn(core: Core, members: Members, fill: (from: Float32Array, to: Float32Array) => void): Members {
  const addresses = members.map(({ byteLength }) => core.memory.allocate(byteLength));
  // Views come last: taking memory detaches earlier ones.
  return members.map((values, m) => {
    const placed = core.memory.float32(addresses[m], values.length);
    fill(values, placed);
    return placed;
  });
}

/** From days fastest to cells fastest, in squares that fit the caches. */
function transpose(from: Float32Array, to: Float32Array): void {
  const cells = from.length / DAYS;
  for (let block = 0; block < cells; block += 32) {
    const end = Math.min(block + 32, cells);
    for (let day = 0; day < DAYS; day++) {
      for (let cell = block; cell < end; cell++) to[day * cells + cell] = from[cell * DAYS + day];
    }
  }
}
