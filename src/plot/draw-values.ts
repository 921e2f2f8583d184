import {
  type ClimateLines,
  type MemberLines,
  middles,
  type QuantileLine,
  type WindowStatistics,
} from './panel-data.js';
import { pairsOf } from './quantile-pairs.js';
import { bandPath, linePath, type Scale } from './shapes.js';
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
  | { readonly kind: 'category'; readonly category: 'below' | 'normal' | 'above'; readonly name: string }
  | { readonly kind: 'band'; readonly shade: number; readonly from: number; readonly to: number }
  | { readonly kind: 'whisker' | 'climate'; readonly from: number; readonly to: number };

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

/** Draws the members as thin lines. A single one is drawn as the main line. */
export function drawMembers(members: MemberLines, { x, y }: Scales): Drawing {
  const at = middles(members);
  const path = members.values.map((values) => linePath(at, values, x, y)).join('');
  const kind = members.values.length === 1 ? 'single' : 'members';
  if (path === '') return NOTHING;
  const name = kind === 'single' ? 'members single' : 'members';
  return { markup: [element('path', { class: name, d: path })], marks: [{ kind }] };
}

/** Draws statistics as box plots where windows are wide enough, else as nested bands; daily ones always as bands. */
export function drawStatistics(statistics: WindowStatistics, scales: Scales): Drawing {
  return isBoxed(statistics, scales.x) ? drawBoxes(statistics, scales) : drawFan(statistics, scales);
}

function isBoxed({ granularity, start, end }: WindowStatistics, x: Scale): boolean {
  return granularity !== 'daily' && start.length > 0 && x(end[0] + 1) - x(start[0]) >= MIN_BOX;
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
  const { start, quantiles, mean } = statistics;
  const pairs = pairsOf(quantiles);
  const boxes = pairs.length > 1 ? pairs.slice(1) : pairs;
  const whiskers = pairs.length > 1 ? pairs[0] : undefined;
  const markup = Array.from(start, (_, i) => drawBox({ statistics, boxes, whiskers, i }, scales)).filter(Boolean);
  const marks: Mark[] = [];
  if (whiskers) marks.push({ kind: 'whisker', from: whiskers[0].probability, to: whiskers[1].probability });
  boxes.forEach(([low, high], depth) => {
    marks.push({ kind: 'band', shade: boxShade(depth, boxes.length), from: low.probability, to: high.probability });
  });
  if (medianOf(quantiles)) marks.push({ kind: 'median' });
  if (mean) marks.push({ kind: 'mean-dot' });
  return { markup, marks: markup.length > 0 ? marks : [] };
}

/** A box has the second shade, as only whiskers are beyond it. */
function boxShade(depth: number, count: number): number {
  return Math.min(SHADES - 1, shadeOf(depth, count) + 1);
}

interface Box {
  readonly statistics: WindowStatistics;
  readonly boxes: readonly [QuantileLine, QuantileLine][];
  readonly whiskers: readonly [QuantileLine, QuantileLine] | undefined;
  readonly i: number;
}

function drawBox({ statistics, boxes, whiskers, i }: Box, { x, y }: Scales): string {
  const { start, end, quantiles, mean } = statistics;
  const [left, right] = [x(start[i]), x(end[i] + 1)];
  const middle = (left + right) / 2;
  const width = Math.min(MAX_BOX, 0.62 * (right - left));
  const parts: string[] = [];
  const whisker = whiskers && verticalLine(middle, y(whiskers[0].values[i]), y(whiskers[1].values[i]), width / 2);
  if (whisker) parts.push(whisker);
  boxes.forEach(([low, high], depth) => {
    const [bottom, top] = [y(low.values[i]), y(high.values[i])];
    if (Number.isNaN(bottom - top)) return;
    const span = (width * (depth + 1)) / boxes.length;
    const place = { x: middle - span / 2, y: top, width: span, height: Math.max(0.8, bottom - top) };
    parts.push(element('rect', { class: `band shade${boxShade(depth, boxes.length)}`, ...place }));
  });
  const half = width / 2;
  const median = medianOf(quantiles)?.values[i] ?? Number.NaN;
  if (!Number.isNaN(median)) {
    const at = y(median);
    parts.push(element('line', { class: 'median', x1: middle - half, x2: middle + half, y1: at, y2: at }));
  }
  const average = mean?.[i] ?? Number.NaN;
  if (!Number.isNaN(average)) parts.push(element('circle', { class: 'mean-dot', cx: middle, cy: y(average), r: 2.4 }));
  return parts.length > 0 ? element('g', {}, ...parts) : '';
}

/** A whisker with a short line at each end; undefined where a value is missing. */
function verticalLine(x: number, from: number, to: number, width: number): string | undefined {
  if (Number.isNaN(from - to)) return undefined;
  const [left, right] = [x - width / 2, x + width / 2].map(rounded);
  const [middle, low, high] = [x, from, to].map(rounded);
  const d = `M${middle},${low}V${high}M${left},${low}H${right}M${left},${high}H${right}`;
  return element('path', { class: 'whisker', d });
}

/** Draws the band of a climatology: a fan for days, steps for weeks and months. */
export function drawClimateBand(climate: ClimateLines, { x, y }: Scales): Drawing {
  if (climate.band === undefined) return NOTHING;
  const [low, high] = climate.band;
  const { at, spread } = climatePoints(climate);
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
  const { at, spread } = climatePoints(climate);
  return {
    markup: limits.map((values) => element('path', { class: 'tercile', d: linePath(at, spread(values), x, y) })),
    marks: [{ kind: limits.length === 2 ? 'tercile' : 'limit' }],
  };
}

interface ClimatePoints {
  readonly at: Float64Array;
  /** The value of each point. */
  spread(values: Float64Array): Float64Array;
}

function climatePoints(climate: ClimateLines): ClimatePoints {
  return climate.granularity === 'daily' ? { at: middles(climate), spread: (values) => values } : steps(climate);
}

/** Two points for each window, at its beginning and its end. */
function steps({ start, end }: ClimateLines): ClimatePoints {
  const at = new Float64Array(2 * start.length);
  for (let i = 0; i < start.length; i++) {
    at[2 * i] = start[i];
    at[2 * i + 1] = end[i] + 1;
  }
  return { at, spread: (values) => Float64Array.from(at, (_, k) => values[k >> 1]) };
}
