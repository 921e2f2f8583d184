import { DataError, inWords, mentionOption } from '../../../errors.js';
import { findAnalysis } from '../../array/analysis-runs.js';
import type { StoredArray } from '../../array/array-file.js';
import type { FieldGroup } from './group-fields.js';
import { fieldText, type IndexedField, isSinceStart, timeText } from './indexed-field.js';
import { keyWithin, type MemberAxis, memberAxis, memberKey } from './member-axis.js';

/** The times of an array, in seconds: since 1970-01-01 UTC, or of several runs since the start of each. */
interface CubeTimes {
  /** For each step, the time of an instant or the end of an interval. */
  readonly ends: readonly number[];
  /** The start of each interval; undefined for instants, and for amounts since the start of runs of different times. */
  readonly starts: readonly number[] | undefined;
}

/** The fields of an array by run, member and time. */
export interface Cube {
  readonly name: string;
  /** One of its fields: all have the same parameter, level, process and grid. */
  readonly sample: IndexedField;
  /** The reference times of several runs that are not members of one ensemble; else undefined. */
  readonly runs: readonly number[] | undefined;
  /** The reference time of all its fields, where they have only one. */
  readonly reference: number | undefined;
  readonly members: MemberAxis;
  readonly times: CubeTimes;
  /** Undefined where no file has the field. */
  field(run: number, member: number, time: number): IndexedField | undefined;
  /** Whether a run has a field of a member: runs may have different members. */
  hasMember(run: number, member: number): boolean;
  /** The number of fields that no file has, of the members that runs have. */
  readonly missing: number;
  /** Fields that are there twice, in pairs; the first of each pair is in the cube. */
  readonly duplicates: readonly (readonly [IndexedField, IndexedField])[];
  /** For each step whether all amounts count since the start of their run. */
  readonly isSinceStart: boolean;
  /** Why the fields do not make an array. */
  readonly problem: DataError | undefined;
  /** What nothing but their times joins, see `StoredArray`. */
  readonly severalRuns: StoredArray['severalRuns'];
  /** That runs are taken for an analysis; for people. */
  readonly notice: string | undefined;
}

type Runs = 'one' | 'analysis' | 'series' | 'lagged' | 'several';

/** Arranges the fields of a group by run, member and time. */
export function createCube(source: string, { name, fields }: FieldGroup): Cube {
  const { runs, notice } = arrangement(fields);
  const references = [...new Set(fields.map(({ product }) => product.reference))].sort((a, b) => a - b);
  const isLagged = runs === 'lagged';
  const members = memberAxis(fields, isLagged);
  const timeOf = ({ product }: IndexedField) => product.end - (runs === 'several' ? product.reference : 0);
  const ends = [...new Set(fields.map(timeOf))].sort((a, b) => a - b);
  const at = { run: new Map(references.map((time, i) => [time, i])), time: new Map(ends.map((end, i) => [end, i])) };
  const key = (run: number, member: number, time: number) => (run * members.names.length + member) * ends.length + time;
  const found = new Map<number, IndexedField>();
  const memberOfRun = (run: number, member: number) => run * members.names.length + member;
  const present = new Set<number>();
  const duplicates: (readonly [IndexedField, IndexedField])[] = [];
  for (const each of fields) {
    const run = runs === 'several' ? (at.run.get(each.product.reference) as number) : 0;
    const member = members.index.get(keyWithin(each.product, isLagged)) as number;
    const place = key(run, member, at.time.get(timeOf(each)) as number);
    present.add(memberOfRun(run, member));
    const before = found.get(place);
    if (before === undefined) found.set(place, each);
    else duplicates.push([before, each]);
  }
  const intervals = intervalStarts(source, name, fields, runs === 'several', at.time, ends);
  const { starts, isSinceStart, problem, areApart } = intervals;
  return {
    ...{ name, sample: fields[0], members, times: { ends, starts }, duplicates, isSinceStart, problem, notice },
    severalRuns: runs === 'series' ? 'series' : areApart ? 'apart' : undefined,
    runs: runs === 'several' ? references : undefined,
    reference: references.length === 1 ? references[0] : undefined,
    field: (run, member, time) => found.get(key(run, member, time)),
    hasMember: (run, member) => present.has(memberOfRun(run, member)),
    missing: present.size * ends.length - found.size,
  };
}

/**
 * How runs of different reference times belong together, where no member has two of them for a time: as an analysis, or
 * as a series that nothing else joins; as a lagged ensemble, where all have the same times; else as several runs, of
 * which one is read.
 */
function arrangement(fields: readonly IndexedField[]): { readonly runs: Runs; readonly notice?: string } {
  const times = new Map<number, Set<number>>();
  const owners = new Map<string, number>();
  let overlaps = false;
  for (const { product } of fields) {
    const { reference, end } = product;
    times.set(reference, (times.get(reference) ?? new Set()).add(end));
    const key = `${memberKey(product)} ${end}`;
    overlaps ||= (owners.get(key) ?? reference) !== reference;
    owners.set(key, reference);
  }
  if (times.size === 1) return { runs: 'one' };
  const analysis = overlaps ? undefined : findAnalysis(times);
  if (!overlaps) return analysis === undefined ? { runs: 'series' } : { runs: 'analysis', ...analysis };
  const [first, ...others] = times.values();
  const isLagged = others.every((each) => each.size === first.size && [...each].every((end) => first.has(end)));
  return { runs: isLagged ? 'lagged' : 'several' };
}

/** The start of the interval that ends at each time, which all members must share. */
function intervalStarts(
  source: string,
  name: string,
  fields: readonly IndexedField[],
  areLeads: boolean,
  index: ReadonlyMap<number, number>,
  ends: readonly number[],
): { starts: number[] | undefined; isSinceStart: boolean; problem: DataError | undefined; areApart?: boolean } {
  const { stepType } = fields[0].product;
  if (stepType === 'instant') return { starts: undefined, isSinceStart: false, problem: undefined };
  const areSinceStart = stepType === 'accum' && fields.every(isSinceStart);
  const first: IndexedField[] = [];
  const starts = ends.map(() => 0);
  for (const each of fields) {
    const { start, end, reference } = each.product;
    const origin = areLeads ? reference : 0;
    const at = index.get(end - origin) as number;
    if (first[at] === undefined) {
      first[at] = each;
      starts[at] = start - origin;
    } else if (starts[at] !== start - origin) {
      if (areSinceStart) return { starts: undefined, isSinceStart: true, problem: undefined };
      const areApart = areLeads && first[at].product.reference !== reference;
      const problem = differentIntervals(source, name, first[at], each);
      return { starts, isSinceStart: areSinceStart, problem, areApart };
    }
  }
  return { starts, isSinceStart: areSinceStart, problem: undefined };
}

function differentIntervals(source: string, column: string, one: IndexedField, other: IndexedField): DataError {
  const text = (each: IndexedField) =>
    `${timeText(each.product.start)} to ${timeText(each.product.end)} in ${fieldText(each)}`;
  return new DataError({
    ...{ source, column, problem: 'members have different intervals that end at the same time' },
    received: inWords(`${text(one)}; ${text(other)}`),
    allowed: `files in which an interval is the same for all members; for one of several runs, ${mentionOption('init')}`,
  });
}
