import { type Checked, type Choice, checkOptions, type OptionSchema } from '../check/option-checks.js';
import { CATEGORY_LABELS, categoriesHeight } from './draw-categories.js';
import { drawPanel, thresholdSpace } from './draw-panel.js';
import type { DayMarks } from './draw-values.js';
import { createLegend } from './legend.js';
import type { PanelData } from './panel-data.js';
import { commonDays, commonGranularity } from './panel-days.js';
import { captionParts, describePanels } from './panel-texts.js';
import { checkPixels, picture, titleLines } from './picture.js';
import { type PlotPanel, readPanels } from './read-panel.js';
import { element, escapeText, rounded } from './svg.js';
import { FONT, textWidth, wrappedLines } from './text-size.js';
import { PLOT_THEMES, type PlotTheme } from './theme.js';
import { type LabelledSpan, type TimeAxis, timeAxis } from './time-axis.js';
import { valueScale } from './value-scale.js';

/** How a meteogram looks. */
export interface MeteogramOptions {
  /** The width in pixels, 240 to 10,000. Default 840. */
  width?: number;
  /** The height of the plot of each panel in pixels, 40 to 4,000. Default 150. */
  panelHeight?: number;
  /**
   * The height of the whole picture in pixels, 120 to 10,000; panels share what is left for them, at least 40 each. Default:
   * by `panelHeight`.
   */
  height?: number;
  /** Default `auto`: on the ground of the page, dark where the page is, or alone the reader's system. */
  theme?: Choice<PlotTheme>;
  /** A line above the picture. Default none. */
  title?: string;
  /** Whether members are drawn where there are statistics, too. Default true. */
  members?: boolean;
  /**
   * How amounts of days, such as rain, are drawn where days are wide enough: as box plots, as `bars` from zero up to the
   * median and the upper quantiles, or as `bands`. Default `boxes`.
   */
  amounts?: Choice<DayMarks>;
  /** Whether the picture fills the width of its box in a page, and is laid out for `width` pixels. Default false. */
  fill?: boolean;
}

/** The options of `meteogram`. */
const METEOGRAM_OPTIONS = {
  width: { check: checkPixels('width', 240, 10_000), default: 840 },
  panelHeight: { check: checkPixels('panelHeight', 40, 4000), default: 150 },
  height: { check: checkPixels('height', 120, 10_000) },
  theme: { choices: PLOT_THEMES, default: 'auto' },
  amounts: { choices: ['boxes', 'bars', 'bands'], default: 'boxes' },
  title: { type: 'text', default: '' },
  members: { type: 'flag', default: true },
  fill: { type: 'flag', default: false },
} satisfies OptionSchema<MeteogramOptions>;

/**
 * Draws an ensemble meteogram as SVG: a panel for each variable, one above the other on one axis of days (UTC).
 *
 * Members are thin lines, quantiles nested bands (days) or box plots (weeks and months), the median a line and the
 * mean a broken one; a climatology lies behind, and shares of members below, near and above normal are bars below.
 * Seams of a timeline of `blend` are marked by the metadata of its table or of its statistics. Null and NaN are gaps;
 * where all values are missing, the panel says so. The caption has place, run, number of members and version. The same
 * input gives the same text.
 *
 * Throws OptionError for options and for panels without tables, and DataError for tables that cannot be shown in one
 * panel: of several places without a `point`, of different variables, units or places, with sums over windows of
 * different lengths, or with infinite values.
 */
export function meteogram(panels: PlotPanel | readonly PlotPanel[], options: MeteogramOptions = {}): string {
  const checked = checkOptions<MeteogramOptions, typeof METEOGRAM_OPTIONS>(options, METEOGRAM_OPTIONS);
  const read = readPanels(panels);
  return drawMeteogram(checked.members ? read : read.map(withoutMembers), checked);
}

/** The options of a meteogram, with all defaults. */
export type Look = Omit<Checked<MeteogramOptions, typeof METEOGRAM_OPTIONS>, 'members' | 'fill' | 'amounts'> & {
  readonly fill?: boolean;
  readonly amounts?: DayMarks;
};

/** A panel of statistics alone; one that has none keeps its members. */
function withoutMembers(panel: PanelData): PanelData {
  return panel.statistics.length === 0 ? panel : { ...panel, members: undefined };
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
interface MeteogramLayout extends Pick<AxisFrame, 'left' | 'right' | 'x'> {
  readonly height: number;
  readonly body: readonly string[];
  /** The upper and the lower edge of the values of each panel, and of the bars below them. */
  readonly panels: readonly { readonly top: number; readonly bottom: number }[];
}

/** Lays out panels that are read, in the height that is asked for. Throws DataError for days of different calendars. */
function layoutMeteogram(panels: readonly PanelData[], look: Look): MeteogramLayout {
  const usual = layoutPanels(panels, look);
  if (look.height === undefined) return usual;
  const panelHeight = Math.floor(look.panelHeight + (look.height - usual.height) / panels.length);
  return layoutPanels(panels, { ...look, panelHeight: Math.max(MIN_PANEL, panelHeight) });
}

function layoutPanels(panels: readonly PanelData[], { width, panelHeight, title, amounts }: Look): MeteogramLayout {
  const { firstDay, lastDay, calendar } = commonDays(panels);
  const scales = panels.map((panel) => valueScale(panel, panelHeight, 0));
  const labelWidths = panels.map((panel, i) =>
    Math.max(scales[i]?.width ?? 0, categoriesHeight(panel) > 0 ? CATEGORY_LABELS : 0),
  );
  const left = Math.ceil(MARGIN + 8 + Math.max(16, ...labelWidths));
  const right = width - MARGIN - Math.max(4, thresholdSpace(panels));
  const axis = timeAxis({ firstDay, lastDay, calendar, length: right - left, granularity: commonGranularity(panels) });
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
