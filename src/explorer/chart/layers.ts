import { drawOverlaps, drawSeams, drawThresholds, valueAxis, verticalGrid } from '../../plot/draw-panel.js';
import {
  areCrowded,
  type Drawing,
  drawClimateBand,
  drawEarlier,
  drawLimits,
  drawMembers,
  drawStatistics,
  type Mark,
  NOTHING,
  type Scales,
} from '../../plot/draw-values.js';
import { hasWindowEachDay, type MemberLines, type PanelData } from '../../plot/panel-data.js';
import { drawPartial } from '../../plot/partial-windows.js';
import { element } from '../../plot/svg.js';
import { FONT } from '../../plot/text-size.js';
import type { Layout } from './layout.js';

/** The parts of a chart from the back to the front; each is replaced only where its markup changes. */
export const LAYERS = ['back', 'fan', 'members', 'boxes', 'front'] as const;

/** The markup of each layer, and the kinds of marks in all of them. */
export interface ChartLayers {
  readonly markup: Readonly<Record<(typeof LAYERS)[number], string>>;
  readonly marks: readonly Mark[];
}

/** What the lines of members were last drawn from, and their drawing. */
interface DrawnMembers {
  readonly key: string;
  readonly drawing: Drawing;
}

const drawnMembers = new WeakMap<MemberLines, DrawnMembers>();

const drawnLayers = new WeakMap<PanelData, { readonly key: string; readonly layers: ChartLayers }>();

/** Draws the layers of chart number `i`; those of a panel that is drawn already, in the same place, are as they were. */
export function chartLayers(panel: PanelData, layout: Layout, i: number, showsMembers: boolean): ChartLayers {
  const { left, right, height, x, scales } = layout;
  const key = [left, right, height, x(0), x(1), i, showsMembers, ...(scales[i]?.scale.domain ?? [])].join();
  const known = drawnLayers.get(panel);
  if (known?.key === key) return known.layers;
  const layers = drawLayers(panel, layout, i, showsMembers);
  drawnLayers.set(panel, { key, layers });
  return layers;
}

function drawLayers(panel: PanelData, layout: Layout, i: number, showsMembers: boolean): ChartLayers {
  const { x, axis, left, right, height } = layout;
  const frame = { left, right, height, x, axis, isFirst: i === 0 };
  const values = layout.scales[i];
  const grid = verticalGrid(frame);
  if (values === undefined) {
    const place = { class: 'soft', x: (left + right) / 2, y: height / 2 + 4, 'text-anchor': 'middle' };
    const words = panel.statistics[0]?.start.length === 0 ? 'no window is complete' : 'all values are missing';
    const text = element('text', { ...place, 'font-size': FONT.label }, words);
    return { markup: { back: grid + text, fan: '', members: '', boxes: '', front: '' }, marks: [] };
  }
  const scales: Scales = { x, y: values.scale };
  const climate = panel.climate === undefined ? NOTHING : drawClimateBand(panel.climate, scales);
  const earlier = drawEarlier(panel.earlier, scales);
  const limits = panel.climate === undefined ? NOTHING : drawLimits(panel.climate, scales);
  const members = showsMembers && panel.members !== undefined ? membersOf(panel.members, layout, i) : NOTHING;
  const [statistics] = panel.statistics.map((each) => drawStatistics(each, scales));
  const thresholds = drawThresholds(panel, frame, scales);
  const overlaps = drawOverlaps(panel.seams, frame);
  const isCrowded = panel.members !== undefined && areCrowded(panel.members, x);
  const isDaily = panel.statistics[0] !== undefined && hasWindowEachDay(panel.statistics[0]);
  const join = ({ markup }: Drawing) => markup.join('');
  return {
    markup: {
      back:
        join(climate) +
        join(earlier.back) +
        grid +
        valueAxis(values, frame) +
        join(overlaps) +
        (isCrowded ? join(members) : ''),
      fan: isDaily ? join(statistics) : '',
      members: isCrowded ? '' : join(members),
      boxes: isDaily ? '' : join(statistics),
      front:
        join(earlier.front) +
        join(limits) +
        join(thresholds) +
        [...drawSeams(panel.seams, frame), ...drawPartial(panel, frame)].join(''),
    },
    marks: [climate, earlier.back, earlier.front, limits, members, statistics, thresholds, overlaps].flatMap(
      ({ marks }) => marks,
    ),
  };
}

/** The lines of members: thousands of points, which are drawn again only where they move. */
function membersOf(members: MemberLines, { x, left, right, height, scales, axis }: Layout, i: number): Drawing {
  const scale = scales[i]?.scale;
  if (scale === undefined) return NOTHING;
  const key = [left, right, height, x(0), axis.ticks[0]?.from, ...scale.domain].join();
  const known = drawnMembers.get(members);
  if (known?.key === key) return known.drawing;
  const drawing = drawMembers(members, { x, y: scale });
  drawnMembers.set(members, { key, drawing });
  return drawing;
}
