import { DAY_SECONDS } from '../../../period/day.js';
import type { IndexedField } from './indexed-field.js';
import { memberKey } from './member-axis.js';

const HOUR = 3600;

/** Fields whose intervals are of one kind, so that each member has at most one for a time. */
interface IntervalSeries {
  /** Distinguishes the series from others of the same parameter: `since_start`, `6h`. */
  readonly label: string;
  readonly fields: readonly IndexedField[];
  readonly notice?: string;
}

/**
 * Divides the fields of a quantity by their intervals, so that those of an array follow each other.
 *
 * - Values over no time, as of amounts at the start of a run, are left out.
 * - Means and extremes of an interval within a longer one are left out: of 0-3, 0-6, 6-9 and 6-12 hours, 0-6 and 6-12
 *   say all. Means whose longest intervals cross midnight keep those that begin with them, from which the mean of each
 *   step follows.
 * - Amounts keep all their intervals, from which the growth of each step follows. Where a time has several, as of 6
 *   hours and since the start, each kind is a series.
 */
export function splitIntervals(fields: readonly IndexedField[]): IntervalSeries[] {
  const { stepType } = fields[0].product;
  if (stepType === 'instant') return [{ label: '', fields }];
  const lasting = fields.filter(({ product: { start, end } }) => end > start);
  if (lasting.length === 0) return [];
  if (stepType !== 'accum') return [longestIntervals(lasting)];
  if (!hasSeveral(lasting)) return [{ label: '', fields: lasting }];
  const isSinceStart = ({ product: { start, reference } }: IndexedField) => start === reference;
  const sinceStart = lasting.filter(isSinceStart);
  const keyed = new Set(lasting.filter((each) => !isSinceStart(each)).map(timeKey));
  // The first bucket begins with the run, too.
  const buckets = lasting.filter((each) => !isSinceStart(each) || !keyed.has(timeKey(each)));
  const others = hasSeveral(buckets) ? byLength(buckets) : [{ label: 'buckets', fields: buckets }];
  return sinceStart.length === 0 ? others : [{ label: 'since_start', fields: sinceStart }, ...others];
}

function timeKey({ product }: IndexedField): string {
  return `${product.reference} ${product.end} ${memberKey(product)}`;
}

/** Whether a member has values of several intervals that end at the same time. */
function hasSeveral(fields: readonly IndexedField[]): boolean {
  const starts = new Map<string, number>();
  return fields.some((each) => {
    const key = timeKey(each);
    const known = starts.get(key);
    starts.set(key, each.product.start);
    return known !== undefined && known !== each.product.start;
  });
}

function byLength(fields: readonly IndexedField[]): IntervalSeries[] {
  const series = new Map<string, IndexedField[]>();
  for (const each of fields) {
    const label = `${(each.product.end - each.product.start) / HOUR}h`;
    const known = series.get(label);
    if (known === undefined) series.set(label, [each]);
    else known.push(each);
  }
  return Array.from(series, ([label, ofLength]) => ({ label, fields: ofLength }));
}

/** An interval of fields. */
interface Interval {
  readonly start: number;
  readonly end: number;
}

/**
 * The fields whose intervals are not within longer ones of the same run; of means whose longest intervals cross
 * midnight also those that begin with them.
 */
function longestIntervals(fields: readonly IndexedField[]): IntervalSeries {
  const runs = new Map<number, Map<string, Interval>>();
  for (const { product } of fields) {
    const intervals = runs.get(product.reference) ?? new Map();
    runs.set(product.reference, intervals.set(`${product.start} ${product.end}`, product));
  }
  const { stepType, shortName } = { ...fields[0].product, ...fields[0].parameter };
  const series = [...runs].map(([reference, intervals]) => ({
    reference,
    ...nestedIntervals([...intervals.values()]),
  }));
  const areDivided = stepType === 'avg' && series.some(({ beginning, longest }) => beginning.some(isWithin(longest)));
  const kept = new Set<string>();
  for (const { reference, longest, beginning } of series) {
    for (const { start, end } of areDivided ? [...longest, ...beginning] : longest)
      kept.add(`${reference} ${start} ${end}`);
  }
  const isKept = ({ product: { reference, start, end } }: IndexedField) => kept.has(`${reference} ${start} ${end}`);
  const isLost = !areDivided && series.some(({ longest, within }) => within.some(isWithin(longest)));
  const what = stepType === 'avg' ? 'means' : 'extremes';
  return {
    ...{ label: '', fields: fields.filter(isKept) },
    ...(isLost && {
      notice: `${shortName}: ${what} of growing intervals, which cannot be divided into days; only the longest intervals are used`,
    }),
  };
}

/**
 * The intervals of a run that are not within longer ones, those within them, and of these those that begin with one.
 */
function nestedIntervals(intervals: Interval[]): Record<'longest' | 'within' | 'beginning', Interval[]> {
  const [longest, within, beginning]: Interval[][] = [[], [], []];
  let last: Interval | undefined;
  let covered = Number.NEGATIVE_INFINITY;
  // All that come later start later, so that an interval is within one before if it ends before.
  for (const interval of intervals.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (last === undefined || interval.end > last.end) {
      covered = last?.end ?? covered;
      last = interval;
      longest.push(interval);
      continue;
    }
    within.push(interval);
    // What ends within the interval before is known by that.
    if (interval.start === last.start && interval.end > covered) beginning.push(interval);
  }
  return { longest, within, beginning };
}

/** Whether an interval is within one that crosses midnight, and so belongs to several days. */
function isWithin(longest: readonly Interval[]): (interval: Interval) => boolean {
  const crossing = longest.filter(
    ({ start, end }) => Math.floor(start / DAY_SECONDS) !== Math.ceil(end / DAY_SECONDS) - 1,
  );
  return ({ start, end }) => crossing.some((each) => start >= each.start && end <= each.end);
}
