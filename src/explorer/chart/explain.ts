import type { Timeline } from '../../blend/blend.js';
import type { Seam } from '../../plot/panel-data.js';
import { shortPeriod, windowNoun } from '../../plot/period-words.js';
import {
  categoriesSentence,
  percentText,
  valuesText,
  type WindowTexts,
  windowSentence,
} from '../../plot/window-words.js';
import type { Threshold } from '../../statistics/options.js';
import type { WindowSkill } from '../data/window-skill.js';
import { type Shown, shownLimit } from '../view/units.js';
import type { WindowChoice } from '../view/window-choice.js';
import type { SeriesResults } from './series-statistics.js';
import type { ShownPanel } from './shown-panel.js';
import { skillSentence } from './skill-marks.js';

/** What words about a chart are made from. */
export interface Explained extends Omit<ShownPanel, 'results'> {
  /** The windows are undefined for time steps. */
  readonly results: Pick<SeriesResults, 'table'> & Partial<Pick<SeriesResults, 'windows'>>;
  readonly shown: Shown;
  readonly decimals: number;
  readonly choice: WindowChoice;
  readonly timeline?: Timeline;
  readonly threshold?: Threshold;
  /** How good earlier forecasts of each window were; undefined where it is not known. */
  readonly skill?: readonly (WindowSkill | undefined)[];
}

/** What is known of a window, in sentences. */
export function explainWindow(explained: Explained, i: number): string {
  const { panel, chance, shown, decimals, threshold } = explained;
  const [statistics] = panel.statistics;
  const texts = { calendar: panel.texts.calendar, units: shown.label, decimals, key: explained.keys?.[i] };
  const sentences = [windowSentence(statistics, i, texts)];
  if (threshold) {
    sentences.push(`${percentText(chance?.[i])} of members ${ofMembers(explained, threshold)}.`);
  }
  const categories = categoriesSentence(statistics, i);
  if (categories !== undefined) sentences.push(categories);
  const earlier = earlierSentence(panel, i, texts);
  if (earlier !== undefined) sentences.push(earlier);
  if (explained.skill) sentences.push(skillSentence(explained.skill[i]));
  sentences.push(membersSentence(explained, i));
  return sentences.join(' ');
}

/** What an earlier run has in a window; undefined where it does not have it. */
function earlierSentence({ earlier, statistics }: Explained['panel'], i: number, texts: WindowTexts) {
  const [{ start, end }] = statistics;
  const at = earlier?.start.findIndex((day, w) => day === start[i] && earlier.end[w] === end[i]) ?? -1;
  return earlier && at >= 0 ? `Earlier run: ${valuesText(earlier, at, texts)}.` : undefined;
}

/** `more than 20 mm`. */
function thresholdWords({ operator, limit }: Threshold, shown: Shown): string {
  const words = { '>': 'above', '>=': 'at or above', '<': 'below', '<=': 'at or below' }[operator];
  return `${words} ${shownLimit(limit, shown)}${shown.label === '' ? '' : ` ${shown.label}`}`;
}

/** What a threshold is of: `weekly sum above 20 mm`; of days `above 20 mm`. */
export function conditionWords({ panel, shown }: Pick<Explained, 'panel' | 'shown'>, threshold: Threshold): string {
  return [...windowValue(panel), thresholdWords(threshold, shown)].join(' ');
}

/** The same of members: `with a weekly sum above 20 mm`. */
export function ofMembers({ panel, shown }: Pick<Explained, 'panel' | 'shown'>, threshold: Threshold): string {
  const value = windowValue(panel);
  return [...(value.length > 0 ? ['with a'] : []), ...value, thresholdWords(threshold, shown)].join(' ');
}

/** What the value of a window is, `weekly sum`; nothing for days. */
function windowValue({ statistics: [first], texts: { window = '' } }: Explained['panel']): string[] {
  if (first === undefined || first.granularity === 'daily') return [];
  const value = VALUES[window] ?? window.replace(/^(days|spells) /, 'number of $1 ');
  const { granularity } = first;
  return [/^(week|month)ly$/.test(granularity) ? `${granularity} ${value}` : `${value} of ${windowNoun(granularity)}`];
}

