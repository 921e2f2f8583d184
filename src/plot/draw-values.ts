import {
  type ClimateLines,
  type EarlierRun,
  hasWindowEachDay,
  isOfDaysApart,
  type MemberLines,
  middles,
  type QuantileLine,
  type SamplingError,
  shownSpans,
  type WindowStatistics,
  type Windows,
} from './panel-data.js';
import { pairsOf } from './quantile-pairs.js';
import { bandPath, coarseLinePath, linePath, type Scale } from './shapes.js';
import { element, rounded } from './svg.js';
import { SHADES } from './theme.js';

/** Where days and values are in a picture. */
export interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

/** A kind of mark, for the legend. */
export type Mark =
  | { readonly kind: 'members' | 'single' | 'median' | 'mean' | 'mean-dot' | 'threshold' | 'limit' | 'tercile' }
  | { readonly kind: 'overlap' }
  | { readonly kind: 'category'; readonly category: 'below' | 'normal' | 'above'; readonly name: string }
  | { readonly kind: 'bar'; readonly of: 'median' | 'mean' }
  | { readonly kind: 'up-to'; readonly shade: number; readonly probability: number }
  | { readonly kind: 'band'; readonly shade: number; readonly from: number; readonly to: number }
  | ({ readonly kind: 'sampling' } & Pick<SamplingError, 'level'>)
  | { readonly kind: 'earlier-median' }
  | { readonly kind: 'whisker' | 'climate' | 'earlier'; readonly from: number; readonly to: number };

/** Markup, and the kinds of marks in it. */
export interface Drawing {
  readonly markup: readonly string[];
  readonly marks: readonly Mark[];
}

/** Nothing to draw. */
export const NOTHING: Drawing = { markup: [], marks: [] };

/** Windows from this width on are boxes, narrower ones parts of a fan, in pixels. */
const MIN_BOX = 7;
const MAX_BOX = 40;

/** More members are drawn in whole pixels. */
const MAX_FINE = 500;

/** Draws the members as thin lines. A single one is drawn as the main line. */
export function drawMembers(members: MemberLines, { x, y }: Scales): Drawing {
  const at = middles(members);
  const toPath = members.values.length > MAX_FINE ? coarseLinePath : linePath;
  const path = members.values.map((values) => toPath(at, values, x, y)).join('');
  const kind = members.values.length === 1 ? 'single' : 'members';
  if (path === '') return NOTHING;
  const name = kind === 'single' ? 'members single' : 'members';
  return { markup: [element('path', { class: name, d: path })], marks: [{ kind }] };
}

/** Whether statistics are those of a single member in the same windows: the line of its values shows them all. */
export function isOfOneLine(statistics: WindowStatistics, members: MemberLines | undefined): boolean {
  if (members?.values.length !== 1) return false;
  const { start, end, mean, quantiles } = statistics;
  const [line] = members.values;
  const isLine = (values: Float64Array) => values.every((value, i) => isSame(value, line[i]));
  return (
    start.length === members.start.length &&
    start.every((day, i) => day === members.start[i] && end[i] === members.end[i]) &&
    (mean === undefined || isLine(mean)) &&
    quantiles.every(({ values }) => isLine(values))
  );
}

/** Whether two values are the same, or both missing; one may be rounded to float32. */
function isSame(one: number, other: number): boolean {
  return Object.is(one, other) || Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one));
}

/** More lines than this for each pixel of a plume are an area. */
const MAX_LINES = 120;

/** Whether there are so many lines that they hide what is behind them: of many members, or of many days a pixel. */
export function areCrowded(members: MemberLines, x: Scale): boolean {
  const at = middles(members);
  const windowsPerPixel = at.length < 2 ? 0 : 1 / (x(at[1]) - x(at[0]));
  return members.values.length * Math.max(1, windowsPerPixel) > MAX_LINES;
}

/** How statistics of days are drawn. */
export type DayMarks = 'boxes' | 'bars' | 'bands';

/**
 * Draws statistics as box plots where windows are wide enough, else as nested bands; statistics of days as `dayMarks` says,
 * where they are wide enough.
 */
