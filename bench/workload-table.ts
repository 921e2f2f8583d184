import { labelOf } from './contestant.js';
import { countOf, errorText, shareText, times, timeText } from './numbers.js';
import type { Line, WorkloadReport } from './report.js';

/** Every formulation of one workload at every size, beside the best plain JavaScript. */
export function workloadTable(report: WorkloadReport): string {
  const { key, title, windows, sizes, lines } = report;
  const best = sizes.map((_, i) => bestPlain(lines, i));
  const heads = sizes.map((cells) => countOf(cells, 'cell'));
  return [
    `### ${key}: ${title}, ${windows} windows`,
    '',
    `| contestant | ${heads.join(' | ')} | worst error | differ |`,
    `|---|${'---:|'.repeat(sizes.length + 2)}`,
    ...lines.map((line) => {
      const figures = line.nanoseconds.map((time, i) => (time === null ? '–' : besideBest(time, best[i])));
      const { worst, share } = line.deviation ?? {};
      return `| ${[labelOf(line), ...figures, errorText(worst), shareText(share)].join(' | ')} |`;
    }),
  ].join('\n');
}

/** The nanoseconds of the fastest plain JavaScript, at the size of that index. */
function bestPlain(lines: readonly Line[], size: number): number {
  const plain = lines.filter(({ kind }) => kind === 'plain JavaScript');
  return Math.min(...plain.map(({ nanoseconds }) => nanoseconds[size] ?? Number.POSITIVE_INFINITY));
}

function besideBest(time: number, best: number): string {
  if (best === Number.POSITIVE_INFINITY) return timeText(time);
  return time === best ? `**${timeText(time)}**` : `${timeText(time)} (${times(best, time)})`;
}
