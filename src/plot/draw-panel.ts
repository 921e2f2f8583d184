import { drawCategories } from './draw-categories.js';
import {
  areApart,
  areCrowded,
  type DayMarks,
  type Drawing,
  drawClimateBand,
  drawEarlier,
  drawLimits,
  drawMembers,
  drawStatistics,
  isOfOneLine,
  type Mark,
  NOTHING,
  type Scales,
} from './draw-values.js';
import type { PanelData, Seam, WindowStatistics } from './panel-data.js';
import { panelLabel } from './panel-texts.js';
import { drawPartial } from './partial-windows.js';
import { element, escapeText, rounded } from './svg.js';
import { FONT, fittedText, textWidth } from './text-size.js';
import type { TimeAxis } from './time-axis.js';
import type { ValueScale } from './value-scale.js';

/** Where a panel is in the picture, in pixels. */
export interface PanelFrame {
  readonly left: number;
  readonly right: number;
  /** The values are from 0 down to the height; the label of the panel is above. */
  readonly height: number;
  /** The pixel of the beginning of a day. */
  readonly x: (day: number) => number;
  readonly axis: TimeAxis;
  /** The first panel has the labels of seams. */
  readonly isFirst: boolean;
  /** How amounts of days are drawn. Default: as bands, as other values of days. */
  readonly amounts?: DayMarks;
}

/** Draws a panel: its label above, its values, and the axis of values at its left. */
export function drawPanel(panel: PanelData, values: ValueScale | undefined, frame: PanelFrame): Drawing {
  const { left, right, height } = frame;
  const label = fittedText(panelLabel(panel), FONT.label, right - left, true);
  const heading = element(
    'text',
    { class: 'heading', x: left, y: -6, 'font-size': FONT.label, 'font-weight': 600 },
    escapeText(label),
  );
  const grid = verticalGrid(frame);
  if (values === undefined) {
    const place = { class: 'soft', x: (left + right) / 2, y: height / 2 + 4, 'text-anchor': 'middle' };
    const text = element('text', { ...place, 'font-size': FONT.label }, 'all values are missing');
    return { markup: [heading, grid, text], marks: [] };
  }
  const scales: Scales = { x: frame.x, y: values.scale };
  const climate = panel.climate === undefined ? NOTHING : drawClimateBand(panel.climate, scales);
  const earlier = drawEarlier(panel.earlier, scales);
  const members = panel.members === undefined ? NOTHING : drawMembers(panel.members, scales);
  const isCrowded = panel.members !== undefined && areCrowded(panel.members, frame.x);
  // Of one member, they are its own values.
  const statistics = panel.statistics.filter((each) => !isOfOneLine(each, panel.members));
  const dayMarks = panel.texts.window === 'sum' ? frame.amounts : undefined;
  const isFan = (each: WindowStatistics) => !areApart(each, scales.x, dayMarks ?? 'bands');
  const front = [
    // Bands hide lines behind them, and boxes stand on lines. So many lines that they are an area would hide bands.
    isCrowded ? members : NOTHING,
    ...statistics.filter(isFan).map((each) => drawStatistics(each, scales, dayMarks)),
    isCrowded ? NOTHING : members,
    ...statistics.filter((each) => !isFan(each)).map((each) => drawStatistics(each, scales, dayMarks)),
    earlier.front,
    panel.climate === undefined ? NOTHING : drawLimits(panel.climate, scales),
    drawThresholds(panel, frame, scales),
  ];
  const shares = drawCategories(panel, frame);
  const overlaps = drawOverlaps(panel.seams, frame);
  const drawn = [climate, earlier.back, ...front, shares, overlaps];
  return {
    markup: [
      heading,
      ...climate.markup,
      ...earlier.back.markup,
      grid,
      valueAxis(values, frame),
      ...overlaps.markup,
      ...front.flatMap(({ markup }) => markup),
      ...drawSeams(panel.seams, frame),
      ...drawPartial(panel, frame),
      ...shares.markup,
    ],
    marks: drawn.flatMap(({ marks }): readonly Mark[] => marks),
  };
}

/** Lines at the ticks of the axis of days, and a frame. */
export function verticalGrid({ axis, x, height, left, right }: PanelFrame): string {
  const at = axis.ticks.map(({ from }) => x(from)).filter((tick) => tick > left && tick < right);
  const d = at.map((tick) => `M${rounded(tick)},0V${height}`).join('');
  return element('path', { class: 'grid', d: `${d}M${left},0H${right}V${height}H${left}Z` });
}

/** Lines and labels of the axis of values. */
export function valueAxis({ scale, ticks, label }: ValueScale, { left, right }: PanelFrame): string {
  const lines = ticks.map((tick) => `M${left},${rounded(scale(tick))}H${right}`).join('');
  const texts = ticks.map((tick) => element('text', { x: left - 6, y: scale(tick) + 4 }, escapeText(label(tick))));
  return (
    element('path', { class: 'grid', d: lines }) +
    element('g', { class: 'soft-texts', 'font-size': FONT.small, 'text-anchor': 'end' }, ...texts)
  );
}

/** What stands beside a threshold: its number alone, as on the axis, for the heading has the unit. */
function thresholdLabel(value: number): string {
  return String(value).replaceAll('-', '−');
}

/**
 * Lines at values, with these at their right ends, beside the panel: there they cover nothing. Labels of close lines
 * stand apart, each with a short line to its own.
 */
