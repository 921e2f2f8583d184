import { checkOptions, type OptionSchema } from '../check/option-checks.js';
import { printable } from '../check/printable.js';
import { unusable } from '../errors.js';
import { linearScale } from './linear-scale.js';
import { type PanelData, shownSpans, type WindowStatistics } from './panel-data.js';
import { commonDays, commonGranularity } from './panel-days.js';
import { captionParts, panelLabel } from './panel-texts.js';
import { partialTexts } from './partial-windows.js';
import { pairsOf } from './quantile-pairs.js';
import { type PlotPanel, readPanels } from './read-panel.js';
import { FONT, textWidth } from './text-size.js';
import { type LabelledSpan, timeAxis } from './time-axis.js';
import { valueScale } from './value-scale.js';

/** The size of a meteogram in characters. */
export interface MeteogramTextOptions {
  /** Characters of a line, 30 to 1,000. Default 80. */
  width?: number;
  /** Lines of each panel without its label and axis, 3 to 200. Default 10. */
  panelRows?: number;
}

const OPTIONS = {
  width: { check: checkCount('width', 30, 1000), default: 80 },
  panelRows: { check: checkCount('panelRows', 3, 200), default: 10 },
} satisfies OptionSchema<MeteogramTextOptions>;

/** From the outermost band in. */
const SHADES = ['░', '▒', '▓'];
const MEDIAN = '█';
const THRESHOLD = '╌';
/** Pixels of a character, by which labels are chosen as in pictures; and of a line. */
const CHARACTER = textWidth('0', FONT.small);
const LINE = 15;

/**
 * Draws the statistics of panels as text, for terminals: quantiles as shades, the median (or the mean, without one) as
 * full blocks; thresholds as broken lines where no shade is; with a climatology also the shares of members below (`-`), near (`.`) and above (`+`) normal. Each
 * column is the window in which the middle of its time lies. Lines of charts have at most `width` characters.
 *
 * Takes the panels of `meteogram`, each with `statistics`; of several tables the first is drawn. Missing windows are
 * blank; where all values are missing, the panel says so. Throws as `meteogram` does.
 */
export function meteogramText(panels: PlotPanel | readonly PlotPanel[], options: MeteogramTextOptions = {}): string {
  const { width, panelRows } = checkOptions<MeteogramTextOptions, typeof OPTIONS>(options, OPTIONS);
  const read = readPanels(panels);
  const { firstDay, lastDay, ...ofDays } = commonDays(read);
  const scales = read.map(({ members, climate, ...panel }) => valueScale(panel, panelRows * LINE, 0));
  const labels = scales.map((scale) => scale?.ticks.map(scale.label) ?? []);
  const hasShares = read.some(({ statistics }) => categoriesOf(statistics) !== undefined);
  const beside = [...labels.flat(), ...(hasShares ? SHARE_LABELS : [])];
  const left = Math.max(3, ...beside.map((label) => label.length)) + 1;
  const columns = width - left - 1;
  const length = columns * CHARACTER;
  const axis = timeAxis({ firstDay, lastDay, ...ofDays, length, granularity: commonGranularity(read) });
  const toColumn = (day: number) => ((day - firstDay) / (lastDay + 1 - firstDay)) * columns;
  const days = Array.from({ length: columns }, (_, c) => firstDay + ((c + 0.5) / columns) * (lastDay + 1 - firstDay));
  const lines = read.flatMap((panel, i) => {
    const scale = scales[i];
    const heading = headingOf(panel);
    if (panel.statistics.length === 0)
      return [heading, `${' '.repeat(left)} no statistics, which alone are drawn as text`];
    if (scale === undefined) return [heading, `${' '.repeat(left)} all values are missing`];
    const y = linearScale(scale.scale.domain, [panelRows - 1, 0]);
    const rows = chartRows(panel, { days, rows: panelRows, y });
    const label = new Map(scale.ticks.map((tick) => [Math.round(y(tick)), scale.label(tick)]));
    const toLine = (text: string, row: string) => `${text.padStart(left - 1)} │${row}`.trimEnd();
    return [
      heading,
      ...rows.map((row, r) => toLine(label.get(r) ?? '', row)),
      ...shareRows(panel, days).map((row, r) => toLine(SHARE_LABELS[r], row)),
    ];
  });
  const labelLines = [
    placeLabels(axis.ticks, axis.areCentred, toColumn, columns),
    placeLabels(axis.groups, true, toColumn, columns),
  ];
  const below = [
    `${' '.repeat(left)}└${'─'.repeat(columns)}`,
    ...labelLines.filter((line) => line !== '').map((line) => `${' '.repeat(left + 1)}${line}`),
  ];
  return `${[...lines, ...below, '', legendText(read), ...captionLines(read, width)].join('\n')}\n`;
}

/** What a panel shows, the limits of probabilities in it, and windows that do not have all their days. */
function headingOf(panel: PanelData): string {
  const { thresholds, texts } = panel;
  const units = texts.units === undefined ? '' : ` ${texts.units}`;
  const lines = thresholds.map((value) => `${THRESHOLD} ${value}${units}`);
  return printable([panelLabel(panel), ...lines, ...partialTexts(panel)].join('  '));
}

