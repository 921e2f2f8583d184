import type { WindowTable } from '../../period/period.js';
import type { WindowChoice } from '../view/window-choice.js';

const PLURALS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  ...{ weekly: ['week', 'weeks'], monthly: ['month', 'months'], seasons: ['season', 'seasons'] },
  ...{ dekads: ['dekad', 'dekads'], years: ['year', 'years'] },
};

/** The most windows that are named. */
const MAX_NAMED = 3;

/**
 * The days and windows that a chart leaves out because windows are not complete, in a sentence: `137 days have 19
 * complete weeks; 4 days at the ends are in none.` Empty where nothing is left out.
 */
export function explainLeftOut(windows: WindowTable, { granularity, partial }: WindowChoice): string {
  if (partial || granularity === 'daily') return '';
  const { firstDay, lastDay, count, first, days } = windows;
  const all = lastDay - firstDay + 1;
  const keys = typeof granularity === 'string' ? undefined : granularity.keys;
  const absent = keys?.filter((key) => !windows.keys?.includes(key)) ?? [];
  if (absent.length > 0) {
    const named = absent.slice(0, MAX_NAMED).join(', ') + (absent.length > MAX_NAMED ? ', …' : '');
    return `Left out, because the ${all} days do not have all of ${absent.length === 1 ? 'it' : 'them'}: ${named}.`;
  }
  if (keys !== undefined) return '';
  let [unused, end] = [all, 0];
  for (let w = 0; w < count; w++) {
    unused -= Math.max(0, first[w] + days[w] - Math.max(end, first[w]));
    end = Math.max(end, first[w] + days[w]);
  }
  if (unused === 0) return '';
  const [one, many] = PLURALS[`${granularity}`] ?? ['window', 'windows'];
  const found = `${all} days have ${count === 0 ? 'no' : count} complete ${count === 1 ? one : many}`;
  return `${found}; ${unused} ${unused === 1 ? 'day is' : 'days are'} in none.`;
}
