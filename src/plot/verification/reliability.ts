import type { ReliabilityPoint } from '../../skill/event-scores.js';
import type { LegendEntry } from '../legend.js';
import { SAMPLE } from '../legend.js';
import { element, rounded } from '../svg.js';
import {
  disc,
  gridLines,
  horizontalLabels,
  LABEL_ROW,
  labelSpace,
  linear,
  type PlotArea,
  SHARE_TICKS,
  TITLE_ROW,
  verticalLabels,
} from './axes.js';
import { binomialRange } from './binomial-range.js';
import {
  CREDIT,
  describe,
  type FigureContent,
  INDEPENDENT,
  intervalNote,
  nameOf,
  scoreFact,
  scoreOf,
  shownEvents,
  subjectOf,
} from './figure-content.js';
import type { Figure, FigurePanel } from './figure-layout.js';
import { counted, labelWords, percentWords, subjectWords } from './figure-texts.js';

/** So many distinct probabilities are shown as they are; more are pooled into tenths. */
const MAX_POINTS = 12;
/** The level of the ranges of reliable forecasts. */
export const RANGE_LEVEL = 0.9;
/** The height of the bars of cases, and the gap above them, in pixels. */
const [BARS, BARS_GAP] = [46, 24];
/** The greatest and the least radius of a point in pixels. */
const [MAX_RADIUS, MIN_RADIUS] = [7, 2];

/** A point of the diagram: cases whose probabilities lie from one end to the other. */
interface ReliabilityBin extends ReliabilityPoint {
  readonly from: number;
  readonly to: number;
}

/** The points of a diagram: of each probability, or where there are many of each tenth, at the mean of its probabilities. */
function reliabilityBins(points: readonly ReliabilityPoint[]): ReliabilityBin[] {
  if (points.length <= MAX_POINTS) {
    const half =
      points.slice(1).reduce((least, { probability }, i) => Math.min(least, probability - points[i].probability), 0.1) /
      2;
    return points.map((point) => ({ ...point, from: point.probability - half, to: point.probability + half }));
  }
  return Array.from({ length: 10 }, (_, k) => {
    const own = points.filter(({ probability }) => Math.min(9, Math.floor(10 * probability + 1e-9)) === k);
    const cases = own.reduce((sum, point) => sum + point.cases, 0);
    const mean = (value: (point: ReliabilityPoint) => number) =>
      own.reduce((sum, point) => sum + point.cases * value(point), 0) / cases;
    return {
      ...{ cases, from: k / 10, to: (k + 1) / 10 },
      ...{ probability: mean(({ probability }) => probability), observed: mean(({ observed }) => observed) },
    };
  }).filter(({ cases }) => cases > 0);
}

/**
 * Draws a reliability diagram with the bars of sharpness below it. Points below the diagonal were forecast too often. Within
 * the area, a point adds skill against always forecasting the mean frequency (Hsu and Murphy 1986); the bars behind points are
 * where reliable forecasts would lie (Bröcker and Smith 2007).
 */
function drawReliability(points: readonly ReliabilityPoint[], width: number) {
  const left = labelSpace(SHARE_TICKS);
  const side = width - left - 8;
  const top = TITLE_ROW + 6;
  const area: PlotArea = {
    ...{ left, right: left + side, top, bottom: top + side },
    x: linear([0, 1], [left, left + side]),
    y: linear([0, 1], [top + side, top]),
  };
  const bins = reliabilityBins(points);
  const all = points.reduce((sum, { cases }) => sum + cases, 0);
  const mean = points.reduce((sum, { observed, cases }) => sum + observed * cases, 0) / all;
  const { x, y } = area;
  const at = (p: number, frequency: number) => `${rounded(x(p))},${rounded(y(frequency))}`;
  const skilled =
    `M${at(mean, mean)}L${at(1, (1 + mean) / 2)}L${at(1, 1)}L${at(mean, 1)}Z` +
    `M${at(mean, mean)}L${at(0, mean / 2)}L${at(0, 0)}L${at(mean, 0)}Z`;
  const ranges = bins.map(({ probability, cases }) => {
    const [low, high] = binomialRange(cases, probability, RANGE_LEVEL);
    return rangePath(x(probability), y(low), y(high));
  });
  const most = Math.max(...bins.map(({ cases }) => cases));
  const radius = (cases: number) => Math.max(MIN_RADIUS, MAX_RADIUS * Math.sqrt(cases / most));
  const line = bins
    .map(({ probability, observed }, k) => `${k === 0 ? 'M' : 'L'}${at(probability, observed)}`)
    .join('');
  const bars = drawSharpness(bins, all, area);
  return {
    markup: [
      element('path', { class: 'climate', d: skilled }),
      gridLines(area, SHARE_TICKS, SHARE_TICKS),
      element('path', { class: 'tercile', d: `M${at(mean, 0)}V${rounded(y(1))}M${at(0, mean)}H${rounded(x(1))}` }),
      element('path', { class: 'axis', d: `M${at(0, 0)}L${at(1, 1)}` }),
      element('path', { class: 'shade1', d: ranges.join('') }),
      element('path', { class: 'median', d: line }),
      element('path', {
        class: 'wet-above',
        d: bins.map(({ probability, observed, cases }) => disc(x(probability), y(observed), radius(cases))).join(''),
      }),
      verticalLabels(area, SHARE_TICKS, 'Observed frequency (%)', width),
      ...bars.markup,
    ],
    height: bars.bottom + LABEL_ROW + TITLE_ROW,
  };
}

