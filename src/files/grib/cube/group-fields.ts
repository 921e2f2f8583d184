import { DAY_SECONDS } from '../../../period/day.js';
import { levelKey } from '../product/level.js';
import { type IndexedField, isSinceStart } from './indexed-field.js';
import { memberKey } from './member-axis.js';

/** Fields of one quantity on one grid: one array is made of them. */
export interface FieldGroup {
  readonly name: string;
  readonly fields: readonly IndexedField[];
  /** Why fields of the quantity were left out; for people. */
  readonly notice?: string;
}

/** A group before it has a name, and what may distinguish it from others of the same parameter. */
interface Draft extends Omit<FieldGroup, 'name'> {
  readonly base: string;
  readonly features: readonly string[];
}

/** Names of what was computed from all members, code table 4.7. */
const DERIVED = ['mean', 'weightedmean', 'sd', 'normalizedsd', 'spread', 'anomaly', 'clustermean', 'iqr', 'min', 'max'];

/**
 * Groups fields into arrays: of one parameter, level, statistical process, kind of ensemble, centre and grid each.
 * Where one parameter has several, their names state what is different: `2t_721x1440`, `tp_since_start`.
 */
export function groupFields(fields: readonly IndexedField[]): FieldGroup[] {
  const groups = new Map<string, IndexedField[]>();
  for (const each of fields) {
    const key = groupKey(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return named([...groups.values()].flatMap(drafts));
}

function groupKey({ product, parameter, grid }: IndexedField): string {
  const { stepType, derived, member, level } = product;
  const { centre } = product.parameter;
  const ensemble = derived === undefined ? (member === undefined ? 'single' : 'members') : `derived ${derived}`;
  const numbers = parameter.units === undefined ? Object.values(product.parameter).join() : '';
  return [
    parameter.shortName,
    parameter.units,
    numbers,
    levelKey(level),
    stepType,
    ensemble,
    centre,
    gridId(grid),
  ].join('|');
}

const gridIds = new WeakMap<object, number>();
let gridCount = 0;

function gridId(grid: object): number {
  const known = gridIds.get(grid);
  if (known !== undefined) return known;
  gridIds.set(grid, ++gridCount);
  return gridCount;
}

function drafts(fields: readonly IndexedField[]): Draft[] {
  const [{ product, parameter, grid }] = fields;
  const { derived, member, stepType } = product;
  const suffix = derived === undefined ? '' : `_ens${DERIVED[derived] ?? derived}`;
  return splitIntervals(fields).map(({ label, fields: kept, notice }) => ({
    base: parameter.shortName + suffix,
    features: [stepType, member === undefined ? 'single' : '', label, `centre${product.parameter.centre}`, grid.label],
    fields: kept,
    ...(notice !== undefined && { notice }),
  }));
}

function named(all: readonly Draft[]): FieldGroup[] {
  const names = new Map<string, number>();
  return all.map(({ base, features, fields, notice }) => {
    const alike = all.filter((other) => other.base === base);
    const differing = features.filter(
      (feature, i) => feature !== '' && alike.some((other) => other.features[i] !== feature),
    );
    const name = [base, ...differing].join('_');
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return { name: count === 1 ? name : `${name}_${count}`, fields, ...(notice !== undefined && { notice }) };
  });
}

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
function splitIntervals(fields: readonly IndexedField[]): IntervalSeries[] {
  const { stepType } = fields[0].product;
  if (stepType === 'instant') return [{ label: '', fields }];
  const lasting = fields.filter(({ product: { start, end } }) => end > start);
  if (lasting.length === 0) return [];
  if (stepType !== 'accum') return [longestIntervals(lasting)];
  if (!hasSeveral(lasting)) return [{ label: '', fields: lasting }];
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
