import { CATEGORY_LABELS, categoriesHeight } from './draw-categories.js';
import { drawPanel, thresholdSpace } from './draw-panel.js';
import type { DayMarks } from './draw-values.js';
import { createLegend } from './legend.js';
import type { PanelData } from './panel-data.js';
import { commonDays, commonGranularity } from './panel-days.js';
import { captionParts, describePanels } from './panel-texts.js';
import { picture, titleLines } from './picture.js';
import { element, escapeText, rounded } from './svg.js';
import { FONT, textWidth, wrappedLines } from './text-size.js';
import type { PlotTheme } from './theme.js';
import { type LabelledSpan, type TimeAxis, timeAxis } from './time-axis.js';
import { valueScale } from './value-scale.js';

/** How panels are drawn: options of a meteogram, with their defaults. */
export interface Look {
  readonly width: number;
  readonly panelHeight: number;
  readonly height?: number | undefined;
  readonly theme: PlotTheme;
  readonly title: string;
  readonly amounts?: DayMarks;
  readonly fill?: boolean;
}

/** Pixels around and between the parts of a picture. */
const MARGIN = 10;
const HEADING = 26;
const AXIS_ROW = 14;
const LINE = 15;

/** The least height of a panel. */
const MIN_PANEL = 40;

/** Draws panels that are read. Throws DataError for days of different calendars. */
export function drawMeteogram(panels: readonly PanelData[], look: Look): string {
  const { height = 0, width, theme, title, fill } = look;
  const drawn = layoutMeteogram(panels, look);
  const description = describePanels(panels);
  const size = { width, height: Math.max(height, drawn.height) };
  return picture({ ...size, theme, fill, title: title || pictureTitle(panels), description, body: drawn.body });
}

/** The parts of a meteogram, and where its panels are. */
export interface MeteogramLayout extends Pick<AxisFrame, 'left' | 'right' | 'x'> {
  readonly height: number;
  readonly body: readonly string[];
  /** The upper and the lower edge of the values of each panel, and of the bars below them. */
  readonly panels: readonly { readonly top: number; readonly bottom: number }[];
}

/** Lays out panels that are read, in the height that is asked for. Throws DataError for days of different calendars. */
export function layoutMeteogram(panels: readonly PanelData[], look: Look): MeteogramLayout {
  const usual = layoutPanels(panels, look);
  if (look.height === undefined) return usual;
  const panelHeight = Math.floor(look.panelHeight + (look.height - usual.height) / panels.length);
  return layoutPanels(panels, { ...look, panelHeight: Math.max(MIN_PANEL, panelHeight) });
}

function layoutPanels(panels: readonly PanelData[], { width, panelHeight, title, amounts }: Look): MeteogramLayout {
  const { firstDay, lastDay, ...ofDays } = commonDays(panels);
  const scales = panels.map((panel) => valueScale(panel, panelHeight, 0));
  const labelWidths = panels.map((panel, i) =>
    Math.max(scales[i]?.width ?? 0, categoriesHeight(panel) > 0 ? CATEGORY_LABELS : 0),
  );
  const left = Math.ceil(MARGIN + 8 + Math.max(16, ...labelWidths));
  const right = width - MARGIN - Math.max(4, thresholdSpace(panels));
  const axis = timeAxis({ firstDay, lastDay, ...ofDays, length: right - left, granularity: commonGranularity(panels) });
  const x = (day: number) => left + ((day - firstDay) / (lastDay + 1 - firstDay)) * (right - left);
  const body: string[] = [];
  let y = MARGIN;
  for (const line of titleLines(title, width)) {
    y += FONT.title + 2;
    body.push(element('text', { x: MARGIN, y, 'font-size': FONT.title, 'font-weight': 700 }, escapeText(line)));
  }
  if (title !== '') y += 8;
  const drawn = panels.map((panel, i) =>
    drawPanel(panel, scales[i], { left, right, height: panelHeight, x, axis, isFirst: i === 0, amounts }),
  );
  const legend = createLegend(
    drawn.flatMap(({ marks }) => marks),
    width - 2 * MARGIN,
  );
  body.push(...legend.draw(MARGIN, y));
  y += legend.height;
  const places = drawn.map(({ markup }, i) => {
    y += HEADING;
    body.push(element('g', { transform: `translate(0,${y})` }, ...markup));
    const top = y;
    y += panelHeight + categoriesHeight(panels[i]);
    return { top, bottom: y };
  });
  body.push(...drawTimeAxis(axis, { x, left, right, top: y }));
  y += (axis.groups.length > 0 ? 2 : 1) * AXIS_ROW + 8;
  for (const line of wrappedLines(captionParts(panels), ' · ', FONT.small, width - 2 * MARGIN)) {
    y += LINE;
    body.push(element('text', { class: 'soft caption', x: MARGIN, y, 'font-size': FONT.small }, escapeText(line)));
  }
  return { height: y + MARGIN, body, panels: places, left, right, x };
}

/** Where an axis of days is, in pixels. */
export interface AxisFrame {
  readonly x: (day: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Draws the labels of an axis of days, the line above them, and marks between the labels of groups. */
export function drawTimeAxis({ ticks, areCentred, groups }: TimeAxis, frame: AxisFrame): string[] {
  const { x, left, right, top } = frame;
  const texts = [
    ...spanLabels(ticks, areCentred, top + AXIS_ROW, frame),
    ...spanLabels(groups, true, top + 2 * AXIS_ROW, frame),
  ];
  const line = element('path', { class: 'axis', d: `M${left},${top}H${right}` });
  const borders = groups.map(({ from }) => x(from)).filter((at) => at > left && at < right);
  const d = borders.map((at) => `M${rounded(at)},${top + AXIS_ROW + 6}v${AXIS_ROW - 2}`).join('');
  return [
    line,
    ...(d === '' ? [] : [element('path', { class: 'grid', d })]),
    element('g', { 'font-size': FONT.small, 'text-anchor': 'middle' }, ...texts),
  ];
}

/** The labels of spans: those that have no space, or lie outside of the axis, are left out. */
function spanLabels(
  spans: readonly LabelledSpan[],
  areCentred: boolean,
  y: number,
  { x, left, right }: AxisFrame,
): string[] {
  return spans.flatMap(({ from, to, label }) => {
    const [begin, end] = [Math.max(left, x(from)), Math.min(right, x(to))];
    const at = areCentred ? (begin + end) / 2 : x(from);
    const isShown = areCentred ? textWidth(label, FONT.small) <= end - begin + 2 : at >= left - 1 && at <= right;
    return isShown ? element('text', { x: at, y }, escapeText(label)) : [];
  });
}

function pictureTitle(panels: readonly PanelData[]): string {
  const names = [...new Set(panels.map(({ texts }) => (texts.variable ?? 'values').replaceAll('_', ' ')))];
  return `Ensemble meteogram: ${names.join(', ')}`;
}
