import { OptionError } from '../../errors.js';
import type { GroupLabels } from '../../skill/verification.js';
import type { GroupScores } from '../../skill/verification-scores.js';
import type { LegendEntry } from '../legend.js';
import { SAMPLE } from '../legend.js';
import { niceDomain, tickLabel, ticksOf } from '../linear-scale.js';
import { bandPath, linePath } from '../shapes.js';
import { element, rounded } from '../svg.js';
import {
  disc,
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
import {
  CREDIT,
  capital,
  type FigureContent,
  intervalNote,
  nameOf,
  SIGNIFICANT_LEADS,
  scoreOf,
  shownScore,
  significantOf,
  subjectOf,
} from './figure-content.js';
import type { Figure, FigurePanel } from './figure-layout.js';
import {
  counted,
  labelWords,
  referenceWords,
  scoreUnits,
  scoreWords,
  shortNumber,
  subjectWords,
  unitsOf,
} from './figure-texts.js';

/** A score at one lead. NaN is missing. */
interface LeadScore {
  readonly lead: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Of a score that is no skill: that of what it is compared with. */
  readonly reference: number;
  /** Whether skill is significant; undefined where it is not tested. */
  readonly isSignificant?: boolean | undefined;
}

/** What an axis of scores shows. */
interface LeadAxis {
  readonly isSkill: boolean;
  /** The title of the axis of scores. */
  readonly title: string;
  /** What leads are counted in. */
  readonly unit: string;
  /** The least and the greatest value, common to all panels. */
  readonly extent: readonly [number, number];
  /** What skill is against. */
  readonly against: string;
}

const HEIGHT = 210;
/** Skill that is worse is not shown: an axis that holds it would hide all that is near 0. */
const LEAST_SKILL = -1;

/** The least and the greatest value of scores by lead, with 0 for skill. */
function extentOfScores(all: readonly LeadScore[], isSkill: boolean): readonly [number, number] {
  const values = all
    .flatMap(({ value, low, high, reference }) => [value, low, high, reference])
    .filter(Number.isFinite);
  if (values.length === 0) return [0, 1];
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  if (isSkill) return [Math.max(LEAST_SKILL, Math.min(0, least)), Math.max(0.1, greatest)];
  return least > 0 && least < greatest / 2
    ? [0, greatest]
    : least === greatest
      ? [least - 1, greatest + 1]
      : [least, greatest];
}

/** Draws a score by lead, with its interval as an area; points are full where skill is significant. */
function drawLeads(scores: readonly LeadScore[], axis: LeadAxis, width: number) {
  const domain = niceDomain(axis.extent, 6);
  const label = tickLabel(domain, 6);
  const yTicks: Tick[] = ticksOf(domain, 6).map((value) => ({ at: value, label: label(value) }));
  const left = labelSpace(yTicks);
  const [right, top] = [width - 6, TITLE_ROW + 6];
  const leads = scores.map(({ lead }) => lead);
  const ends = [Math.min(...leads) - 0.5, Math.max(...leads) + 0.5] as const;
  const area: PlotArea = {
    ...{ left, right, top, bottom: top + HEIGHT },
    x: linear(ends, [left, right]),
    y: linear(domain, [top + HEIGHT, top]),
  };
  const { x, y } = area;
  const at = Float64Array.from(leads);
  const column = (of: (score: LeadScore) => number) => Float64Array.from(scores, of);
  const values = column(({ value }) => value);
  const band = bandPath(
    at,
    column((score) => score.low),
    column((score) => score.high),
    x,
    y,
  );
  const reference = linePath(
    at,
    column((score) => score.reference),
    x,
    y,
  );
  const isFull = ({ isSignificant }: LeadScore) => isSignificant !== false;
  const dots = (kept: (score: LeadScore) => boolean) =>
    scores
      .flatMap((score) => (kept(score) && score.value >= domain[0] ? disc(x(score.lead), y(score.value), 3.5) : []))
      .join('');
  const xTicks = ticksOf(ends, Math.min(12, leads.length)).filter(Number.isInteger);
  const [full, hollow] = [dots(isFull), dots((score) => !isFull(score))];
  return {
    markup: [
      gridLines(area, [], yTicks),
      // What lies beyond the axis is cut.
      element(
        'svg',
        { x: left, y: top, width: right - left, height: HEIGHT, viewBox: `${left} ${top} ${right - left} ${HEIGHT}` },
        ...(band === '' ? [] : [element('path', { class: 'shade0', d: band })]),
        ...(reference === '' ? [] : [element('path', { class: 'mean', d: reference })]),
        element('path', { class: 'median', d: linePath(at, values, x, y) }),
      ),
      ...(axis.isSkill ? [element('path', { class: 'axis', d: `M${left},${rounded(y(0))}H${right}` })] : []),
      ...(full === '' ? [] : [element('path', { class: 'wet-above', d: full })]),
      ...(hollow === ''
        ? []
        : [element('path', { class: 'background', d: hollow }), element('path', { class: 'median', d: hollow })]),
      verticalLabels(area, yTicks, axis.title, width),
      horizontalLabels(
        area,
        xTicks.map((lead) => ({ at: lead, label: String(lead) })),
        `Lead (complete ${axis.unit || 'units'} before the window)`,
      ),
    ],
    height: area.bottom + LABEL_ROW + TITLE_ROW,
  };
}

/** What the marks of scores by lead are. */
function leadLegend(
  { isSkill, against }: LeadAxis,
  { confidence, hasReference, isTested }: { confidence: number | undefined; hasReference: boolean; isTested: boolean },
): LegendEntry[] {
  const line = (name: string) => (x: number, y: number) =>
    element('path', { class: name, d: `M${rounded(x)},${y}h${SAMPLE}` });
  const dotted = (x: number, y: number) =>
    line('median')(x, y) + element('path', { class: 'wet-above', d: disc(x + SAMPLE / 2, y, 3.5) });
  return [
    { label: isSkill ? (isTested ? 'skill, significant' : 'skill') : 'forecast', sample: dotted },
    ...(isTested
      ? [
          {
            label: 'skill, not significant',
            sample: (x: number, y: number) => {
              const d = disc(x + SAMPLE / 2, y, 3.5);
              return (
                line('median')(x, y) +
                element('path', { class: 'background', d }) +
                element('path', { class: 'median', d })
              );
            },
          },
        ]
      : []),
    ...(isSkill ? [{ label: `0: no better than ${against}`, sample: line('axis') }] : []),
    ...(!isSkill && hasReference ? [{ label: against, sample: line('mean') }] : []),
    ...(confidence === undefined
      ? []
      : [
          {
            label: `${Number((100 * confidence).toFixed(2))} % interval`,
            sample: (x: number, y: number) =>
              element('rect', { class: 'shade0', x, y: y - 5, width: SAMPLE, height: 10 }),
          },
        ]),
  ];
}

/** A score, or its skill, by lead: a panel for each combination of the other labels. */
export function leadFigure(data: FigureContent): Figure {
  const { groups, about, score, confidence, verification } = data;
  if (groups.some(({ labels }) => typeof labels.lead !== 'number')) {
    const received = Object.keys(groups[0].labels).join(', ') || 'none';
    throw new OptionError({
      subject: 'by',
      problem: 'lead is missing, by which scores are shown',
      received,
      allowed: 'lead',
    });
  }
  const { of, isSkill } = shownScore(data);
  const series = new Map<string, { labels: GroupLabels; groups: GroupScores[] }>();
  for (const group of groups) {
    const { lead: _, ...labels } = group.labels;
    const key = JSON.stringify(labels);
    const own = series.get(key) ?? { labels, groups: [] };
    own.groups.push(group);
    series.set(key, own);
  }
  const shown = (group: GroupScores) =>
    isSkill ? scoreOf(group, `${score}_skill`, of, 'skill') : scoreOf(group, score, of);
  const isTested = isSkill && confidence !== undefined;
  const significant = isTested ? significantOf(groups.map((group) => shown(group)?.pValue ?? Number.NaN)) : undefined;
  const scoresOf = (own: readonly GroupScores[]) =>
    own
      .map((group): LeadScore => {
        const { value, low = Number.NaN, high = Number.NaN } = shown(group) ?? { value: Number.NaN };
        const reference = isSkill ? Number.NaN : (scoreOf(group, score, of, 'reference')?.value ?? Number.NaN);
        const at = groups.indexOf(group);
        return { lead: group.labels.lead as number, value, low, high, reference, isSignificant: significant?.[at] };
      })
      .sort((a, b) => a.lead - b.lead);
  const all = scoresOf(groups);
  const against = referenceWords(about) ?? 'the reference';
  const words = scoreWords(score, of === undefined || score === 'quantile_score' ? of : nameOf(of, data));
  const units = isSkill ? '' : scoreUnits(score, unitsOf(about));
  const axis: LeadAxis = {
    ...{ isSkill, against, unit: `${about.lead_unit ?? ''}`, extent: extentOfScores(all, isSkill) },
    title: isSkill ? 'Skill: 1 is perfect' : `${capital(words)}${units === '' ? '' : ` (${units})`}`,
  };
  const panels = [...series.values()].map(({ labels, groups: own }): FigurePanel => {
    const scores = scoresOf(own);
    const counts = own.map(({ cases }) => cases);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return {
      heading: labelWords(labels, about),
      facts: [
        least === most ? `${counted(most, 'case')} at each lead` : `${least} to ${counted(most, 'case')} at each lead`,
      ],
      draw: (width) => drawLeads(scores, axis, width),
    };
  });
  const isCut = isSkill && all.some(({ value }) => value < LEAST_SKILL);
  return {
    title: data.title || `${isSkill ? `Skill of the ${words}` : capital(words)} by lead: ${subjectWords(about)}`,
    subject: subjectOf(data, verification.hasReference === true),
    panels,
    legend: leadLegend(axis, { confidence, hasReference: verification.hasReference === true, isTested }),
    notes: [
      ...(isSkill ? [`Skill is 1 − score / score of ${against}.`] : []),
      ...(isTested ? [SIGNIFICANT_LEADS] : []),
      ...intervalNote(data),
      ...(isCut ? [`Skill below ${shortNumber(LEAST_SKILL)} is not shown.`] : []),
      CREDIT,
    ],
    description: `${capital(words)}${isSkill ? ', skill' : ''} by lead: ${all
      .map(({ lead, value }) => `${lead}: ${shortNumber(value)}`)
      .join(', ')}.`,
  };
}
