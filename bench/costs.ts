import type { EnsembleField, RowOrder } from '../src/core/field.js';
import type { Core } from '../src/core/load.js';
import { createRandomStream } from '../src/demo/random.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { allocateMembers, statisticsRequest, toField } from './fields.js';
import { fillMembers } from './members.js';
import { countText, timeText } from './report.js';
import { type Job, medianTurns } from './timing.js';
import { DAYS, MEMBERS, WORKLOADS, type Workload } from './workloads.js';

const COUNTS = [2, 3, 5, 8, 11, 15, 20, 21, 25, 30, 31, 32, 40, 50, 51, 52, 64, 65, 75, 100, 101, 102, 150, 200, 300];

/** What a member costs in ensembles of many sizes: weekly sums, in place, as a Markdown table. */
export function memberCountsReport(core: Core, cells: number, turns: number): string {
  const [weekly] = WORKLOADS;
  const begin = core.memory.mark();
  const jobs = COUNTS.map((members) =>
    statisticsJob(core, `${members} members`, makeField(core, { members, cells, data: weekly.data }), weekly),
  );
  const times = medianTurns(jobs, turns).map((milliseconds) => (milliseconds * 1e6) / (cells * weekly.windows.count));
  core.memory.release(begin);
  const perMember = times.map((time, i) => time / COUNTS[i]);
  const compared = perMember[COUNTS.indexOf(MEMBERS)];
  return [
    `### Numbers of members: ${weekly.title}, ${cells.toLocaleString('en')} cells, in place`,
    '',
    `| members | ns per output | ns per member and output | beside ${MEMBERS} members |`,
    '|---:|---:|---:|---:|',
    ...COUNTS.map((count, i) => {
      const ratio = (perMember[i] / compared).toFixed(2);
      return `| ${[count, timeText(times[i]), timeText(perMember[i]), ratio].join(' | ')} |`;
    }),
  ].join('\n');
}

/** Shares of missing days, and of members that must be valid. */
const MISSING_DAYS = [
  { missing: 0, minMemberShare: 0.8 },
  { missing: 0.001, minMemberShare: 0.8 },
  { missing: 0.01, minMemberShare: 0.8 },
  { missing: 0.05, minMemberShare: 0.8 },
  { missing: 0.05, minMemberShare: 0 },
];

/** What days cost that are missing at random, in place, as a Markdown table. */
export function missingDaysReport(core: Core, cells: number, turns: number): string {
  const times = WORKLOADS.map((workload) => {
    const begin = core.memory.mark();
    const jobs = MISSING_DAYS.map(({ missing, minMemberShare }) => {
      const field = makeField(core, { members: MEMBERS, cells, data: workload.data, missing });
      return statisticsJob(core, `${workload.key}, ${100 * missing} % missing`, field, workload, minMemberShare);
    });
    const milliseconds = medianTurns(jobs, turns);
    core.memory.release(begin);
    return milliseconds.map((each) => (each * 1e6) / (cells * workload.windows.count));
  });
  const rows = MISSING_DAYS.map(({ missing, minMemberShare }, i) => {
    const figures = times.map((all) => `${timeText(all[i])} (${(all[i] / all[0]).toFixed(2)})`);
    return `| ${[`${100 * missing} %`, minMemberShare, ...figures].join(' | ')} |`;
  });
  return [
    `### Days missing at random: ns per output, ${cells.toLocaleString('en')} cells, in place`,
    '',
    'In brackets: times the cost without gaps.',
    '',
    `| missing days | least share of members | ${WORKLOADS.map(({ key, title }) => `${key}: ${title}`).join(' | ')} |`,
    `|---:|---:|${'---:|'.repeat(WORKLOADS.length)}`,
    ...rows,
  ].join('\n');
}

const ORDERS: readonly RowOrder[] = ['day-fastest', 'cell-fastest'];
/** Cells that a turn computes at least: small jobs run many times over. */
const CELLS_OF_TURN = 2_000;

/** What an output costs at several numbers of cells, in place, in both orders of rows, as a Markdown table. */
export function sizesReport(core: Core, sizes: readonly number[], turns: number): string {
  const rows = WORKLOADS.flatMap((workload) =>
    ORDERS.map((order) => {
      const times = sizeTimes(core, workload, order, sizes, turns);
      const spread = Math.max(...times) / Math.min(...times);
      return `| ${[`${workload.key}, ${order}`, ...times.map(timeText), spread.toFixed(2)].join(' | ')} |`;
    }),
  );
  return [
    '### Numbers of cells: ns per output, in place',
    '',
    `| | ${sizes.map((cells) => countText(cells, 'cell')).join(' | ')} | most to least |`,
    `|---|${'---:|'.repeat(sizes.length + 1)}`,
    ...rows,
  ].join('\n');
}

/** Nanoseconds per output for each of the sizes. */
function sizeTimes(core: Core, workload: Workload, order: RowOrder, sizes: readonly number[], turns: number): number[] {
  const begin = core.memory.mark();
  const runs = sizes.map((cells) => Math.max(1, Math.ceil(CELLS_OF_TURN / cells)));
  const fields = sizes.map((cells) => makeField(core, { members: MEMBERS, cells, data: workload.data, order }));
  const jobs = fields.map((field, s) => {
    const { name, run } = statisticsJob(core, `${workload.key}, ${order}, ${sizes[s]} cells`, field, workload);
    const repeated = () => {
      for (let i = 0; i < runs[s]; i++) run();
    };
    return { name, run: repeated };
  });
  const times = medianTurns(jobs, turns);
  core.memory.release(begin);
  return times.map((milliseconds, s) => (milliseconds * 1e6) / (runs[s] * sizes[s] * workload.windows.count));
}

/** A run of `computeStatistics` over a complete field. */
function statisticsJob(
  core: Core,
  name: string,
  field: EnsembleField,
  { windows, rule }: Workload,
  minMemberShare?: number,
): Job {
  const request = statisticsRequest(rule, minMemberShare);
  return { name, run: () => void computeStatistics(core, field, windows, request) };
}

interface FieldShape {
  readonly members: number;
  readonly cells: number;
  readonly data: Workload['data'];
  readonly order?: RowOrder;
  /** The share of days that are missing, at random. */
  readonly missing?: number;
}

/** Cells that are drawn; the others repeat them. */
const DRAWN_CELLS = 100;
const SEED = 20_260_204;

/** Seeded values in the memory of the core, which the caller releases. */
function makeField(core: Core, { members, cells, data, order, missing = 0 }: FieldShape): EnsembleField {
  const random = createRandomStream([SEED]);
  const values = allocateMembers(core, members, cells);
  const drawn = Math.min(cells, DRAWN_CELLS) * DAYS;
  fillMembers(
    values.map((each) => each.subarray(0, drawn)),
    data,
  );
  for (const each of values) {
    for (let to = drawn; to < each.length; to += drawn) each.copyWithin(to, 0, drawn);
  }
  if (missing > 0) {
    for (const each of values) {
      for (let i = 0; i < each.length; i++) if (random.nextUniform() < missing) each[i] = Number.NaN;
    }
  }
  return toField(values, order);
}
