import type { Core } from '../src/core/load.js';
import { timeText } from './numbers.js';
import { placeField, statisticsRun } from './placed-field.js';
import { medianTurns } from './turns.js';
import { MEMBERS, WORKLOADS } from './workloads.js';

/** Shares of missing days, and of members that must be valid. */
const CASES = [
  { missing: 0, minMemberShare: 0.8 },
  { missing: 0.001, minMemberShare: 0.8 },
  { missing: 0.01, minMemberShare: 0.8 },
  { missing: 0.05, minMemberShare: 0.8 },
  { missing: 0.05, minMemberShare: 0 },
];

/** What days cost that are missing at random, in place. */
export function missingValuesReport(core: Core, cells: number, turns: number): string {
  const times = WORKLOADS.map((workload) => {
    const begin = core.memory.mark();
    const jobs = CASES.map(({ missing, minMemberShare }) => {
      const field = placeField(core, { members: MEMBERS, cells, data: workload.data, missing });
      const name = `${workload.key}, ${100 * missing} % missing`;
      return { name, run: statisticsRun(core, field, workload, minMemberShare) };
    });
    const milliseconds = medianTurns(jobs, turns);
    core.memory.release(begin);
    return milliseconds.map((each) => (each * 1e6) / (cells * workload.windows.count));
  });
  const rows = CASES.map(({ missing, minMemberShare }, i) => {
    const figures = times.map((all) => `${timeText(all[i])} (${(all[i] / all[0]).toFixed(2)})`);
    return `| ${[`${100 * missing} %`, minMemberShare, ...figures].join(' | ')} |`;
  });
  return [
    `### Days missing at random: ns per output, ${cells.toLocaleString('en')} cells, in place; in brackets: times the cost without gaps`,
    '',
    `| missing days | least share of members | ${WORKLOADS.map(({ key, title }) => `${key}: ${title}`).join(' | ')} |`,
    `|---:|---:|${'---:|'.repeat(WORKLOADS.length)}`,
    ...rows,
  ].join('\n');
}
