import type { RowOrder } from '../../src/core/field.js';
import type { Core } from '../../src/core/load.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import type { Contestant, Results } from '../contestant.js';
import { statisticsRequest, toField } from '../fields.js';
import type { Members } from '../members.js';
import { DAYS, type Workload } from '../workloads.js';

/** `computeStatistics` on values outside and in the memory of the core, there in both orders of rows. */
export function plumecastContestants(core: Core): Contestant[] {
  const begin = core.memory.mark();
  return [
    {
      name: 'plumecast, copying its input',
      kind: 'plumecast',
      order: 'cell-first',
      prepare: (workload, parts) => runner(core, workload, 'day-fastest', parts),
    },
    {
      name: 'plumecast, in place',
      kind: 'plumecast',
      order: 'cell-first',
      prepare(workload, parts) {
        core.memory.release(begin);
        const placed = placeIn(core, parts, (values, to) => to.set(values));
        return runner(core, workload, 'day-fastest', placed);
      },
    },
    {
      name: 'plumecast, in place, cell fastest',
      kind: 'plumecast',
      order: 'window-first',
      prepare(workload, parts) {
        core.memory.release(begin);
        const placed = placeIn(core, parts, transpose);
        return runner(core, workload, 'cell-fastest', placed);
      },
    },
  ];
}

function runner(core: Core, workload: Workload, order: RowOrder, parts: readonly Members[]): (part: number) => Results {
  const fields = parts.map((members) => toField(members, order));
  const request = statisticsRequest(workload.rule);
  return (part) => {
    const { mean, quantiles } = computeStatistics(core, fields[part], workload.windows, request);
    return [mean, ...quantiles] as Float32Array[];
  };
}

type Fill = (from: Float32Array, to: Float32Array) => void;

/** Memory of the core for the members of all parts, filled from `parts`. */
function placeIn(core: Core, parts: readonly Members[], fill: Fill): Members[] {
  const addresses = parts.map((members) => members.map(({ byteLength }) => core.memory.allocate(byteLength)));
  // Views come last: growing the memory detaches earlier ones.
  return parts.map((members, part) =>
    members.map((values, m) => {
      const placed = core.memory.float32(addresses[part][m], values.length);
      fill(values, placed);
      return placed;
    }),
  );
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
