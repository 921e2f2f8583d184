import { mentionOption } from '../../errors.js';

/** The longest leads of what may be an analysis, in seconds. */
const MAX_ANALYSIS_LEAD = 24 * 3600;

/**
 * Whether runs, given by the times of each by its start, are an analysis: each has the same few leads, of the first and the last run perhaps a part, and most of
 * them begin where the one before ends. Analyses that have one lead may have any gaps.
 * Undefined where they are none; with a notice where their values are of forecasts.
 */
export function findAnalysis(
  times: ReadonlyMap<number, ReadonlySet<number>>,
): { readonly notice?: string } | undefined {
  const runs = [...times].sort(([a], [b]) => a - b);
  const leads = runs.map(([reference, ends]) => [...ends].map((end) => end - reference).sort((a, b) => a - b));
  const longest = leads.reduce((most, each) => (each.length > most.length ? each : most));
  const [first, last] = [longest[0], longest[longest.length - 1]];
  const areSame = leads.every(
    (each, run) =>
      each.every((lead) => longest.includes(lead)) &&
      (each.length === longest.length || run === 0 || run === leads.length - 1),
  );
  if (!areSame || last > MAX_ANALYSIS_LEAD) return undefined;
  if (longest.length === 1 && last <= 0) return {};
  const step = longest.length > 1 ? longest[1] - first : 0;
  const follow = runs.filter(([reference], run) => run > 0 && reference - runs[run - 1][0] <= last - first + step);
  if (longest.length > 1 && follow.length < (runs.length - 1) / 2) return undefined;
  const range = [...new Set([first, last])].map((lead) => `${lead / 3600}`).join(' to ');
  const notice = `${runs.length} runs with the same leads (${range} h) are taken as one series, an analysis; one of them by ${mentionOption('init')}`;
  return { notice };
}
