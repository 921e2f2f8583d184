import { DAY_SECONDS } from '../../../period/day.js';
import { utcText } from '../time/time-units.js';
import type { FileContent, Labels } from './file-content.js';
import { hasMembers } from './join-plan.js';

/** Files that are runs, by the gaps between their times, and what is said of it. */
interface RunsByGap {
  readonly runs: readonly (readonly number[])[];
  readonly why: string;
}

/** A gap is no longer than this where some steps of a run are missing, in seconds. */
const MIN_GAP = 7 * DAY_SECONDS;

/**
 * Divides files whose times have a gap longer than a week, and longer than any file: no step of a run that did not come, but
 * the time between two runs, where files do not state theirs. Undefined where there is no such gap, where files state a run,
 * and for single series, such as the winters of a history, unless they are `forecasts`.
 */
export function findGap(contents: readonly FileContent[], areForecasts: boolean): RunsByGap | undefined {
  const spans: Span[] = [];
  for (const [file, content] of contents.entries()) {
    const { axes, single } = content;
    const labels = [...axes.values()];
    const time = labels.find(({ kind }) => kind === 'time');
    const isStated = single.has('init') || labels.some(({ kind }) => kind === 'init' || kind === 'lead');
    const isSeries = !areForecasts && !single.has('member') && !hasMembers(content);
    const span = time && spanOf(time, file);
    if (isStated || isSeries || span === undefined) return undefined;
    spans.push(span);
  }
  spans.sort((a, b) => a.from - b.from);
  const gap = Math.max(MIN_GAP, ...spans.map(({ from, to }) => to - from));
  const runs: number[][] = [];
  let [end, why] = [Number.NEGATIVE_INFINITY, ''];
  for (const { file, from, to } of spans) {
    if (from - end > gap) {
      if (runs.length === 1) why = `the files have no times from ${utcText(end)} to ${utcText(from)}`;
      runs.push([]);
    }
    runs[runs.length - 1].push(file);
    end = Math.max(end, to);
  }
  if (runs.length < 2) return undefined;
  return { runs, why: `${why}, and state no run: taken for ${runs.length} runs, each an input of its own` };
}

interface Span {
  readonly file: number;
  readonly from: number;
  /** The end of its last step, by the step before it. */
  readonly to: number;
}

/** The time that a file is about; undefined where its times are not known, or it has one alone. */
function spanOf({ values }: Labels, file: number): Span | undefined {
  if (values === undefined || values.length < 2) return undefined;
  const times = (values as readonly number[]).toSorted((a, b) => a - b);
  const [first, last] = [times[0], times[times.length - 1]];
  return { file, from: first, to: last + (last - times[times.length - 2]) };
}