/** Who, where and when, in lines of at most `width` characters if the parts are not longer. */
function captionLines(read: readonly PanelData[], width: number): string[] {
  const lines: string[] = [];
  for (const part of captionParts(read).map(printable)) {
    const longer = `${lines[lines.length - 1]} · ${part}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

interface Chart {
  /** The day in the middle of each column. */
  readonly days: readonly number[];
  readonly rows: number;
  /** The row of a value, from the top. */
  readonly y: (value: number) => number;
}

function chartRows({ statistics: [statistics], thresholds }: PanelData, { days, rows, y }: Chart): string[] {
  const cells = Array.from({ length: rows }, (): string[] => Array(days.length).fill(' '));
  if (statistics === undefined) return cells.map((row) => row.join(''));
  const pairs = pairsOf(statistics.quantiles);
  const line = centralLine(statistics);
  const rowOf = (value: number) => Math.min(rows - 1, Math.max(0, Math.round(y(value))));
  days.forEach((day, column) => {
    const window = windowAt(statistics, day);
    if (window < 0) return;
    pairs.forEach(([low, high], depth) => {
      const [bottom, top] = [low.values[window], high.values[window]];
      if (Number.isNaN(bottom - top)) return;
      const shade = SHADES[Math.min(depth, SHADES.length - 1)];
      for (let row = rowOf(top); row <= rowOf(bottom); row++) cells[row][column] = shade;
    });
    const value = line?.[window] ?? Number.NaN;
    if (!Number.isNaN(value)) cells[rowOf(value)][column] = MEDIAN;
  });
  // Shades and blocks lie on lines.
  for (const value of thresholds) {
    const row = cells[rowOf(value)];
    for (let column = 0; column < row.length; column++) if (row[column] === ' ') row[column] = THRESHOLD;
  }
  return cells.map((row) => row.join(''));
}

/** The labels beside an empty line and the shares of members, from the top. */
const SHARE_LABELS = ['', '100%', '', '', '0'];
const CATEGORY_MARKS = { below: '-', normal: '.', above: '+' };

/** The statistics of a panel that have shares of members in categories. */
function categoriesOf(statistics: readonly WindowStatistics[]): WindowStatistics | undefined {
  return statistics.find(({ categories }) => categories !== undefined);
}

/**
 * An empty line, and below it the shares of members below, near and above normal, from bottom to top: each character is
 * the category of the members at the middle of its height. Nothing without a climatology.
 */
function shareRows({ statistics }: PanelData, days: readonly number[]): string[] {
  const shown = categoriesOf(statistics);
  if (shown === undefined) return [];
  const height = SHARE_LABELS.length - 1;
  return SHARE_LABELS.map((_, row) => {
    const level = (height - row + 0.5) / height;
    return days.map((day) => (row === 0 ? ' ' : markAt(shown, windowAt(shown, day), level))).join('');
  });
}

/** The mark of the category that holds a level from 0 to 1 of the members of a window; blank where it is missing. */
function markAt({ categories = [] }: WindowStatistics, window: number, level: number): string {
  let upTo = 0;
  for (const { category, values } of categories) {
    upTo += values[window] ?? Number.NaN;
    if (upTo >= level) return CATEGORY_MARKS[category];
  }
  return ' ';
}

/** The median, or else the mean. */
function centralLine({ quantiles, mean }: WindowStatistics): Float64Array | undefined {
  return quantiles.find(({ probability }) => probability === 0.5)?.values ?? mean;
}

/** The window that a day lies in; -1 if there is none. */
function windowAt(windows: WindowStatistics, day: number): number {
  const { from, to } = shownSpans(windows);
  return from.findLastIndex((begin, i) => begin <= day && day < to[i]);
}

function placeLabels(
  spans: readonly LabelledSpan[],
  areCentred: boolean,
  toColumn: (day: number) => number,
  columns: number,
): string {
  let line = '';
  for (const { from, to, label } of spans) {
    const [begin, end] = [Math.max(0, toColumn(from)), Math.min(columns, toColumn(to))];
    const at = areCentred ? (begin + end - label.length) / 2 : toColumn(from);
    const column = Math.round(at);
    const hasSpace = column >= (line === '' ? 0 : line.length + 1) && column + label.length <= columns + 1;
    if (hasSpace) line = line.padEnd(column) + label;
  }
  return line;
}

function legendText(read: readonly PanelData[]): string {
  const [
    {
      statistics: [statistics],
    },
  ] = read;
  if (statistics === undefined) return '';
  const percent = (share: number) => String(Number((share * 100).toFixed(4)));
  const bands = pairsOf(statistics.quantiles).map(([low, high], depth) => {
    const shade = SHADES[Math.min(depth, SHADES.length - 1)];
    return `${shade} ${percent(low.probability)} to ${percent(high.probability)} %`;
  });
  const hasMedian = statistics.quantiles.some(({ probability }) => probability === 0.5);
  const lines = [[...bands, `${MEDIAN} ${hasMedian ? 'median' : 'mean'}`].join('  ')];
  const marks = read
    .flatMap((panel) => categoriesOf(panel.statistics)?.categories ?? [])
    .map(({ category }) => `${CATEGORY_MARKS[category]} ${category === 'normal' ? 'near' : category}`);
  if (marks.length > 0) lines.push(`Shares of members: ${[...new Set(marks)].join('  ')} normal`);
  return lines.join('\n');
}

/** Creates a check of a number of characters. */
function checkCount(name: string, least: number, most: number): (received: number) => void {
  return (received) => {
    if (Number.isInteger(received) && received >= least && received <= most) return;
    throw unusable(name, received, `a whole number from ${least} to ${most}`);
  };
}
