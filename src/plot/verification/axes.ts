import type { Scale } from '../shapes.js';
import { element, escapeText, rounded } from '../svg.js';
import { FONT, fittedText, textWidth } from '../text-size.js';

/** A rectangle in a picture with a scale for each direction, in pixels. */
export interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: Scale;
  readonly y: Scale;
}

/** A value on an axis, with its label. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** The pixels that labels and the title of a horizontal axis take below it, and the title of a vertical one above it. */
export const [LABEL_ROW, TITLE_ROW] = [15, 15];

/** A scale from values to pixels, both from one end to the other. */
export function linear([from, to]: readonly [number, number], [first, last]: readonly [number, number]): Scale {
  return (value) => first + ((value - from) / (to - from)) * (last - first);
}

/** Lines at the ticks of both axes, and a frame. */
export function gridLines(area: PlotArea, xTicks: readonly Tick[], yTicks: readonly Tick[]): string {
  const { left, right, top, bottom, x, y } = area;
  const down = xTicks.map(({ at }) => `M${rounded(x(at))},${rounded(top)}V${rounded(bottom)}`);
  const across = yTicks.map(({ at }) => `M${rounded(left)},${rounded(y(at))}H${rounded(right)}`);
  const frame = `M${rounded(left)},${rounded(top)}H${rounded(right)}V${rounded(bottom)}H${rounded(left)}Z`;
  return element('path', { class: 'grid', d: [...down, ...across, frame].join('') });
}

/** The labels of a vertical axis at its left, and its title above it. */
export function verticalLabels(
  { left, top, y }: PlotArea,
  ticks: readonly Tick[],
  title: string,
  width: number,
): string {
  const texts = ticks.map(({ at, label }) => element('text', { x: left - 6, y: y(at) + 4 }, escapeText(label)));
  const place = { class: 'soft', x: 0, y: top - 6, 'font-size': FONT.small };
  return (
    element('text', place, escapeText(fittedText(title, FONT.small, width))) +
    element('g', { class: 'soft-texts', 'font-size': FONT.small, 'text-anchor': 'end' }, ...texts)
  );
}

/** The labels of a horizontal axis below it, as far as they do not touch, and its title below them. */
export function horizontalLabels({ left, right, bottom, x }: PlotArea, ticks: readonly Tick[], title: string): string {
  let taken = Number.NEGATIVE_INFINITY;
  const texts = ticks.flatMap(({ at, label }) => {
    const half = textWidth(label, FONT.small) / 2;
    if (x(at) - half < taken) return [];
    taken = x(at) + half + 4;
    return element('text', { x: x(at), y: bottom + LABEL_ROW }, escapeText(label));
  });
  const place = { class: 'soft', x: (left + right) / 2, y: bottom + LABEL_ROW + TITLE_ROW };
  return element(
    'g',
    { 'font-size': FONT.small, 'text-anchor': 'middle' },
    ...texts,
    element('text', place, escapeText(fittedText(title, FONT.small, right - left))),
  );
}

/** The ticks of shares from 0 to 1, in percent. */
export const SHARE_TICKS: readonly Tick[] = /* @__PURE__ */ [0, 20, 40, 60, 80, 100].map((percent) => ({
  at: percent / 100,
  label: String(percent),
}));

/** The widest label of a vertical axis, with its distance, in pixels. */
export function labelSpace(ticks: readonly Tick[]): number {
  return Math.ceil(8 + Math.max(...ticks.map(({ label }) => textWidth(label, FONT.small))));
}

/** A disc. */
export function disc(x: number, y: number, radius: number): string {
  const arc = (to: number) => `a${rounded(radius)},${rounded(radius)} 0 1 0 ${rounded(to)},0`;
  return `M${rounded(x - radius)},${rounded(y)}${arc(2 * radius)}${arc(-2 * radius)}Z`;
}