/** A bar from one height to another, which is seen where these are equal, too. */
function rangePath(x: number, bottom: number, top: number): string {
  const high = Math.max(1.5, bottom - top);
  return `M${rounded(x - 3.5)},${rounded((bottom + top - high) / 2)}h7v${rounded(high)}h-7Z`;
}

/** How often each probability was forecast: bars of the share of cases. */
function drawSharpness(bins: readonly ReliabilityBin[], all: number, { left, right, bottom, x }: PlotArea) {
  const most = Math.max(...bins.map(({ cases }) => cases / all));
  const end = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1].find((share) => share >= most - 1e-9) ?? 1;
  const top = bottom + BARS_GAP;
  const area: PlotArea = { left, right, top, bottom: top + BARS, x, y: linear([0, end], [top + BARS, top]) };
  const ticks = [0, end].map((share) => ({ at: share, label: String(Math.round(100 * share)) }));
  const d = bins.map(({ from, to, cases }) => {
    const [begin, stop] = [Math.max(left, x(from) + 0.5), Math.min(right, x(to) - 0.5)];
    return `M${rounded(begin)},${rounded(area.y(0))}V${rounded(area.y(cases / all))}H${rounded(stop)}V${rounded(area.y(0))}Z`;
  });
  return {
    bottom: area.bottom,
    markup: [
      gridLines(area, SHARE_TICKS, []),
      element('path', { class: 'shade2', d: d.join('') }),
      verticalLabels(area, ticks, 'Share of the cases (%)', right),
      horizontalLabels(area, SHARE_TICKS, 'Forecast probability (%)'),
    ],
  };
}

/** What the marks of reliability diagrams are. */
const RELIABILITY_LEGEND: readonly LegendEntry[] = /* @__PURE__ */ [
  {
    label: 'observed frequency; area by number of cases',
    sample: (x, y) =>
      element('path', { class: 'median', d: `M${rounded(x)},${y}h${SAMPLE}` }) +
      element('path', { class: 'wet-above', d: disc(x + SAMPLE / 2, y, 4) }),
  },
  {
    label: `where ${100 * RANGE_LEVEL} % of reliable forecasts are`,
    sample: (x, y) => element('rect', { class: 'shade1', x: x + SAMPLE / 2 - 3.5, y: y - 6, width: 7, height: 12 }),
  },
  {
    label: 'perfect reliability',
    sample: (x, y) => element('path', { class: 'axis', d: `M${rounded(x + 2)},${y + 5}l${SAMPLE - 4},-10` }),
  },
  {
    label: 'mean frequency',
    sample: (x, y) => element('path', { class: 'tercile', d: `M${rounded(x)},${y}h${SAMPLE}` }),
  },
  {
    label: 'adds skill against the mean frequency',
    sample: (x, y) => element('rect', { class: 'climate', x, y: y - 5, width: SAMPLE, height: 10 }),
  },
];

/** Reliability diagrams: one for each group and event. */
export function reliabilityFigure(data: FigureContent): Figure {
  const { groups, about, verification } = data;
  const isOne = groups.length === 1 && Object.keys(groups[0].labels).length === 0;
  const panels = groups.flatMap((group) =>
    shownEvents(group, data).map(({ event, reliability }): FigurePanel => {
      const part = (name: string) => scoreFact(name, scoreOf(group, name, event));
      return {
        heading: [nameOf(event, data), labelWords(group.labels, about)].filter(Boolean).join(', '),
        facts: [
          ...scoreFact('Brier skill', scoreOf(group, 'brier_skill', event, 'skill')),
          ...part('reliability'),
          ...part('resolution'),
          `happened in ${percentWords(scoreOf(group, 'base_rate', event)?.value ?? Number.NaN)}`,
          ...(isOne ? [] : [counted(group.cases, 'case')]),
        ],
        draw: (width) => drawReliability(reliability, width),
      };
    }),
  );
  return {
    title: data.title || `Reliability of probabilities: ${subjectWords(about)}`,
    subject: subjectOf(data, verification.hasReference === true),
    panels,
    legend: RELIABILITY_LEGEND,
    notes: [INDEPENDENT, ...intervalNote(data), CREDIT],
    description: describe('Reliability diagram', panels),
  };
}
