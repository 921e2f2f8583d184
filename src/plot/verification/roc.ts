import type { RocPoint } from '../../skill/event-scores.js';
import type { Score } from '../../skill/verification-scores.js';
import type { LegendEntry } from '../legend.js';
import { SAMPLE } from '../legend.js';
import { element, escapeText, rounded } from '../svg.js';
import { FONT, fittedText, textWidth } from '../text-size.js';
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
import {
  CREDIT,
  describe,
  type FigureContent,
  intervalNote,
  nameOf,
  scoreOf,
  shownEvents,
  subjectOf,
} from './figure-content.js';
import type { Figure, FigurePanel } from './figure-layout.js';
import { counted, labelWords, subjectWords } from './figure-texts.js';

/** A curve: an event in words, its area and its points. */
interface RocCurve {
  readonly name: string;
  readonly area: string;
  readonly points: readonly RocPoint[];
}

/** Lines and points of the curves in one panel: each differs by its strokes and the form of its points, too. */
const STYLES: readonly { readonly line: string; readonly point: string; readonly mark: typeof disc }[] = [
  { line: 'members single', point: 'shade3', mark: disc },
  { line: 'mean', point: 'mean-dot', mark: square },
  { line: 'threshold', point: 'threshold-text', mark: triangle },
  { line: 'median', point: 'wet-above', mark: diamond },
];
/** Curves in one panel at most. */
const MAX_CURVES = STYLES.length;

/** The marks on a curve, at most: their forms tell curves apart. */
const MAX_MARKS = 10;

/** Draws the curves of some events: hit rates over false alarm rates for all probabilities at which one can warn. */
function drawRoc(curves: readonly RocCurve[], width: number) {
  const left = labelSpace(SHARE_TICKS);
  const side = width - left - 8;
  const top = TITLE_ROW + 6;
  const area: PlotArea = {
    ...{ left, right: left + side, top, bottom: top + side },
    x: linear([0, 1], [left, left + side]),
    y: linear([0, 1], [top + side, top]),
  };
  const { x, y } = area;
  return {
    markup: [
      gridLines(area, SHARE_TICKS, SHARE_TICKS),
      element('path', { class: 'axis', d: `M${rounded(x(0))},${rounded(y(0))}L${rounded(x(1))},${rounded(y(1))}` }),
      ...curves.map((curve, k) => drawCurve(curve, k, area)),
      ...drawNames(curves, area),
      verticalLabels(area, SHARE_TICKS, 'Hit rate: warned before events (%)', width),
      horizontalLabels(area, SHARE_TICKS, 'False alarm rate: warned without event (%)'),
    ],
    height: area.bottom + LABEL_ROW + TITLE_ROW,
  };
}

/** An area with two decimals, and its interval where there is one. */
function areaText(score: Score | undefined): string {
  const { value, low, high } = score ?? { value: Number.NaN };
  const text = (area: number) => (Number.isNaN(area) ? '–' : area.toFixed(2));
  const hasInterval = low !== undefined && high !== undefined && !Number.isNaN(low);
  return `${text(value)}${hasInterval ? ` (${text(low)} to ${text(high)})` : ''}`;
}

function drawCurve({ points }: RocCurve, k: number, { x, y }: PlotArea): string {
  const { line, point, mark } = STYLES[k];
  const known = points.filter(({ hitRate, falseAlarmRate }) => !Number.isNaN(hitRate + falseAlarmRate));
  const d = known.map(
    ({ hitRate, falseAlarmRate }, i) => `${i === 0 ? 'M' : 'L'}${rounded(x(falseAlarmRate))},${rounded(y(hitRate))}`,
  );
  if (d.length === 0) return '';
  const step = Math.ceil((known.length - 1) / MAX_MARKS);
  const marks = known.flatMap(({ hitRate, falseAlarmRate }, i) =>
    i % step === 0 || i === known.length - 1 ? mark(x(falseAlarmRate), y(hitRate), 3) : [],
  );
  return element('path', { class: line, d: d.join('') }) + element('path', { class: point, d: marks.join('') });
}

