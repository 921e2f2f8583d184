import type { Core } from '../src/core/load.js';
import { timeText } from './numbers.js';
import { placeField, statisticsRun } from './placed-field.js';
import { medianTurns } from './turns.js';
import { WORKLOADS } from './workloads.js';

const COUNTS = [2, 3, 5, 8, 11, 15, 20, 21, 25, 30, 31, 32, 40, 50, 51, 52, 64, 65, 75, 100, 101, 102, 150, 200, 300];
const COMPARED = 31;

/** What a member costs in ensembles of many sizes: weekly sums, in place. */
export function memberCountsReport(core: Core, cells: number, turns: number): string {
  const [weekly] = WORKLOADS;
  const begin = core.memory.mark();
  const jobs = COUNTS.map((members) => {
    const field = placeField(core, { members, cells, data: weekly.data });
    return { name: `${members} members`, run: statisticsRun(core, field, weekly) };
  });
  const times = medianTurns(jobs, turns).map((milliseconds) => (milliseconds * 1e6) / (cells * weekly.windows.count));
  core.memory.release(begin);
  const perMember = times.map((time, i) => time / COUNTS[i]);
  const compared = perMember[COUNTS.indexOf(COMPARED)];
  return [
    `### Numbers of members: ${weekly.title}, ${cells.toLocaleString('en')} cells, in place`,
    '',
    `| members | ns per output | ns per member and output | beside ${COMPARED} members |`,
    '|---:|---:|---:|---:|',
    ...COUNTS.map((count, i) => {
      return `| ${[count, timeText(times[i]), timeText(perMember[i]), (perMember[i] / compared).toFixed(2)].join(' | ')} |`;
    }),
  ].join('\n');
}