export function drawStatistics(statistics: WindowStatistics, scales: Scales, dayMarks: DayMarks = 'bands'): Drawing {
  const isFan = !areApart(statistics, scales.x, dayMarks);
  const isOfBars = hasWindowEachDay(statistics) && dayMarks === 'bars';
  const drawn = (isFan ? drawFan : isOfBars ? drawBars : drawBoxes)(statistics, scales);
  const { sampling } = statistics;
  // Along a fan, or within each box.
  const d =
    sampling &&
    (isFan
      ? bandPath(middles(statistics), ...sampling.ends, scales.x, scales.y)
      : windowBoxes(
          statistics,
          scales,
        )((box, i) => boxPath(box, SAMPLING_WIDTH, sampling.ends[0][i], sampling.ends[1][i])));
  if (!d) return drawn;
  const above = drawn.marks.findIndex(({ kind }) => ABOVE_SAMPLING.includes(kind));
  const at = above < 0 ? drawn.marks.length : above;
  return {
    markup: drawn.markup.toSpliced(at, 0, element('path', { class: 'sampling', d })),
    marks: drawn.marks.toSpliced(at, 0, { kind: 'sampling', ...sampling }),
  };
}

/** What a band of sampling error would hide: each has one path. */
const ABOVE_SAMPLING: readonly Mark['kind'][] = ['median', 'mean', 'mean-dot'];

/** Of the width of a box, the share that its band of sampling error has. */
const SAMPLING_WIDTH = 0.4;

/** Whether each window has a mark of its own: a box, or a bar. Rolling windows overlap, and have none. */
export function areApart(statistics: WindowStatistics, x: Scale, dayMarks: DayMarks): boolean {
  const { from, to } = shownSpans(statistics);
  const mayBe = !hasWindowEachDay(statistics) || (isOfDaysApart(statistics) && dayMarks !== 'bands');
  return mayBe && from.length > 0 && x(to[0]) - x(from[0]) >= MIN_BOX;
}

/** The shade of a band: few bands have shades that differ more. */
function shadeOf(depth: number, count: number): number {
  if (count <= 2) return 2 * depth;
  return count <= SHADES ? depth : Math.floor((depth * SHADES) / count);
}

function medianOf(quantiles: readonly QuantileLine[]): QuantileLine | undefined {
  return quantiles.find(({ probability }) => probability === 0.5);
}

/** Quantiles without a partner, such as only 0.9: lines of their own. */
function loneQuantiles(quantiles: readonly QuantileLine[]): QuantileLine[] {
  const paired = new Set(pairsOf(quantiles).flat());
  return quantiles.filter((quantile) => !paired.has(quantile) && quantile.probability !== 0.5);
}

function drawFan(statistics: WindowStatistics, { x, y }: Scales): Drawing {
  const { quantiles, mean } = statistics;
  const at = middles(statistics);
  const pairs = pairsOf(quantiles);
  const markup: string[] = [];
  const marks: Mark[] = [];
  pairs.forEach(([low, high], depth) => {
    const shade = shadeOf(depth, pairs.length);
    const d = bandPath(at, low.values, high.values, x, y);
    if (d === '') return;
    markup.push(element('path', { class: `band shade${shade}`, d }));
    marks.push({ kind: 'band', shade, from: low.probability, to: high.probability });
  });
  const draw = (kind: 'median' | 'mean', values: Float64Array | undefined) => {
    const d = values === undefined ? '' : linePath(at, values, x, y);
    if (d === '') return;
    markup.push(element('path', { class: kind, d }));
    marks.push({ kind });
  };
  for (const { values } of loneQuantiles(quantiles)) draw('median', values);
  draw('median', medianOf(quantiles)?.values);
  draw('mean', mean);
  return { markup, marks };
}