export function drawThresholds({ thresholds }: PanelData, { left, right, height }: PanelFrame, { y }: Scales): Drawing {
  if (thresholds.length === 0) return NOTHING;
  const values = [...new Set(thresholds)].sort((a, b) => b - a);
  const lines = values.map((value) => y(value));
  const places = placesApart(lines, LABEL_HEIGHT, height);
  const marked = values.map((value, i) => {
    const [at, label] = [lines[i], places[i]];
    const isMoved = label !== undefined && Math.abs(label - at) > 1;
    const lead = isMoved ? `L${right + THRESHOLD_GAP - 1},${rounded(label)}` : '';
    const line = element('path', { class: 'threshold', d: `M${left},${rounded(at)}H${right}${lead}` });
    if (label === undefined) return [line];
    const place = { x: right + THRESHOLD_GAP, y: label + 4, 'font-size': FONT.small };
    return [line, element('text', { class: 'threshold-text', ...place }, thresholdLabel(value))];
  });
  return { markup: marked.reverse().flat(), marks: [{ kind: 'threshold' }] };
}

/**
 * The places of labels next to ascending heights, at least `distance` apart from each other, from 0 to `height`: labels
 * that are too close move apart about their middle. Where there is no space for all, every second, or third, has none.
 */
function placesApart(heights: readonly number[], distance: number, height: number): (number | undefined)[] {
  const step = Math.ceil(heights.length / (Math.floor(height / distance) + 1));
  const chosen = heights.filter((_, i) => i % step === 0);
  /** Labels that touch each other, as one: how many, and the middle of their heights. */
  const groups: { count: number; middle: number }[] = [];
  const half = ({ count }: { count: number }) => ((count - 1) * distance) / 2;
  for (const at of chosen) {
    let group = { count: 1, middle: at };
    let before = groups.at(-1);
    while (before !== undefined && before.middle + half(before) + distance > group.middle - half(group)) {
      groups.pop();
      const count = before.count + group.count;
      const middle = (before.count * before.middle + group.count * group.middle) / count;
      group = { count, middle: Math.min(height - half({ count }), Math.max(half({ count }), middle)) };
      before = groups.at(-1);
    }
    groups.push(group);
  }
  const places = groups.flatMap((group) =>
    Array.from({ length: group.count }, (_, i) => group.middle - half(group) + i * distance),
  );
  return heights.map((_, i) => (i % step === 0 ? places[i / step] : undefined));
}

/** Pixels from one label to the next below it. */
const LABEL_HEIGHT = FONT.small + 1;

/** The space beside panels that the labels of their thresholds need, in pixels. */
export function thresholdSpace(panels: readonly Pick<PanelData, 'thresholds'>[]): number {
  const widths = panels.flatMap(({ thresholds }) =>
    thresholds.map((value) => THRESHOLD_GAP + textWidth(thresholdLabel(value), FONT.small)),
  );
  return Math.ceil(Math.max(0, ...widths));
}

/** Pixels between a panel and the label of a threshold beside it. */
const THRESHOLD_GAP = 4;

/** The days with members of two horizons as areas. */
export function drawOverlaps(seams: readonly Seam[], { x, left, right, height }: PanelFrame): Drawing {
  const markup = seams.flatMap(({ handOver, complete }) => {
    const [begin, end] = [Math.max(left, x(handOver)), Math.min(right, x(complete))];
    return begin < end ? [element('rect', { class: 'overlap', x: begin, y: 0, width: end - begin, height })] : [];
  });
  return { markup, marks: markup.map(() => ({ kind: 'overlap' })) };
}

/**
 * Seams as broken lines; the first panel has the names of the horizons, each in the first row where it covers no other.
 * That of the first horizon is left out where it does not fit before the first seam.
 */
export function drawSeams(seams: readonly Seam[], { x, left, right, height, isFirst }: PanelFrame): string[] {
  const place = { class: 'soft seam-text', 'font-size': FONT.small };
  const [first] = seams;
  const firstEnd = left + 3 * SEAM_GAP + textWidth(first?.earlier ?? '', FONT.small);
  const begun = isFirst && first !== undefined && firstEnd <= x(first.handOver);
  const names = begun ? [element('text', { ...place, x: left + SEAM_GAP, y: 12 }, escapeText(first.earlier))] : [];
  /** Where the labels of each row end. */
  const rows = begun ? [firstEnd] : [];
  const lines = seams.flatMap(({ handOver, later }) => {
    const at = x(handOver);
    if (at < left || at > right) return [];
    const line = element('path', { class: 'seam', d: `M${rounded(at)},0V${height}` });
    const text = `${later} →`;
    const width = textWidth(text, FONT.small);
    const fitsRight = at + SEAM_GAP + width <= right;
    const begin = fitsRight ? at + SEAM_GAP : at - SEAM_GAP - width;
    if (!isFirst || begin < left) return [line];
    const free = rows.findIndex((end) => end <= begin);
    const row = free < 0 ? rows.length : free;
    rows[row] = begin + width + 2 * SEAM_GAP;
    const label = element('text', { ...place, x: begin, y: 12 + row * SEAM_ROW }, escapeText(text));
    return [line, label];
  });
  return [...names, ...lines];
}

/** Pixels between the line of a seam and its label, and of a row of labels. */
const [SEAM_GAP, SEAM_ROW] = [4, 14];
