import type { CheckedStatisticsOptions } from './options.js';

const COMPLETE: Readonly<Record<string, string>> = {
  daily: 'day',
  weekly: 'complete ISO week',
  monthly: 'complete month',
};

/** What messages call a window of some kind, complete unless it may be `partial`. */
export function windowWords(granularity: CheckedStatisticsOptions['granularity'], partial: boolean): string {
  const text = typeof granularity === 'object' ? granularity.text : granularity;
  const named = partial ? undefined : COMPLETE[text];
  if (named !== undefined) return named;
  const window = partial ? 'window' : 'complete window';
  return partial && text in COMPLETE ? window : `${window} of ${text.startsWith('[') ? listWords(text) : text}`;
}

/** The most windows of a list that a message names. */
const MAX_WINDOWS = 3;

/** The names of a list's first windows, and its days. Commands say the file in place of `the list`. */
function listWords(text: string): string {
  const list: { readonly name: string; readonly start: string; readonly end: string }[] = JSON.parse(text);
  const names = list.slice(0, MAX_WINDOWS).map(({ name }) => name);
  const more = list.length > MAX_WINDOWS ? ` and ${list.length - MAX_WINDOWS} more` : '';
  const [first] = list.map(({ start }) => start).sort();
  const last = list
    .map(({ end }) => end)
    .sort()
    .at(-1);
  return `the list (${names.join(', ')}${more}, within ${first} to ${last})`;
}