function drawBoxes(statistics: WindowStatistics, scales: Scales): Drawing {
  const { quantiles, mean } = statistics;
  const pairs = pairsOf(quantiles);
  const boxes = pairs.length > 1 ? pairs.slice(1) : pairs;
  const whiskers = pairs.length > 1 ? pairs[0] : undefined;
  const median = medianOf(quantiles);
  const each = windowBoxes(statistics, scales);
  const markup: string[] = [];
  const marks: Mark[] = [];
  const draw = (mark: Mark, className: string, d: string) => {
    if (d === '') return;
    markup.push(element('path', { class: className, d }));
    marks.push(mark);
  };
  if (whiskers) {
    const [low, high] = whiskers;
    const d = each((box, i) => whiskerPath(box, low.values[i], high.values[i]));
    draw({ kind: 'whisker', from: low.probability, to: high.probability }, 'whisker', d);
  }
  boxes.forEach(([low, high], depth) => {
    // The shade that a band of these quantiles has in other panels.
    const shade = shadeOf(depth + pairs.length - boxes.length, pairs.length);
    const share = (depth + 1) / boxes.length;
    const d = each((box, i) => boxPath(box, share, low.values[i], high.values[i]));
    draw({ kind: 'band', shade, from: low.probability, to: high.probability }, `band shade${shade}`, d);
  });
  if (median)
    draw(
      { kind: 'median' },
      'median',
      each((box, i) => linesAcross(box, [box.y(median.values[i])])),
    );
  if (mean)
    draw(
      { kind: 'mean-dot' },
      'mean-dot',
      each((box, i) => dotPath(box.middle, box.y(mean[i]))),
    );
  return { markup, marks };
}

/**
 * Bars from zero: up to the median, and lighter up to the upper quantiles; without quantiles up to the mean. What was
 * below zero by rounding has none.
 */
function drawBars(statistics: WindowStatistics, scales: Scales): Drawing {
  const { quantiles, mean } = statistics;
  const upper = quantiles.filter(({ probability }) => probability > 0.5).reverse();
  const median = medianOf(quantiles)?.values;
  const each = windowBoxes(statistics, scales);
  const markup: string[] = [];
  const marks: Mark[] = [];
  const draw = (mark: Mark, className: string, values: Float64Array) => {
    const d = each((box, i) => (values[i] > 0 ? boxPath(box, 1, 0, values[i]) : ''));
    if (d === '') return;
    markup.push(element('path', { class: className, d }));
    marks.push(mark);
  };
  upper.forEach(({ probability, values }, depth) => {
    const shade = shadeOf(depth, upper.length);
    draw({ kind: 'up-to', shade, probability }, `band shade${shade}`, values);
  });
  if (median !== undefined) draw({ kind: 'bar', of: 'median' }, 'bar', median);
  else if (mean !== undefined && upper.length === 0) draw({ kind: 'bar', of: 'mean' }, 'bar', mean);
  if (mean !== undefined && (median !== undefined || upper.length > 0)) {
    markup.push(element('path', { class: 'mean-dot', d: each((box, i) => dotPath(box.middle, box.y(mean[i]))) }));
    marks.push({ kind: 'mean-dot' });
  }
  return { markup, marks };
}

/** Where the box of a window is, in pixels. */
interface Box {
  readonly middle: number;
  readonly width: number;
  readonly y: Scale;
}

/** Joins the paths of all windows: one element for all boxes is drawn several times as fast as one for each. */
function windowBoxes(statistics: WindowStatistics, { x, y }: Scales) {
  const { from, to } = shownSpans(statistics);
  const boxes = Array.from(middles(statistics), (middle, i): Box => {
    return { middle: x(middle), width: Math.min(MAX_BOX, 0.62 * (x(to[i]) - x(from[i]))), y };
  });
  return (path: (box: Box, i: number) => string) => boxes.map(path).join('');
}

/** A whisker with a short line at each end; nothing where a value is missing. */
function whiskerPath({ middle, width, y }: Box, low: number, high: number): string {
  const ends = [y(low), y(high)];
  if (Number.isNaN(ends[0] - ends[1])) return '';
  const stem = `M${rounded(middle)},${rounded(ends[0])}V${rounded(ends[1])}`;
  return stem + linesAcross({ middle, width: width / 2, y }, ends);
}

