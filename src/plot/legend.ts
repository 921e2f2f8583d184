import type { Mark } from './draw-values.js';
import { element, escapeText, rounded } from './svg.js';
import { FONT, textWidth } from './text-size.js';

/** The width of a sample in pixels. */
export const SAMPLE = 20;
/** Pixels of the gap after it, between entries, and of a row. */
const [GAP, BETWEEN, ROW] = [5, 16, 16];

/** A legend that fits into a width. */
export interface Legend {
  readonly height: number;
  /** Its markup with the upper left corner at a point. */
  draw(left: number, top: number): string[];
}

/** An entry of a legend: a sample whose left end is at a point, and its label. */
export interface LegendEntry {
  readonly label: string;
  readonly sample: (x: number, y: number) => string;
}

/**
 * Creates the legend of some marks, each kind once, in the order of `ORDER`. Kinds with one label, such as a band of days
 * and the whisker of weeks, have one sample, the later on the earlier.
 */
export function createLegend(marks: readonly Mark[], width: number, size: number = FONT.small): Legend {
  const sorted = [...marks].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || widthOf(b) - widthOf(a));
  const entries = new Map<string, Mark[]>();
  for (const mark of sorted) entries.set(labelOf(mark), [...(entries.get(labelOf(mark)) ?? []), mark]);
  return legendOf(
    [...entries].map(([label, own]) => ({
      label,
      sample: (x, y) => [...new Set(own.map((mark) => sample(mark, x, y)))].join(''),
    })),
    width,
    size,
  );
}

/** Lays out entries in rows that fit into a width; `size`: of texts, in pixels. */
export function legendOf(entries: readonly LegendEntry[], width: number, size: number = FONT.small): Legend {
  const placed: { x: number; row: number; entry: LegendEntry }[] = [];
  let [x, row] = [0, 0];
  for (const entry of entries) {
    const length = SAMPLE + GAP + textWidth(entry.label, size);
    if (x > 0 && x + length > width) [x, row] = [0, row + 1];
    placed.push({ x, row, entry });
    x += length + BETWEEN;
  }
  const step = ROW + size - FONT.small;
  return {
    height: placed.length === 0 ? 0 : (row + 1) * step,
    draw: (left, top) =>
      placed.map(({ x, row, entry }) => {
        const y = top + row * step + step / 2;
        const text = { x: left + x + SAMPLE + GAP, y: y + 4, 'font-size': size };
        return entry.sample(left + x, y) + element('text', text, escapeText(entry.label));
      }),
  };
}

const ORDER: readonly Mark['kind'][] = [
  ...(['members', 'single', 'median', 'bar', 'mean', 'mean-dot', 'up-to', 'band', 'whisker'] as const),
  ...([
    'sampling',
    'threshold',
    'earlier',
    'earlier-median',
    'climate',
    'tercile',
    'limit',
    'category',
    'overlap',
  ] as const),
];

/** Bands in the order of their widths. */
function widthOf(mark: Mark): number {
  return 'to' in mark ? mark.to - mark.from : mark.kind === 'up-to' ? mark.probability : 0;
}

function labelOf(mark: Mark): string {
  switch (mark.kind) {
    case 'members':
      return 'members';
    case 'single':
      return 'values';
    case 'mean-dot':
      return 'mean';
    case 'tercile':
      return 'climatology, terciles';
    case 'limit':
      return 'climatology, limits';
    case 'band':
    case 'whisker':
      return `${percentages(mark)} of members`;
    case 'bar':
      return mark.of;
    case 'up-to':
      return `up to the ${percent(mark.probability)} % quantile`;
    case 'sampling':
      return `sampling error of the median, ${percent(mark.level)} %`;
    case 'earlier':
      return `earlier run, ${percentages(mark)}`;
    case 'earlier-median':
      return 'earlier run, median';
    case 'climate':
      return `climatology, ${percentages(mark)}`;
    case 'overlap':
      return 'members of both horizons';
    case 'category':
      return mark.category === 'normal' ? 'share near normal' : `share ${mark.category} normal`;
    default:
      return mark.kind;
  }
}

function percentages({ from, to }: { readonly from: number; readonly to: number }): string {
  return `${percent(from)} to ${percent(to)} %`;
}

function percent(share: number): string {
  return String(Number((share * 100).toFixed(4)));
}

function sample(mark: Mark, x: number, y: number): string {
  const box = { x, y: y - 5, width: SAMPLE, height: 10 };
  const [left, right] = [rounded(x), rounded(x + SAMPLE)];
  const line = (name: string) => element('path', { class: name, d: `M${left},${y}H${right}` });
  switch (mark.kind) {
    case 'band':
    case 'up-to':
      return element('rect', { class: `shade${mark.shade}`, ...box });
    case 'bar':
      return element('rect', { class: 'bar', ...box });
    case 'climate':
    case 'earlier':
    case 'overlap':
    case 'sampling':
      return element('rect', { class: mark.kind, ...box });
    case 'category':
      return element('path', { class: `share ${mark.name}`, d: `M${left},${y - 5}h${SAMPLE}v10h${-SAMPLE}Z` });
    case 'whisker':
      return element('path', {
        class: 'whisker',
        d: `M${left},${y}H${right}M${left},${y - 4}V${y + 4}M${right},${y - 4}V${y + 4}`,
      });
    case 'members':
      return line('members sample');
    case 'single':
      return line('members single');
    case 'mean-dot':
      return element('circle', { class: 'mean-dot', cx: x + SAMPLE / 2, cy: y, r: 2.4 });
    case 'limit':
      return line('tercile');
    default:
      return line(mark.kind);
  }
}
