import { horizonShares } from '../blend/pairing/pairing.js';
import { type SeamReport, seamReport } from '../blend/seam-report.js';
import type { InputTimeline } from '../input/input-timeline.js';
import type { TimelineSample } from '../input/timeline-sample.js';
import { formatDate } from '../period/day.js';
import { type TextColumn, textTable } from './text-table.js';

/** Formats a report on a sampled timeline: the shares of horizons by day, and how well they fit at their seams. */
export function showTimeline(timeline: InputTimeline): string {
  const { pairing, cells, metadata } = timeline;
  const { horizons, field, places: sampled } = timeline.sample as TimelineSample;
  const places = cells === 1 ? '' : `, ${cells} locations`;
  const paired =
    pairing.method === 'splice' ? 'spliced by index' : `paired by ${pairing.pairBy?.join(', ') ?? 'their values'}`;
  const caption = `${metadata.get('variable') ?? 'timeline'}, ${pairing.members} members${places}, ${paired}`;
  const parts = [caption, sharesTable(timeline)];
  const seams = seamReport({ horizons, field, pairing, places: sampled });
  if (seams.length > 0) parts.push(seamsTable(seams, metadata.get('units'), pairing.members));
  return `${parts.join('\n\n')}\n`;
}

/** One line for each run of days with the same shares. */
function sharesTable({ pairing, days, names }: InputTimeline): string {
  const shares = horizonShares(pairing, names.length);
  const runs: { from: number; to: number }[] = [];
  const isLike = (a: number, b: number) => shares.every((share) => share[a] === share[b]);
  for (let day = 0; day < days; day++) {
    const last = runs[runs.length - 1];
    if (last !== undefined && isLike(last.to, day)) last.to = day;
    else runs.push({ from: day, to: day });
  }
  const date = (day: number) => formatDate(pairing.firstDay + day);
  const columns: TextColumn[] = [
    { name: 'from', align: 'left', cells: runs.map(({ from }) => date(from)) },
    { name: 'to', align: 'left', cells: runs.map(({ to }) => date(to)) },
    ...names.map(
      (name, h): TextColumn => ({
        name,
        align: 'right',
        cells: runs.map(({ from }) => `${(shares[h][from] * 100).toFixed(0)} %`),
      }),
    ),
  ];
  return textTable(columns);
}

function seamsTable(seams: readonly SeamReport[], units: string | undefined, members: number): string {
  const column = (name: string, align: TextColumn['align'], cell: (seam: SeamReport) => string): TextColumn => ({
    name,
    align,
    cells: seams.map(cell),
  });
  const fixed = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(2));
  const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
  return textTable([
    column('seam', 'left', ({ earlier, later }) => `${earlier} to ${later}`),
    column('days', 'left', ({ handOver, complete }) => `${formatDate(handOver)} to ${formatDate(complete)}`),
    column(units === undefined ? 'jump' : `jump (${units})`, 'decimal', ({ jump }) => signed(jump)),
    column('variance ratio', 'decimal', ({ varianceRatio }) => varianceRatio.toFixed(2)),
    column('correlation across', 'decimal', ({ correlationAcross }) => correlationAcross.toFixed(2)),
    column('inside', 'decimal', ({ correlationInside }) => correlationInside.toFixed(2)),
    column('area variance', 'decimal', ({ areaVariance }) => fixed(areaVariance)),
    column('week variance', 'decimal', ({ weekVariance }) => fixed(weekVariance)),
    column('week tail', 'decimal', ({ weekTail }) => fixed(weekTail)),
    column('distinct members', 'right', ({ distinctMembers }) => `${distinctMembers} of ${members}`),
  ]);
}
