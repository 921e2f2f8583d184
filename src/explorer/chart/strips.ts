import { shownSpans, type Windows } from '../../plot/panel-data.js';
import { element, escapeText, rounded } from '../../plot/svg.js';
import { FONT } from '../../plot/text-size.js';
import type { Layout } from './layout.js';

/** Shares of members by window, as bars below a chart: those of a class are on top of those before. */
export interface Strip {
  readonly label: string;
  readonly parts: readonly { readonly className: string; readonly shares: Float64Array }[];
}

/** Pixels of the label of a strip, of its bars, and of both with the gap below. */
const [LABEL, BARS] = [15, 26];
export const STRIP_HEIGHT = LABEL + BARS + 8;

/** Draws a strip with its upper edge at 0: bars from 0 to 100 % of members, none where the share is missing. */
export function drawStrip({ label, parts }: Strip, windows: Windows, { x, left, right }: Layout): string {
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
    element('text', { class: 'soft', x: left, y: LABEL - 5, 'font-size': FONT.small }, escapeText(label)),
    element('path', { class: 'grid', d: rails }),
    ...paths,
    element('text', { ...scale, y: LABEL + 8 }, '100 %'),
    element('text', { ...scale, y: bottom }, '0'),
  ].join('');
}