/** Lines as wide as a box at some heights; none where these are missing. */
function linesAcross({ middle, width }: Box, heights: readonly number[]): string {
  const [left, right] = [rounded(middle - width / 2), rounded(middle + width / 2)];
  return heights.map((at) => (Number.isNaN(at) ? '' : `M${left},${rounded(at)}H${right}`)).join('');
}

/** A rectangle of a share of the width of a box; nothing where a value is missing. */
function boxPath({ middle, width, y }: Box, share: number, low: number, high: number): string {
  const [bottom, top] = [y(low), y(high)];
  if (Number.isNaN(bottom - top)) return '';
  const half = (share * width) / 2;
  const lower = rounded(Math.max(bottom, top + MIN_HEIGHT));
  return `M${rounded(middle - half)},${rounded(top)}H${rounded(middle + half)}V${lower}H${rounded(middle - half)}Z`;
}

/** Pixels of a box of equal values. */
const MIN_HEIGHT = 0.8;

const RADIUS = 2.4;

/** A disc; nothing where the value is missing. */
function dotPath(x: number, y: number): string {
  if (Number.isNaN(y)) return '';
  const arc = (to: number) => `a${RADIUS},${RADIUS} 0 1 0 ${to},0`;
  return `M${rounded(x - RADIUS)},${rounded(y)}${arc(2 * RADIUS)}${arc(-2 * RADIUS)}Z`;
}

/** Draws the band of a climatology: a fan for days, steps for longer windows. */
export function drawClimateBand(climate: ClimateLines, { x, y }: Scales): Drawing {
  if (climate.band === undefined) return NOTHING;
  const [low, high] = climate.band;
  const { at, spread } = pointsOf(climate);
  const d = bandPath(at, spread(low.values), spread(high.values), x, y);
  return {
    markup: [element('path', { class: 'climate', d })],
    marks: [{ kind: 'climate', from: low.probability, to: high.probability }],
  };
}

/** Draws the limits between the categories of a climatology. */
export function drawLimits(climate: ClimateLines, { x, y }: Scales): Drawing {
  const { limits } = climate;
  if (limits.length === 0) return NOTHING;
  const { at, spread } = pointsOf(climate);
  return {
    markup: limits.map((values) => element('path', { class: 'tercile', d: linePath(at, spread(values), x, y) })),
    marks: [{ kind: limits.length === 2 ? 'tercile' : 'limit' }],
  };
}

/** Draws the shadow of an earlier run: what is behind the values of this one, and its median before them. */
export function drawEarlier(
  earlier: EarlierRun | undefined,
  { x, y }: Scales,
): { readonly back: Drawing; readonly front: Drawing } {
  if (earlier === undefined) return { back: NOTHING, front: NOTHING };
  const { at, spread } = pointsOf(earlier);
  const [low, median, high] = earlier.quantiles.map(({ values }) => spread(values));
  const [{ probability: from }, , { probability: to }] = earlier.quantiles;
  return {
    back: {
      markup: [element('path', { class: 'earlier', d: bandPath(at, low, high, x, y) })],
      marks: [{ kind: 'earlier', from, to }],
    },
    front: {
      markup: [element('path', { class: 'earlier-median', d: linePath(at, median, x, y) })],
      marks: [{ kind: 'earlier-median' }],
    },
  };
}

interface WindowPoints {
  readonly at: Float64Array;
  /** The value of each point. */
  spread(values: Float64Array): Float64Array;
}

function pointsOf(windows: Windows): WindowPoints {
  return hasWindowEachDay(windows) ? { at: middles(windows), spread: (values) => values } : steps(windows);
}

/** Two points for each window, at its beginning and its end; between windows that are apart a gap. */
function steps(windows: Windows): WindowPoints {
  const { from, to } = shownSpans(windows);
  const points: { readonly at: number; readonly window: number }[] = [];
  for (const [i, at] of from.entries()) {
    if (i > 0 && at > to[i - 1]) points.push({ at, window: -1 });
    points.push({ at, window: i }, { at: to[i], window: i });
  }
  return {
    at: Float64Array.from(points, ({ at }) => at),
    spread: (values) => Float64Array.from(points, ({ window }) => values[window] ?? Number.NaN),
  };
}