/** The names of curves with their areas, in the lower right corner, which curves with skill leave free. */
function drawNames(curves: readonly RocCurve[], { left, right, bottom }: PlotArea): string[] {
  const most = 0.72 * (right - left) - SAMPLE - 12;
  const texts = curves.map(
    ({ name, area }) => `${fittedText(name, FONT.small, most - textWidth(` ${area}`, FONT.small))} ${area}`,
  );
  const from = right - 10 - Math.max(...texts.map((text) => textWidth(text, FONT.small)));
  return texts.map((text, k) => {
    const { line, point, mark } = STYLES[k];
    const y = bottom - 12 - (texts.length - 1 - k) * 16;
    return (
      element('path', { class: line, d: `M${rounded(from - SAMPLE - 5)},${rounded(y)}h${SAMPLE}` }) +
      element('path', { class: point, d: mark(from - SAMPLE / 2 - 5, y, 3) }) +
      element('text', { class: 'seam-text', x: from, y: y + 4, 'font-size': FONT.small }, escapeText(text))
    );
  });
}

function square(x: number, y: number, radius: number): string {
  const side = 1.8 * radius;
  return `M${rounded(x - side / 2)},${rounded(y - side / 2)}h${rounded(side)}v${rounded(side)}h${rounded(-side)}Z`;
}

function triangle(x: number, y: number, radius: number): string {
  return `M${rounded(x)},${rounded(y - 1.3 * radius)}l${rounded(1.3 * radius)},${rounded(2.3 * radius)}h${rounded(-2.6 * radius)}Z`;
}

function diamond(x: number, y: number, radius: number): string {
  const half = 1.3 * radius;
  return `M${rounded(x)},${rounded(y - half)}l${rounded(half)},${rounded(half)}l${rounded(-half)},${rounded(half)}l${rounded(-half)},${rounded(-half)}Z`;
}

/** What the marks of ROC curves are; curves have their names beside them. */
const ROC_LEGEND: readonly LegendEntry[] = /* @__PURE__ */ [
  {
    label: 'no skill: area 0.5',
    sample: (x, y) => element('path', { class: 'axis', d: `M${rounded(x + 2)},${y + 5}l${SAMPLE - 4},-10` }),
  },
];

/** ROC curves: a panel for each group, or several where it has many events. */
export function rocFigure(data: FigureContent): Figure {
  const { groups, about } = data;
  const panels = groups.flatMap((group) => {
    const shown = shownEvents(group, data);
    const count = Math.ceil(shown.length / MAX_CURVES);
    return Array.from({ length: count }, (_, k): FigurePanel => {
      const own = shown.slice(Math.ceil((k * shown.length) / count), Math.ceil(((k + 1) * shown.length) / count));
      const curves = own.map(({ event, roc }) => ({
        name: nameOf(event, data),
        area: areaText(scoreOf(group, 'roc_area', event)),
        points: roc,
      }));
      return {
        heading: labelWords(group.labels, about),
        facts: groups.length === 1 ? [] : [counted(group.cases, 'case')],
        draw: (width) => drawRoc(curves, width),
      };
    });
  });
  const areas = groups.map((group) =>
    shownEvents(group, data).map(
      ({ event }) => `${nameOf(event, data)} ${areaText(scoreOf(group, 'roc_area', event))}`,
    ),
  );
  return {
    title: data.title || `Hits against false alarms (ROC): ${subjectWords(about)}`,
    subject: subjectOf(data, false),
    panels,
    legend: ROC_LEGEND,
    notes: [
      'A curve: warning whenever the probability is at least so much. Beside each name, the area under its curve: 1 is perfect.',
      ...intervalNote(data),
      CREDIT,
    ],
    description: `${describe('ROC curves', panels)} Areas: ${areas.flat().join(', ')}.`,
  };
}
