import {
  assertKind,
  assertKnownKeys,
  assertShape,
  type Checked,
  type Choice,
  checkValues,
  type OptionSchema,
} from '../../check/option-checks.js';
import { DataError, OptionError, unusable } from '../../errors.js';
import { assertAbout, type StateAbout } from '../../skill/state.js';
import { assertVerification, type Verification } from '../../skill/verification.js';
import { eachGroupScores, type GroupScores, SCORES_KEYS, type ScoresOptions } from '../../skill/verification-scores.js';
import { weatherMap } from '../map/map.js';
import { type Coastlines, checkCoastlines } from '../map/topojson.js';
import { checkPixels } from '../picture.js';
import { PLOT_THEMES, type PlotTheme } from '../theme.js';
import type { FigureContent } from './figure-content.js';
import { drawFigure, type Figure, type PanelWidths } from './figure-layout.js';
import { VERIFICATION_FIGURES } from './figure-names.js';
import { subjectWords } from './figure-texts.js';
import { leadFigure } from './leads.js';
import { ranksFigure } from './ranks.js';
import { reliabilityFigure } from './reliability.js';
import { rocFigure } from './roc.js';
import { skillField } from './skill-map.js';

/** How a figure of a verification is made, and how it looks. */
export interface FigureOptions extends ScoresOptions {
  /**
   * Reliability diagrams with sharpness; rank histograms; ROC curves; a score by lead; or a map of skill. Default `reliability`.
   */
  figure?: Choice<(typeof VERIFICATION_FIGURES)[number]>;
  /** Names of the events that reliability diagrams and ROC curves show, such as `above` or `>20`. Default: all. */
  events?: readonly string[];
  /** The score of figures by lead and of maps: its skill, where it has one. Default `crps`. */
  score?: string;
  /** The width in pixels, 240 to 10,000. Default 840. */
  width?: number;
  /** Default `auto`: dark where the reader's system is dark. */
  theme?: Choice<PlotTheme>;
  /** A line above the picture. Default: what the figure shows. */
  title?: string;
  /** Of maps: finer coastlines, or `none`. Default: Natural Earth's for 1:110 million. */
  coastlines?: Coastlines | Choice<'none'>;
}

/** The options of figures beside the ones of scores, which `verificationScores` checks. */
const FIGURE_OPTIONS = /* @__PURE__ */ (() =>
  ({
    figure: { choices: VERIFICATION_FIGURES, default: 'reliability' },
    events: { check: checkEvents },
    score: { type: 'text', default: 'crps' },
    width: { check: checkPixels('width', 240, 10_000), default: 840 },
    theme: { choices: PLOT_THEMES, default: 'auto' },
    title: { type: 'text', default: '' },
    coastlines: {
      check: (given: Coastlines | string): Coastlines | 'none' => (given === 'none' ? given : checkCoastlines(given)),
    },
  }) satisfies OptionSchema<LookOptions>)();

type LookOptions = Omit<FigureOptions, keyof ScoresOptions>;
type CheckedLook = Checked<LookOptions, typeof FIGURE_OPTIONS>;

function checkEvents(events: unknown): void {
  const areTexts = Array.isArray(events) && events.length > 0 && events.every((event) => typeof event === 'string');
  if (!areTexts) throw unusable('events', events, 'a list of names of events, such as above or >20');
}

/** A verification, and what it is of: a result of `verify`, or a state that was read. */
export interface FigureData {
  readonly verification: Verification;
  readonly about: StateAbout;
}

/** More panels are no figure that is read. */
const MAX_PANELS = 24;

const SQUARE: PanelWidths = { least: 236, most: 440 };
const WIDE: PanelWidths = { least: 300, most: 10_000 };

/**
 * Draws a figure of a verification, or of several as panels, as SVG, from their sums alone. Reliability diagrams, ROC curves and rank histograms are of all
 * cases together, or a panel for each combination of the labels `by`; scores by lead have a panel for each combination of the
 * others. With `confidence`, scores by lead have intervals and maps have dots, where skill is significant among all leads or
 * places, so that at most a tenth of these is expected to be by chance. The same input gives the same text.
 *
 * Throws OptionError for options, for events and scores that the verification does not have, and for more than 24 panels, and
 * DataError for a verification without cases, and as `verificationScores` does.
 */
