import { performance } from 'node:perf_hooks';
import type { RowOrder } from '../src/core/field.js';
import type { Core } from '../src/core/load.js';
import { formatDate } from '../src/period/day.js';
import { type WindowTable, windowTable } from '../src/period/period.js';
import { type Windows, windowsOf } from '../src/period/windows.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { daysThat, excess, firstDayThat, longestSpell, spells } from '../src/statistics/window-measure.js';
import type { WindowValue } from '../src/statistics/window-value.js';
import { allocateMembers, statisticsRequest, toField } from './fields.js';
import { fillMembers } from './members.js';
import { timeText } from './report.js';
import { showProgress } from './timing.js';
import { DAYS, FIRST_DAY, MEMBERS } from './workloads.js';

/** Something to compute. */
interface Contestant {
  readonly name: string;
  readonly windows: WindowTable;
  readonly rule: WindowValue;
}

const LAST_DAY = FIRST_DAY + DAYS - 1;
const WEEKS = windowTable('weekly', FIRST_DAY, LAST_DAY);
const RAIN_DAYS = '>1';

/** Windows of a list or of counted days as a table. */
const tableOf = (windows: Windows) => windows.table(FIRST_DAY, LAST_DAY) as WindowTable;

/** 25 windows of seven days, with a day between some of them. */
const LISTED = tableOf(
  windowsOf(
    Array.from({ length: 25 }, (_, w) => {
      const start = FIRST_DAY + 7 * w + Math.floor(w / 6);
      return { name: `w${w}`, start: formatDate(start), end: formatDate(start + 6) };
    }),
  ),
);

const CONTESTANTS: readonly Contestant[] = [
  { name: 'weekly sums', windows: WEEKS, rule: 'sum' },
  { name: 'weekly means', windows: WEEKS, rule: 'mean' },
  { name: 'sums of 25 listed windows of 7 days', windows: LISTED, rule: 'sum' },
  ...(['min', 'max', 'range', 'first', 'last', 'count'] as const).map((rule) => weekly(`weekly \`${rule}\``, rule)),
  weekly('days of rain in each week', daysThat(RAIN_DAYS)),
  weekly('longest dry spell in each week', longestSpell('<=1')),
  weekly('dry spells of 3 days in each week', spells('<=1', 3)),
  weekly('first day of rain in each week', firstDayThat(RAIN_DAYS)),
  weekly('excess above 1 mm in each week', excess(RAIN_DAYS)),
  weekly('excess below 1 mm in each week', excess('<1')),
  ...[7, 30, 90].map((days) => ({
    name: `sums of rolling ${days} days`,
    windows: tableOf(windowsOf(`rolling ${days}`)),
    rule: 'sum' as const,
  })),
  ...[7, 90].map((days) => ({
    name: `largest of rolling ${days} days`,
    windows: tableOf(windowsOf(`rolling ${days}`)),
    rule: 'max' as const,
  })),
  {
    name: 'longest dry spell of rolling 30 days',
    windows: tableOf(windowsOf('rolling 30')),
    rule: longestSpell('<=1'),
  },
];

function weekly(name: string, rule: WindowValue): Contestant {
  return { name, windows: WEEKS, rule };
}

/**
 * What windows of other kinds, and what they hold of a member, cost beside weekly sums: nanoseconds per output, the best of `rounds` in which all take turns. A Markdown table.
 */
export function windowsReport(core: Core, cells: number, rounds: number): string {
  const orders: readonly RowOrder[] = ['day-fastest', 'cell-fastest'];
  const times = orders.map((order) => {
    const mark = core.memory.mark();
    const members = allocateMembers(core, MEMBERS, cells);
    fillMembers(members, 'rain');

    const field = toField(members, order);
    const all = bestOf(
      CONTESTANTS.map(({ windows, rule }) => {
        const request = { ...statisticsRequest('sum'), window: rule };
        return () => void computeStatistics(core, field, windows, request);
      }),
      rounds,
    );
    core.memory.release(mark);
    return all.map((ms, k) => (1e6 * ms) / (cells * CONTESTANTS[k].windows.count));
  });
  const rows = CONTESTANTS.map(({ name }, k) => {
    const figures = times.flatMap((all) => [timeText(all[k]), `${(all[k] / all[0]).toFixed(2)}`]);
    return `| ${[name, ...figures].join(' | ')} |`;
  });
  return [
    `### Windows, and what they hold: ns per output, ${cells.toLocaleString('en')} cells, in place`,
    '',
    '| | day fastest | times weekly sums | cell fastest | times weekly sums |',
    '|---|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

/** Runs of more milliseconds have their turn in the first rounds, and in two of ten of the others. */
const LONG = 100;

/**
 * The least milliseconds of each run; all take turns, and the first turn warms up. Runs are so short that in most of them
 * no other process has its turn: user CPU is counted in ticks, which are longer.
 */
function bestOf(runs: readonly (() => void)[], rounds: number): number[] {
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round <= rounds; round++) {
    for (const [k, run] of runs.entries()) {
      showProgress(`run ${k}, round ${round}`);
      if (best[k] > LONG && round % 10 > 1) continue;
      // The first run brings what the one before has left of caches up to date.
      for (let turn = 0; turn < 3; turn++) {
        const from = performance.now();
        run();
        const spent = performance.now() - from;
        if (round > 0 && turn > 0) best[k] = Math.min(best[k], spent);
      }
    }
  }
  showProgress('');
  return best;
}
