import type { Drawing, Mark } from './draw-values.js';
import { NOTHING } from './draw-values.js';
import { type PanelData, shownSpans, type WindowStatistics } from './panel-data.js';
import { element, escapeText, rounded } from './svg.js';
import { FONT, textWidth } from './text-size.js';

/** The height of the bars of categories, and of the gap above them, in pixels. */
const [HEIGHT, GAP] = [44, 16];
/** Bars are apart from each other, and outlined, where they are at least this wide, in pixels. */
const MIN_APART = 5;
/** The width of their labels in pixels. */
export const CATEGORY_LABELS = textWidth('100 %', FONT.small);

/** Where bars are in a panel. */
interface BarFrame {
  readonly left: number;
  readonly right: number;
  /** The lower edge of the values above. */
  readonly height: number;
  readonly x: (day: number) => number;
}

/** The height that the bars of categories add to a panel: none without a climatology. */
export function categoriesHeight(panel: PanelData): number {
  return barsOf(panel) === undefined ? 0 : HEIGHT + GAP;
}

function barsOf({ statistics }: PanelData): WindowStatistics | undefined {
  return statistics.find(({ categories }) => categories !== undefined);
}

/**
 * Draws a bar for each window below the values of a panel: the shares of members below, near and above normal, from
 * bottom to top, with lines where a climatology has its limits. Windows without shares have no bar.
 */
export function drawCategories(panel: PanelData, { left, right, height, x }: BarFrame): Drawing {
  const bars = barsOf(panel);
  if (bars?.categories === undefined) return NOTHING;
  const { categories } = bars;
  const spans = shownSpans(bars);
  const bottom = height + GAP + HEIGHT;
  const y = (share: number) => bottom - share * HEIGHT;
  const kind = panel.texts.window === 'sum' ? 'wet' : 'warm';
  const paths = categories.map(() => '');
  const percentages: string[] = [];
  const areApart = spans.from.length > 0 && x(spans.to[0]) - x(spans.from[0]) >= MIN_APART;
  for (let i = 0; i < spans.from.length; i++) {
    const [from, to] = [Math.max(left, x(spans.from[i])), Math.min(right, x(spans.to[i]))];
    const inset = areApart ? Math.min(3, 0.08 * (to - from)) : 0;
    let below = 0;
    if (from >= to || categories.some(({ values }) => Number.isNaN(values[i]))) continue;
    categories.forEach(({ values }, k) => {
      const [low, high] = [y(below), y(below + values[i])].map(rounded);
      below += values[i];
      if (low === high) return;
      paths[k] += `M${rounded(from + inset)},${low}V${high}H${rounded(to - inset)}V${low}Z`;
      const text = `${Math.round(100 * values[i])} %`;
      if (values[i] * HEIGHT < FONT.small + 1 || to - from < textWidth(text, FONT.small) + 6) return;
      const middle = y(below - values[i] / 2) + 4;
      percentages.push(element('text', { class: 'seam-text', x: (from + to) / 2, y: middle }, escapeText(text)));
    });
  }
  const shares = Array.from({ length: categories.length + 1 }, (_, k) => k / categories.length);
  const limits = shares.slice(1, -1).map((share) => rounded(y(share)));
  const labels = shares.map((share) =>
    element('text', { x: left - 6, y: y(share) + 4 }, escapeText(`${Math.round(100 * share)} %`)),
  );
  const names = categories.map(({ category }) => `${kind}-${category}`);
  return {
    markup: [
      ...paths.map((d, k) => (d === '' ? '' : element('path', { class: `${areApart ? 'share ' : ''}${names[k]}`, d }))),
      ...(percentages.length === 0
        ? []
        : [element('g', { 'font-size': FONT.small, 'text-anchor': 'middle' }, ...percentages)]),
      element('path', { class: 'share-limit', d: limits.map((at) => `M${left},${at}H${right}`).join('') }),
      element('path', { class: 'grid', d: `M${left},${y(1)}H${right}V${bottom}H${left}Z` }),
      element('g', { class: 'soft-texts', 'font-size': FONT.small, 'text-anchor': 'end' }, ...labels),
    ],
    marks: categories.map(({ category }): Mark => ({ kind: 'category', category, name: `${kind}-${category}` })),
  };
}
