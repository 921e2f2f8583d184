import type { InspectedVariable } from './inspection.js';

/** From so many days on, a single series is taken for a history. */
const HISTORY_DAYS = 3650;

/**
 * A command that computes something of a variable of a file: weekly statistics where there are whole weeks, or what is normal where it
 * is a history. `more` are further options that it takes.
 */
export function commandFor(
  source: string,
  { variable, members, days, windows }: InspectedVariable,
  more: readonly string[],
): string {
  const isHistory = members?.count === 1 && (days?.whole ?? 0) >= HISTORY_DAYS;
  // Of an unknown variable nothing tells how days make up a week.
  const granularity = variable !== undefined && (windows?.weekly ?? 1) > 0 ? 'weekly' : 'daily';
  const words = ['plumecast', isHistory ? 'climatology' : 'stats', source];
  if (variable !== undefined) words.push('--variable', variable);
  return [...words, ...more, '--granularity', granularity].map(quoted).join(' ');
}

/** A word as a shell takes it for one. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
