import { shownSpans, type Windows } from '../../plot/panel-data.js';
import { element, escapeText, rounded } from '../../plot/svg.js';
import { FONT, textWidth } from '../../plot/text-size.js';
import type { Layout } from './layout.js';

/** Shares of members by window, as bars below a chart: those of a class are on top of those before. */
export interface Strip {
  readonly label: string;
  readonly parts: readonly StripPart[];
}

interface StripPart {
  readonly className: string;
  readonly shares: Float64Array;
  /** What the part is, beside its colour after the label; absent for the only part. */
  readonly name?: string;
}

/** Pixels of the sample of a part's colour, of the gap after it, and between texts. */
const [SAMPLE, GAP, BETWEEN] = [10, 4, 10];

/** The label of a strip, and the names of its parts, each after its colour. */
function labelNodes({ label, parts }: Strip, left: number): string[] {
  const text = (x: number, words: string) =>
    element('text', { class: 'soft', x: rounded(x), y: LABEL - 5, 'font-size': FONT.small }, escapeText(words));
  let x = left + textWidth(label, FONT.small) + BETWEEN;
  const named = parts.flatMap(({ name, className }) => {
    if (name === undefined) return [];
    const at = x;
    x += SAMPLE + GAP + textWidth(name, FONT.small) + BETWEEN;
    const box = { x: rounded(at), y: LABEL - 5 - SAMPLE + 2, width: SAMPLE, height: SAMPLE };
    return [element('rect', { class: className, ...box }), text(at + SAMPLE + GAP, name)];
  });
  return [text(left, label), ...named];
}

/** Pixels of the label of a strip, of its bars, and of both with the gap below. */
const [LABEL, BARS] = [15, 26];
export const STRIP_HEIGHT = LABEL + BARS + 8;

/** Draws a strip with its upper edge at 0: bars from 0 to 100 % of members, none where the share is missing. */
export function drawStrip(strip: Strip, windows: Windows, { x, left, right }: Layout): string {
  const { parts } = strip;
  const { from: begin, to: end } = shownSpans(windows);
  const bottom = LABEL + BARS;
  const below = new Float64Array(begin.length);
  const paths = parts.map(({ className, shares }) => {
    let d = '';
    for (let i = 0; i < begin.length; i++) {
      if (!(shares[i] > 0)) continue;
      const [from, to] = [x(begin[i]), x(end[i])];
      const gap = Math.min(2, 0.18 * (to - from));
      const top = bottom - (below[i] + shares[i]) * BARS;
      d += `M${rounded(from + gap / 2)},${rounded(top)}H${rounded(to - gap / 2)}V${rounded(bottom - below[i] * BARS)}`;
      d += `H${rounded(from + gap / 2)}Z`;
      below[i] += shares[i];
    }
    return element('path', { class: className, d });
  });
  const rails = `M${left},${LABEL}H${right}M${left},${bottom}H${right}`;
  const scale = { class: 'soft', x: left - 6, 'font-size': FONT.small, 'text-anchor': 'end' };
  return [
    ...labelNodes(strip, left),
    element('path', { class: 'grid', d: rails }),
    ...paths,
    element('text', { ...scale, y: LABEL + 8 }, '100 %'),
    element('text', { ...scale, y: bottom }, '0'),
  ].join('');
}
