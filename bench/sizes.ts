import type { RowOrder } from '../src/core/field.js';
import type { Core } from '../src/core/load.js';
import { countOf, timeText } from './numbers.js';
import { placeField, statisticsRun } from './placed-field.js';
import { medianTurns } from './turns.js';
import { MEMBERS, WORKLOADS, type Workload } from './workloads.js';

const ORDERS: readonly RowOrder[] = ['day-fastest', 'cell-fastest'];

/** What an output costs at several numbers of cells, in place, in both orders of rows. */
export function sizesReport(core: Core, sizes: readonly number[], turns: number): string {
  const rows = WORKLOADS.flatMap((workload) =>
    ORDERS.map((order) => {
      const times = nanoseconds(core, workload, order, sizes, turns);
      const spread = Math.max(...times) / Math.min(...times);
      return `| ${[`${workload.key}, ${order}`, ...times.map(timeText), spread.toFixed(2)].join(' | ')} |`;
    }),
  );
  return [
    '### Numbers of cells: ns per output, in place',
    '',
    `| | ${sizes.map((cells) => countOf(cells, 'cell')).join(' | ')} | most to least |`,
    `|---|${'---:|'.repeat(sizes.length + 1)}`,
    ...rows,
  ].join('\n');
}

/** Cells that a turn computes at least: small jobs run many times over. */
const CELLS_OF_TURN = 2_000;

function nanoseconds(
  core: Core,
  workload: Workload,
  order: RowOrder,
  sizes: readonly number[],
  turns: number,
): number[] {
  const begin = core.memory.mark();
  const runs = sizes.map((cells) => Math.max(1, Math.ceil(CELLS_OF_TURN / cells)));
  const fields = sizes.map((cells) => placeField(core, { members: MEMBERS, cells, data: workload.data, order }));
  const jobs = fields.map((field, s) => {
    const run = statisticsRun(core, field, workload);
    const repeated = () => {
      for (let i = 0; i < runs[s]; i++) run();
    };
    return { name: `${workload.key}, ${order}, ${sizes[s]} cells`, run: repeated };
  });
  const times = medianTurns(jobs, turns);
  core.memory.release(begin);
  return times.map((milliseconds, s) => (milliseconds * 1e6) / (runs[s] * sizes[s] * workload.windows.count));
}
