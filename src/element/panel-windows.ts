import { numberText } from '../plot/number-text.js';
import { middles, type PanelData, type Windows } from '../plot/panel-data.js';
import { panelLabel } from '../plot/panel-texts.js';
import { periodWords } from '../plot/period-words.js';
import { categoriesSentence, windowSentence } from '../plot/window-words.js';
import { variableByName } from '../variable/find-variable.js';

/** The decimals of a value of a variable that is not known. */
const DECIMALS = 2;

/** The windows that a panel shows. */
export function windowsOf({ statistics, members }: PanelData): Windows | undefined {
  return statistics[0] ?? members;
}

/** The number of decimals of values of a panel. */
export function decimalsOf({ texts }: PanelData): number {
  return variableByName(texts.variable ?? '')?.decimals ?? DECIMALS;
}

/** The window whose middle is nearest to a day; -1 where there is none. */
export function nearestWindow(windows: Windows, day: number): number {
  let nearest = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (const [i, middle] of middles(windows).entries()) {
    const away = Math.abs(middle - day);
    if (away < distance) [nearest, distance] = [i, away];
  }
  return nearest;
}

/** What a panel says of the window at a day, in sentences; undefined where it has none there. */
export function wordsAt(panel: PanelData, day: number, isAlone: boolean): string | undefined {
  const windows = windowsOf(panel);
  const i = windows === undefined ? -1 : nearestWindow(windows, day);
  if (windows === undefined || i < 0 || day < windows.start[i] || day > windows.end[i] + 1) return undefined;
  const name = isAlone ? '' : `${panelLabel(panel).split(',')[0]}. `;
  const [statistics] = panel.statistics;
  const { units, calendar } = panel.texts;
  if (statistics === undefined) return `${name}${membersSentence(panel, i)}`;
  const sentence = windowSentence(statistics, i, { units, calendar, decimals: decimalsOf(panel) });
  return [`${name}${sentence}`, categoriesSentence(statistics, i)].filter(Boolean).join(' ');
}

/** The range of members without statistics. */
function membersSentence({ members, texts, ...panel }: PanelData, i: number): string {
  const known = (members?.values ?? []).flatMap((values) => (Number.isNaN(values[i]) ? [] : [values[i]]));
  const { granularity = 'daily', start, end } = members ?? {};
  const period = periodWords({ granularity, start: start?.[i] ?? 0, end: end?.[i] ?? 0, calendar: texts.calendar });
  const named = `${period.charAt(0).toUpperCase()}${period.slice(1)}`;
  if (known.length === 0) return `${named}: missing.`;
  const decimals = decimalsOf({ texts, ...panel });
  const [low, high] = [Math.min(...known), Math.max(...known)].map((value) => numberText(value, decimals));
  const unit = texts.units === undefined ? '' : ` ${texts.units}`;
  return `${named}: ${known.length === 1 ? `${low}${unit}` : `${known.length} members from ${low} to ${high}${unit}`}.`;
}