/** A window with its key. */
function namedWindow({ panel, keys }: Pick<Explained, 'panel' | 'keys'>, i: number) {
  const { granularity, start, end } = panel.statistics[0];
  return { granularity, start: start[i], end: end[i], calendar: panel.texts.calendar, key: keys?.[i] };
}

const VALUES: Readonly<Record<string, string>> = {
  ...{ sum: 'sum', mean: 'mean', min: 'minimum', max: 'maximum', count: 'count' },
  ...{ first: 'first value', last: 'last value', range: 'range', '': 'value' },
};

/** The greatest and the least chance over all windows, in a sentence. */
export function explainChance(explained: Explained): string {
  const { panel, chance: shares, shown, threshold } = explained;
  if (shares === undefined || threshold === undefined) return '';
  const known = [...shares.keys()].filter((i) => !Number.isNaN(shares[i]));
  if (known.length === 0) return '';
  const named = (i: number) => shortPeriod(namedWindow(explained, i));
  const most = known.reduce((best, i) => (shares[i] > shares[best] ? i : best));
  const least = known.reduce((best, i) => (shares[i] < shares[best] ? i : best));
  const words = capital(conditionWords({ panel, shown }, threshold));
  if (shares[most] === shares[least]) return `${words}: ${percentText(shares[most])} of members in every window.`;
  const highest = `highest ${percentText(shares[most])} ${named(most)}`;
  return `${words}: ${highest}, lowest ${percentText(shares[least])} ${named(least)}.`;
}

/** The members behind the values of a window: how many, of how many days, and from which horizons. */
function membersSentence({ panel, timeline, results }: Explained, i: number): string {
  const members = panel.members?.values ?? [];
  const valid = members.flatMap((values, m) => (Number.isNaN(values[i]) ? [] : [m]));
  const count = valid.length === members.length ? `${members.length}` : `${valid.length} of ${members.length}`;
  const { start, end } = panel.statistics[0];
  const all = end[i] - start[i] + 1;
  const days = panel.statistics[0].days?.[i] ?? all;
  const parts = [`${count} ${members.length === 1 ? 'member' : 'members'}`];
  if (days < all) parts.push([`${days} of ${all} days`, ...spanWithin(results, i, days)].join(', '));
  else if (days > 1) parts.push(`${days} days each`);
  if (timeline) parts.push(...horizonParts(timeline, valid, start[i], end[i]));
  else if (panel.seams.length > 0) parts.push(...horizonNames(panel.seams, start[i], end[i]));
  return `${parts.join(', ')}.`;
}

/** The days of a window that the data have, where they are in one piece: `from 5 to 8 March 2026`. */
function spanWithin({ windows }: Explained['results'], i: number, days: number): string[] {
  if (windows === undefined || windows.days[i] !== days) return [];
  const start = windows.firstDay + windows.first[i];
  const granularity = days === 1 ? 'daily' : 'days';
  return [shortPeriod({ granularity, start, end: start + days - 1, calendar: windows.calendar })];
}

/** How many members come from each horizon in a window, and how many change from one to the next within it. */
function horizonParts({ pairing, horizons }: Timeline, members: readonly number[], first: number, last: number) {
  const horizonOn = (m: number, day: number) =>
    pairing.seams.filter(({ switchDay }) => switchDay[m] <= day - pairing.firstDay).length;
  return horizons.flatMap((from, h) =>
    horizons.slice(h).flatMap((to) => {
      const later = horizons.indexOf(to);
      const count = members.filter((m) => horizonOn(m, first) === h && horizonOn(m, last) === later).length;
      if (count === 0) return [];
      return `${count} ${from === to ? `from ${from.name}` : `changing from ${from.name} to ${to.name}`}`;
    }),
  );
}

/** The horizons of a window, of a timeline that others have blended. */
function horizonNames(seams: readonly Seam[], first: number, last: number): string[] {
  const horizons = [seams[0].earlier, ...seams.map(({ later }) => later)];
  const names = horizons.filter((_, h) => {
    const [from, to] = [seams[h - 1]?.handOver ?? first, (seams[h]?.complete ?? Number.POSITIVE_INFINITY) - 1];
    return from <= last && to >= first;
  });
  return names.length === 0 ? [] : [`from ${LIST.format(names)}`];
}

const LIST = new Intl.ListFormat('en-GB');

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
