import { version } from '../../../package.json';
import { OptionError } from '../../errors.js';
import { falseDiscoveries } from '../../skill/false-discovery.js';
import type { StateAbout } from '../../skill/state.js';
import type { Verification } from '../../skill/verification.js';
import type { GroupScores, Score } from '../../skill/verification-scores.js';
import { FALSE_DISCOVERY_RATE } from '../../skill/verification-table.js';
import type { FigurePanel } from './figure-layout.js';
import { blockWords, counted, eventWords, leadsWords, referenceWords, shortNumber } from './figure-texts.js';

/** What figures are drawn of. */
export interface FigureContent {
  readonly verification: Verification;
  readonly about: StateAbout;
  readonly groups: readonly GroupScores[];
  readonly events: readonly string[] | undefined;
  readonly score: string;
  readonly confidence: number | undefined;
  readonly title: string;
}

/** The lines below a title: what it is of, and the cases. */
export function subjectOf({ verification, about, groups }: FigureContent, hasReference: boolean): string[] {
  const leads = new Set(verification.groups.flatMap(({ labels }) => labels.lead ?? []));
  const cases = groups.reduce((sum, group) => sum + group.cases, 0);
  const missing = groups.reduce((sum, group) => sum + group.missing, 0);
  const reference = hasReference ? referenceWords(about) : undefined;
  return [
    ...[leadsWords([...leads].map(Number), about)].filter((text) => text !== undefined),
    counted(cases, 'case'),
    ...(missing > 0 ? [`${counted(missing, 'case')} missing`] : []),
    ...[blockWords(Math.max(...groups.map(({ blocks }) => blocks)), about)].filter(Boolean),
    ...(reference === undefined ? [] : [`against ${reference}`]),
  ];
}

/** What made a figure. */
export const CREDIT = `plumecast ${version}`;
/** What ranges are of. */
export const INDEPENDENT =
  'Ranges are of cases that are independent of each other; neighbouring days and places are not.';

/** An event in words. */
export function nameOf(event: string, { about, verification }: FigureContent): string {
  return eventWords(event, { about, categories: verification.options.categories });
}

/** The events of a group that are shown. Throws OptionError for ones that it does not have. */
export function shownEvents({ events }: GroupScores, data: FigureContent): GroupScores['events'] {
  const known = events.map(({ event }) => event);
  if (known.length === 0) {
    throw new OptionError({
      ...{ subject: 'figure', problem: 'is of events, and the verification has none' },
      allowed: 'a verification with conditions or categories',
    });
  }
  const unknown = data.events?.find((event) => !known.includes(event));
  if (unknown !== undefined)
    throw new OptionError({ subject: 'events', problem: 'is not in it', received: unknown, allowed: known.join(', ') });
  return data.events === undefined ? events : events.filter(({ event }) => data.events?.includes(event));
}

/** A score of a group; undefined where it has none. */
export function scoreOf(
  { scores }: GroupScores,
  name: string,
  event?: string,
  forecast: Score['forecast'] = 'forecast',
) {
  return scores.find((one) => one.score === name && one.of === event && one.forecast === forecast);
}

/** A score with its interval: `Brier skill 0.12 (0.03 to 0.2)`. */
export function scoreFact(name: string, score: Score | undefined): string[] {
  if (score === undefined) return [];
  const { value, low, high } = score;
  const hasInterval = low !== undefined && high !== undefined && !Number.isNaN(low);
  return [`${name} ${shortNumber(value)}${hasInterval ? ` (${shortNumber(low)} to ${shortNumber(high)})` : ''}`];
}

/** How intervals were made. */
export function intervalNote({ confidence, about, groups }: FigureContent): string[] {
  if (confidence === undefined) return [];
  const blocks = Math.max(...groups.map((group) => group.blocks));
  return [
    `Intervals of ${Number((100 * confidence).toFixed(2))} % by the block bootstrap, ${blockWords(blocks, about)}.`,
  ];
}

/** The score that a figure shows, and its event. Throws OptionError for scores that there are not. */
export function shownScore({ groups, score, events }: FigureContent): {
  readonly of: string | undefined;
  readonly isSkill: boolean;
} {
  const all = groups.flatMap(({ scores }) => scores);
  const found = all.filter((one) => one.score === score && one.forecast === 'forecast');
  if (found.length === 0) {
    const allowed = [...new Set(all.filter(({ forecast }) => forecast === 'forecast').map((one) => one.score))].join(
      ', ',
    );
    throw new OptionError({ subject: 'score', problem: 'is not in it', received: score, allowed });
  }
  const known = [...new Set(found.map(({ of }) => of))];
  const isSkill = all.some((one) => one.score === `${score}_skill`);
  if (known.length === 1 && known[0] === undefined) return { of: undefined, isSkill };
  const chosen = events ?? (known.length === 1 ? known : []);
  if (chosen.length === 1 && known.includes(chosen[0])) return { of: chosen[0], isSkill };
  throw new OptionError({
    ...{ subject: 'events', problem: `choose one, of which ${score} is shown`, received: events?.join(', ') },
    allowed: known.join(', '),
  });
}

/** Which of many tests are significant. */
export function significantOf(pValues: readonly number[]): boolean[] {
  return falseDiscoveries(pValues, FALSE_DISCOVERY_RATE);
}

/** What significance among all leads is. */
export const SIGNIFICANT_LEADS = `Significant among all leads: at most ${100 * FALSE_DISCOVERY_RATE} % of these are expected to be by chance.`;
/** What dots of significance among all places are. */
export const SIGNIFICANT_DOTS = `dots: significant (at most ${100 * FALSE_DISCOVERY_RATE} % of them by chance)`;

/** A text that begins with a capital. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What panels show, for those who do not see them. */
export function describe(what: string, panels: readonly FigurePanel[]): string {
  return panels
    .map(
      ({ heading, facts }) => `${what}${heading && `, ${heading}`}${facts.length > 0 ? `: ${facts.join('; ')}` : ''}.`,
    )
    .join(' ');
}
