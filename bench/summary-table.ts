import { besideBest, bestPlain } from './beside-best.js';
import { countOf, shareText, timeText } from './numbers.js';
import type { Line, WorkloadReport } from './report.js';

/** The fastest formulation of one contestant in one workload, at the largest size that it was measured at. */
interface Entry {
  readonly line: Line;
  readonly time: number;
  readonly cells: number;
}

/**
 * One row for each contestant, the fastest in the first workload first; a column for each workload, at the largest size, beside the
 * best plain JavaScript. What was measured at fewer cells says so.
 */
export function summaryTable(reports: readonly WorkloadReport[]): string {
  const names = [...new Set(reports.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const rows = names
    .map((name) => ({ name, entries: reports.map((report) => entryOf(report, name)) }))
    .sort((a, b) => firstTime(a.entries) - firstTime(b.entries));
  const largest = Math.max(...reports.flatMap(({ sizes }) => sizes));
  const best = reports.map(({ lines, sizes }) => bestPlain(lines, sizes.indexOf(largest)));
  const heads = reports.map(({ key, title }) => `${key}: ${title}`);
  return [
    `| at ${countOf(largest, 'cell')} | ${heads.join(' | ')} | fastest of the ways tried | results not correctly rounded |`,
    `|---|${'---:|'.repeat(reports.length)}---|---|`,
    ...rows.map(({ name, entries }) => {
      const figures = entries.map((entry, i) => (entry === undefined ? '–' : entryText(entry, largest, best[i])));
      return `| ${[name, ...figures, formulations(reports, entries), shares(reports, entries)].join(' | ')} |`;
    }),
  ].join('\n');
}

function entryOf({ lines, sizes }: WorkloadReport, name: string): Entry | undefined {
  const entries = lines.flatMap((line): Entry[] => {
    const size = line.nanoseconds.findLastIndex((time) => time !== null);
    return line.name === name && size >= 0 ? [{ line, time: line.nanoseconds[size]!, cells: sizes[size] }] : [];
  });
  // The largest size counts before the time.
  return entries.sort((a, b) => b.cells - a.cells || a.time - b.time).at(0);
}

function firstTime(entries: readonly (Entry | undefined)[]): number {
  return entries[0]?.time ?? Number.POSITIVE_INFINITY;
}

function entryText({ time, cells }: Entry, largest: number, best: number): string {
  return cells === largest ? besideBest(time, best) : `${timeText(time)} (${countOf(cells, 'cell')})`;
}

/** What all workloads have in common is said once. */
function formulations(reports: readonly WorkloadReport[], entries: readonly (Entry | undefined)[]): string {
  const texts = entries.map((entry) => entry?.line.formulation ?? '');
  if (new Set(texts).size === 1) return texts[0];
  return texts.flatMap((text, i) => (text === '' ? [] : `${reports[i].key} ${text}`)).join('; ');
}

function shares(reports: readonly WorkloadReport[], entries: readonly (Entry | undefined)[]): string {
  const texts = entries.flatMap((entry, i) => {
    const share = entry?.line.deviation?.share ?? 0;
    return share === 0 ? [] : `${reports[i].key} ${shareText(share)}`;
  });
  if (texts.length > 0) return texts.join(', ');
  return entries.some((entry) => entry?.line.deviation !== undefined) ? 'none' : '–';
}
