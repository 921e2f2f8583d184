import { besideBest, bestPlain } from './beside-best.js';
import { labelOf } from './contestant.js';
import { countOf, errorText, shareText } from './numbers.js';
import type { WorkloadReport } from './report.js';

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
