import { dateText } from '../period/calendar.js';
import type { PanelData, Windows } from './panel-data.js';
import { element, escapeText, rounded } from './svg.js';
import { FONT, textWidth } from './text-size.js';

/** A window that does not have all its days. */
interface PartialWindow {
  /** Its place among the windows. */
  readonly window: number;
  /** `4 of 7 days`. */
  readonly text: string;
}

/** The windows of a panel that do not have all their days. */
function partialWindows({ start, end, days }: Windows): PartialWindow[] {
  return Array.from(days ?? [], (found, window) => {
    const all = end[window] - start[window] + 1;
    return found < all ? [{ window, text: `${found} of ${all} days` }] : [];
  }).flat();
}

/** The windows of a panel: of its statistics, else of its members. */
function windowsOf({ statistics, members }: PanelData): Windows | undefined {
  return [...statistics, ...(members ? [members] : [])].find(({ days }) => days !== undefined);
}

/** The first and the last day that the windows of a panel have values of; the panel's own where that is not known. */
function spanOfDays(panel: PanelData): readonly [number, number] {
  const { firstDay, lastDay } = panel;
  const windows = windowsOf(panel);
  const last = (windows?.start.length ?? 0) - 1;
  // Of a single window it is not known which days are missing.
  if (windows?.days === undefined || last < 1) return [firstDay, lastDay];
  const { start, end, days } = windows;
  const missing = (i: number) => end[i] - start[i] + 1 - days[i];
  return [
    start[0] === firstDay ? firstDay + missing(0) : firstDay,
    end[last] === lastDay ? lastDay - missing(last) : lastDay,
  ];
}

/** The days that a panel shows. */
export function spanText(panel: PanelData): string {
  return spanOfDays(panel)
    .map((day) => dateText(panel.texts.calendar, day))
    .join(' to ');
}

/** The windows that do not have all their days: `4 of 7 days from 2026-03-02`. */
export function partialTexts(panel: PanelData): string[] {
  const windows = windowsOf(panel);
  if (windows === undefined) return [];
  return partialWindows(windows).map(
    ({ window, text }) => `${text} from ${dateText(panel.texts.calendar, windows.start[window])}`,
  );
}

/** Where texts are in a panel, in pixels. */
interface TextFrame {
  readonly left: number;
  readonly right: number;
  /** The pixel of the beginning of a day. */
  readonly x: (day: number) => number;
  /** The first panel has the names of horizons above. */
  readonly isFirst: boolean;
}

/**
 * Draws how many days windows have that do not have all of theirs, at the top of a panel, below the names of horizons;
 * each where it fits.
 */
export function drawPartial(panel: PanelData, { x, left, right, isFirst }: TextFrame): string[] {
  const windows = windowsOf(panel);
  if (windows === undefined) return [];
  const top = panel.seams.length > 0 && isFirst ? 2 * ROW : ROW;
  let free = left;
  return partialWindows(windows).flatMap(({ window, text }) => {
    const width = textWidth(text, FONT.small);
    const middle = (x(windows.start[window]) + x(windows.end[window] + 1)) / 2;
    const begin = Math.min(Math.max(middle - width / 2, left + GAP), right - width - GAP);
    if (begin < free) return [];
    free = begin + width + GAP;
    const place = { class: 'soft partial', x: rounded(begin), y: top, 'font-size': FONT.small };
    return [element('text', place, escapeText(text))];
  });
}

/** Pixels between texts, and of a row of them. */
const [GAP, ROW] = [4, 13];
