import { readAnyWindowTexts } from '../../input/window-texts.js';
import type { Granularity } from '../../period/period.js';
import type { Windows } from '../../period/windows.js';
import type { WindowMeasure } from '../../statistics/window-value.js';
import type { WindowRule } from '../../variable/variable.js';

/** The windows of a chart, and what they hold. */
export interface WindowChoice {
  readonly granularity: Granularity | Windows;
  readonly partial: boolean;
  /** Absent for the variable's own rule. */
  readonly window?: WindowRule | WindowMeasure;
}

const known = new Map<string, WindowChoice>();

/** The windows that texts say, the same object for the same texts. Throws OptionError for a text that says none. */
export function windowChoice(windows: string, partial: boolean, hold?: string): WindowChoice {
  const key = JSON.stringify([windows, partial, hold]);
  const earlier = known.get(key);
  if (earlier !== undefined) return earlier;
  const texts = {
    granularity: windows as Granularity,
    partial,
    ...(hold !== undefined && { window: hold as WindowRule }),
  };
  const choice = readAnyWindowTexts(texts);
  known.set(key, choice);
  return choice;
}

/** More days than these are shown by week at first. */
const MAX_DAILY = 45;

/** The windows that are shown where the reader has not chosen any: weeks where there are many days. */
export function usualWindows(days: number, hasWeeks: boolean): string {
  return days > MAX_DAILY && hasWeeks ? 'weekly' : 'daily';
}
