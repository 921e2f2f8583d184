import { formatBytes } from '../batch/byte-count.js';
import type { ArchiveInspection } from '../input/inspect/inspect-archive.js';
import { type LabelledLine, labelledLines } from './labelled-lines.js';

/** An archive for people. */
export function archiveText(found: ArchiveInspection, width: number): string {
  const { source, title, mirror, product, runs, members, steps, indexes, fields, license, attribution } = found;
  const lines: LabelledLine[] = [
    ['mirror', `${mirror}, product ${product}`],
    ...runs.map(({ run, problem }, i): LabelledLine => [i === 0 ? 'runs' : '', `${run}: ${problem ?? 'complete'}`]),
    ['members', String(members)],
    ['steps', `${steps.length}, to ${steps[steps.length - 1]} hours`],
    ['indices', `${indexes.requests} requests, ${formatBytes(indexes.bytes)}`],
    ...fields.map(({ field, variable, messages, bytes, requests }): LabelledLine => {
      const what = variable === undefined ? '' : ` (${variable})`;
      return ['field', `${field}${what}: ${messages} messages, ${formatBytes(bytes)}, ${requests} requests`];
    }),
    ['cost', 'a point or a region takes whole messages of a field, and the indices'],
    ['licence', [license, attribution].filter(Boolean).join('. ')],
  ];
  return `${source}: ${title}\n${labelledLines(lines, width)}\n`;
}
