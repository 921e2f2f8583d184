import type { RankHistogram } from '../../skill/rank-histogram.js';
import type { LegendEntry } from '../legend.js';
import { SAMPLE } from '../legend.js';
import { niceDomain, tickLabel, ticksOf } from '../linear-scale.js';
import { element, rounded } from '../svg.js';
import {
  gridLines,
  horizontalLabels,
  LABEL_ROW,
  labelSpace,
  linear,
  type PlotArea,
  TITLE_ROW,
  type Tick,
  verticalLabels,
} from './axes.js';
import { binomialRange } from './binomial-range.js';
import { CREDIT, describe, type FigureContent, INDEPENDENT, subjectOf } from './figure-content.js';
import type { Figure, FigurePanel } from './figure-layout.js';
import { counted, labelWords, pValueWords, shortNumber, subjectWords } from './figure-texts.js';
import { RANGE_LEVEL } from './reliability.js';

const HEIGHT = 170;

/** Draws a rank histogram: the share of cases by rank, above the range where 90 % of ranks of a reliable ensemble are. */
function drawRanks({ members, cases, counts }: RankHistogram, width: number) {
  const ranks = counts.length;
  const range = binomialRange(cases, 1 / ranks, RANGE_LEVEL);
  const most = Math.max(range[1], ...counts.map((count) => count / cases));
  const domain = niceDomain([0, most], 5);
  const label = tickLabel(domain, 5);
  const yTicks: Tick[] = ticksOf(domain, 5).map((share) => ({ at: share, label: percentLabel(share, label) }));
  const left = labelSpace(yTicks);
  const right = width - 4;
  const top = TITLE_ROW + 6;
  const area: PlotArea = {
    ...{ left, right, top, bottom: top + HEIGHT },
    x: linear([0.5, ranks + 0.5], [left, right]),
    y: linear(domain, [top + HEIGHT, top]),
  };
  const { x, y } = area;
  const inset = (x(2) - x(1)) * 0.08;
  const bars = counts.map((count, rank) => {
    const [from, to] = [rounded(x(rank + 0.5) + inset), rounded(x(rank + 1.5) - inset)];
    return `M${from},${rounded(y(0))}V${rounded(y(count / cases))}H${to}V${rounded(y(0))}Z`;
  });
  const [low, high] = range;
  const step = [1, 2, 5, 10, 20, 50, 100, 1000].find((each) => ranks / each <= 12) ?? 10_000;
  const xTicks = counts
    .map((_, rank) => rank + 1)
    .filter((rank) => rank === 1 || rank % step === 0 || rank === ranks)
    .map((rank): Tick => ({ at: rank, label: String(rank) }));
  return {
    markup: [
      element('path', {
        class: 'climate',
        d: `M${left},${rounded(y(high))}H${right}V${rounded(y(low))}H${left}Z`,
      }),
      gridLines(area, [], yTicks),
      element('path', { class: 'shade2', d: bars.join('') }),
      // The ends of the range, over the bars that hide it.
      element('path', {
        class: 'tercile',
        d: [low, high].map((share) => `M${left},${rounded(y(share))}H${right}`).join(''),
      }),
      element('path', { class: 'axis', d: `M${left},${rounded(y(1 / ranks))}H${right}` }),
      verticalLabels(area, yTicks, 'Share of the cases (%)', width),
      horizontalLabels(area, xTicks, `Rank: 1 below all ${members} members, ${ranks} above all`),
    ],
    height: area.bottom + LABEL_ROW + TITLE_ROW,
  };
}

function percentLabel(share: number, label: (share: number) => string): string {
  const decimals = Math.max(0, (label(share).split('.')[1]?.length ?? 0) - 2);
  return (100 * share).toFixed(decimals);
}

/** What the marks of rank histograms are. */
const RANKS_LEGEND: readonly LegendEntry[] = /* @__PURE__ */ [
  {
    label: 'observations with this rank',
    sample: (x, y) => element('rect', { class: 'shade2', x, y: y - 5, width: SAMPLE, height: 10 }),
  },
  {
    label: 'expected of a reliable ensemble',
    sample: (x, y) => element('path', { class: 'axis', d: `M${rounded(x)},${y}h${SAMPLE}` }),
  },
  {
    label: `where ${100 * RANGE_LEVEL} % of its ranks are`,
    sample: (x, y) =>
      element('rect', { class: 'climate', x, y: y - 5, width: SAMPLE, height: 10 }) +
      element('path', { class: 'tercile', d: `M${rounded(x)},${y - 5}h${SAMPLE}m-${SAMPLE},10h${SAMPLE}` }),
  },
];

/** Rank histograms: one for each group and number of members. */
export function ranksFigure(data: FigureContent): Figure {
  const { groups, about } = data;
  const panels = groups.flatMap((group) =>
    group.ranks.map((ranks): FigurePanel => {
      const { chiSquare, degrees, pValue, slopePValue, convexityPValue, members } = ranks;
      const isOneSize = group.ranks.length === 1;
      return {
        heading: [labelWords(group.labels, about), isOneSize ? '' : counted(members, 'member')]
          .filter(Boolean)
          .join(', '),
        facts: [
          counted(ranks.cases, 'case'),
          `equal ranks: χ² ${shortNumber(chiSquare)} with ${degrees} degrees of freedom, ${pValueWords(pValue)}`,
          `slope, as of a bias: ${pValueWords(slopePValue)}`,
          `U or dome, as of too little or too much spread: ${pValueWords(convexityPValue)}`,
        ],
        draw: (width) => drawRanks(ranks, width),
      };
    }),
  );
  return {
    title: data.title || `Ranks of observations among members: ${subjectWords(about)}`,
    subject: subjectOf(data, false),
    panels,
    legend: RANKS_LEGEND,
    notes: [
      INDEPENDENT.replace('Ranges are', 'Ranges and p-values are'),
      'Higher at both ends: too little spread. Higher at the left: forecasts too high; at the right: too low.',
      CREDIT,
    ],
    description: describe('Rank histogram', panels),
  };
}