export function verificationFigure(verified: FigureData | readonly FigureData[], options: FigureOptions = {}): string {
  const all: readonly FigureData[] = Array.isArray(verified) ? verified : [verified as FigureData];
  if (all.length === 0) throw unusable('verified', verified, 'at least one verification');
  const own = ['figure', 'events', 'score', 'width', 'theme', 'title', 'coastlines'];
  assertKnownKeys(options, [...own, ...SCORES_KEYS]);
  const { by, confidence, samples, seed, ...looks } = options;
  const look = checkValues<LookOptions, typeof FIGURE_OPTIONS>(looks, FIGURE_OPTIONS);
  const { figure, width, theme, title, coastlines } = look;
  const contents = all.map((each) => contentOf(each, look, { by, confidence, samples, seed }));
  if (figure === 'map') {
    if (contents.length > 1)
      throw unusable('verified', `${contents.length} verifications`, 'one verification for a map');
    const field = skillField(contents[0]);
    return weatherMap(field, { width, theme, title, ...(coastlines !== undefined && { coastlines }) });
  }
  const made = joined(contents, MAKERS[figure as keyof typeof MAKERS]);
  if (made.panels.length > MAX_PANELS) {
    throw new OptionError({
      ...{ subject: 'by', problem: `gives ${made.panels.length} panels`, received: (by ?? []).join(',') },
      allowed: `at most ${MAX_PANELS}: fewer labels, or fewer events`,
    });
  }
  return drawFigure(made, { width, theme, ...(figure === 'skill' || figure === 'ranks' ? WIDE : SQUARE) });
}

const MAKERS = { reliability: reliabilityFigure, ranks: ranksFigure, roc: rocFigure, skill: leadFigure };

/** What a figure shows of one verification. */
function contentOf(verified: FigureData, look: CheckedLook, scores: ScoresOptions): FigureContent {
  assertShape('verified', verified, { verification: 'object', about: 'object' });
  const { verification, about } = verified;
  assertAbout('verified.about', about);
  assertVerification(verification);
  const places = placeLabels(verification);
  const usual = { reliability: [], ranks: [], roc: [], skill: undefined, map: places }[look.figure];
  assertKind('by', scores.by, 'texts?');
  const by = scores.by?.flatMap((label) => (label === 'place' ? places : [label])) ?? usual;
  const given = Object.entries({ ...scores, by }).filter(([, value]) => value !== undefined);
  const groups: GroupScores[] = [];
  for (const group of eachGroupScores(verification, Object.fromEntries(given))) {
    if (group.cases > 0)
      groups.push(look.figure === 'map' && groups.length > 0 ? scoreAlone(group, look.score) : group);
  }
  if (groups.length === 0)
    throw new DataError({ source: 'verification', problem: 'has no cases, and nothing to draw' });
  const { events, score, title } = look;
  return { verification, about, groups, events, score, confidence: scores.confidence, title };
}

/** A group of many with the score that a map shows, and without what it does not, which takes much memory. */
function scoreAlone(group: GroupScores, score: string): GroupScores {
  const scores = group.scores.filter((one) => one.score === score || one.score === `${score}_skill`);
  return { ...group, scores, events: [], ranks: [] };
}

/** The panels of all verifications as one figure, each with what its own is of. */
function joined(contents: readonly FigureContent[], make: (content: FigureContent) => Figure): Figure {
  if (contents.length === 1) return make(contents[0]);
  const withoutHorizon = contents.map(({ about: { horizon: _, ...about } }) => subjectWords(about));
  const areOfOne = new Set(withoutHorizon).size === 1;
  const figures = contents.map((content) => {
    const { horizon, ...about } = content.about;
    const made = make({ ...content, about });
    const heading = areOfOne && typeof horizon === 'string' ? horizon : subjectWords(content.about);
    const panels = made.panels.map((panel) => ({
      ...panel,
      heading: [heading, panel.heading].filter(Boolean).join(', '),
      facts: [...made.subject, ...panel.facts],
    }));
    return { ...made, panels };
  });
  const [first] = figures;
  return {
    ...first,
    title: first.title.replace(`: ${withoutHorizon[0]}`, areOfOne ? '$&' : ''),
    subject: [],
    panels: figures.flatMap(({ panels }) => panels),
    description: figures.map(({ description }) => description).join(' '),
  };
}

/** The labels of places. */
function placeLabels(verification: Verification): string[] {
  const known = new Set(verification.groups.flatMap(({ labels }) => Object.keys(labels)));
  return ['id', 'latitude', 'longitude'].filter((name) => known.has(name));
}
