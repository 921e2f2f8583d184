import { freshSteps, knownDays, type StepEdges, stepEdges } from '../../../ensemble/accumulation.js';
import { type DailySteps, dailySteps } from '../../../ensemble/daily-steps.js';
import { type LocalDays, requestedDays } from '../../../ensemble/local-days.js';
import {
  assertUnsplit,
  edgesOf,
  type LocalSteps,
  localDayNotes,
  localSteps,
  withoutShares,
} from '../../../ensemble/local-steps.js';
import { areDaysApart, decideTimes, type TimeMeaning } from '../../../ensemble/time-meaning.js';
import { DataError, inWords, mentionOption } from '../../../errors.js';
import { DAY_SECONDS, formatDate } from '../../../period/day.js';
import { localDays } from '../../../table/columns/day-column.js';
import { assertKept } from '../../../table/daily/kept-days.js';
import { allowedDays } from '../../../table/daily/time-column.js';
import type { Variable } from '../../../variable/variable.js';
import { type ArrayLayout, layoutBox } from '../array-layout.js';
import { type ArrayReader, readNumbers } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import type { CheckedGridOptions } from '../grid-options.js';
import { atPlace, stepType, type TimeAxis, timeMethod } from '../time/time-axis.js';
import { modelPart, utcText } from '../time/time-units.js';
import { decodeRow, valueCoding } from '../value-coding.js';
import { growthEdges, hasLength } from './array-amounts.js';
import { dailyBoundsNotes } from './daily-bounds.js';
import { isOverTime, reductionOf } from './daily-rule.js';
import type { GrowingValues } from './growing-values.js';
import { assertNoOverlap } from './overlapping-means.js';
import { areDaily, assertZones, datesOfZone, statedDays } from './zone-days.js';

/** Time steps do not cover a day. */
export class NoCompleteDayError extends DataError {}

/** The days of an array. */
export interface ArrayDays {
  readonly steps: DailySteps;
  /** What times stand for. */
  readonly meaning: TimeMeaning | undefined;
  /** For people. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** For growing amounts, 1 for the steps at which they begin again. */
  readonly fresh: Uint8Array | undefined;
  /** What metadata state of days of other zones than UTC. */
  readonly texts: ReadonlyMap<string, string>;
  /** Of time steps in place of days. */
  readonly edges?: StepEdges;
}

/**
 * Finds the days of an array by what its times stand for, see `decideTimes`. Throws DataError where no day is complete,
 * for values of one instant a day, for bounds that overlap and for days of another zone, and OptionError where nothing
 * shows what times stand for.
 */
export async function arrayDays(
  reader: ArrayReader,
  layout: ArrayLayout,
  variable: Variable | undefined,
  options: CheckedGridOptions,
  growing: GrowingValues | undefined,
): Promise<ArrayDays> {
  const local = requestedDays(options);
  const stated = statedDays(reader.file);
  if (local === undefined) {
    const days = await daysOfAxis(reader, layout, variable, options, growing);
    return { ...days, texts: areDaily(layout.times) ? stated : new Map() };
  }
  assertZones(reader.file.source, layout, options);
  if (!areDaily(layout.times)) {
    return { ...(await daysOfAxis(reader, layout, variable, options, growing, local)), texts: local.texts };
  }
  assertKept(local, stated, reader.file.source);
  const kept = { ...layout, times: datesOfZone(reader.file.source, layout.times, local) };
  const days = await daysOfAxis(reader, kept, variable, options, growing);
  return { ...days, notes: [...days.notes, `daily values are kept as ${local}`], texts: local.texts };
}

type AxisDays = Omit<ArrayDays, 'texts'>;

/** The days that the steps of an axis make up: days of UTC, or `local` ones. */
async function daysOfAxis(
  reader: ArrayReader,
  layout: ArrayLayout,
  variable: Variable | undefined,
  options: CheckedGridOptions,
  growing: GrowingValues | undefined,
  local?: LocalDays,
): Promise<AxisDays> {
  const { source } = reader.file;
  const { array, times } = layout;
  const { amounts, seconds } = growing ?? {};
  const method = timeMethod(array.attributes);
  const stepsOf = (axis: Omit<LocalSteps, 'days' | 'areInstants'>) => {
    if (local === undefined) return dailySteps(axis.times, axis);
    const areInstants = axis.stamps === 'instant' && reductionOf(variable, method) !== 'sum';
    return localSteps({ ...axis, areInstants, days: local });
  };
  if (amounts?.kind === 'since-start' || amounts?.kind === 'buckets') {
    const { times: ends, stamps, edges } = growthEdges(times, options.stamps);
    const covered = assertDays(source, layout, () => stepsOf({ times: ends, stamps }), local);
    const ofDays = local ? [] : utcDayNotes(source, { ...times, seconds: ends, bounds: undefined }, covered);
    const fresh = freshSteps(edges, amounts, times.init);
    const known = knownDays(covered, edges, fresh, times.init);
    // Means are divided by the length of their day.
    const steps = seconds === undefined ? withoutShares(known) : known;
    const isLate = steps.whole[0] === 0;
    const before = seconds === undefined ? 'what had fallen before the first step' : 'the mean before the first step';
    const late = isLate ? [`${before} is not known: its day is missing`] : [];
    const split = local ? localDayNotes(steps, local, false) : [];
    const notes = [...ofDays, ...(times.bounds ? [] : endsNote(stamps, steps)), ...late, ...split];
    const by = 'as values grow up to their time';
    const isStated = local !== undefined || times.bounds !== undefined || options.stamps !== undefined;
    const across = isStated ? [] : acrossMidnight(layout, covered, stamps);
    return { steps, fresh, notes, warnings: across, meaning: { stamps, evidence: 'growth', by, warnings: [] } };
  }
  const meaning = await timesOf(reader, layout, variable, options);
  if (['step-type', 'data', 'producer', 'default'].includes(meaning.evidence))
    await assertNoOverlap(reader.file, layout, variable, options);
  // Bounds of instants are no steps.
  const bounds = method === 'point' || options.stamps !== undefined ? undefined : times.bounds;
  if (bounds !== undefined) assertApart(source, times, bounds);
  const { stamps } = meaning;
  const steps = assertDays(
    source,
    layout,
    () => {
      const found = stepsOf({ times: times.seconds, bounds, stamps });
      return local ? withoutShares(found) : found;
    },
    local,
  );
  const ofDays = local ? localNotes(source, layout, variable, local, { steps, stamps, bounds }) : [];
  const ofUtc = local
    ? []
    : [...utcDayNotes(source, { ...times, bounds }, steps), ...dailyBoundsNotes(source, layout, bounds, steps)];
  const isSingle = times.seconds.length === 1 && bounds === undefined;
  const areInstants = stamps === 'instant' && meaning.evidence === 'instant';
  // Another choice does not make a mean of one instant; only `instant` says that it is meant.
  const isOther = method === 'point' && options.stamps !== undefined && stamps !== 'instant';
  if ((areInstants || isOther) && (isSingle || areDaysApart(times.seconds)))
    throw singleInstants(source, layout, reductionOf(variable, method));
  const single = isSingle ? ['one time step, taken as a whole day'] : [];
  const isNoted = bounds === undefined && meaning.warnings.length === 0;
  const ofOneInstant = areInstants ? instantWarnings(layout, steps) : [];
  const gaps = bounds === undefined ? [] : gapWarnings(layout, steps);
  const across =
    local || bounds !== undefined || options.stamps !== undefined ? [] : acrossMidnight(layout, steps, stamps);
  return {
    ...{ steps, meaning, fresh: undefined },
    notes: [...single, ...ofUtc, ...(isNoted ? endsNote(stamps, steps) : []), ...ofDays],
    warnings: [...meaning.warnings, ...ofOneInstant, ...gaps, ...across],
  };
}

/** Notes on steps that lie in several days. Throws DataError for extremes of such steps. */
function localNotes(
  source: string,
  { array, times }: ArrayLayout,
  variable: Variable | undefined,
  local: LocalDays,
  { steps, stamps, bounds }: { steps: DailySteps; stamps: TimeMeaning['stamps']; bounds: Float64Array | undefined },
): string[] {
  const areExtremes = ['minimum', 'maximum'].includes(reductionOf(variable, timeMethod(array.attributes)));
  if (areExtremes) {
    const edges = bounds && hasLength(bounds) ? edgesOf(bounds) : stepEdges(times.seconds, steps.seconds, stamps);
    assertUnsplit(steps, edges, local, { source, column: array.name });
  }
  return localDayNotes(steps, local, areExtremes);
}

/** Decides what the times of an array stand for; values at the start of its run are read only where they decide. */
export async function timesOf(
  reader: ArrayReader,
  layout: ArrayLayout,
  variable: Variable | undefined,
  { stamps: requested, missing }: CheckedGridOptions,
): Promise<TimeMeaning> {
  const { source, attributes } = reader.file;
  const { array, times } = layout;
  const { seconds, bounds, init } = times;
  const known = {
    ...{ source, name: array.name, times: seconds, requested, init },
    method: timeMethod(array.attributes),
    stepType: stepType(array.attributes),
    isOverTime: isOverTime(array, variable),
    texts: array.attributes,
    ...{ axisTexts: times.attributes, coordinate: times.coordinate, absentBounds: times.absentBounds },
    history: textAttribute(attributes, 'history'),
    bounds: bounds !== undefined && hasLength(bounds) ? bounds : undefined,
    hasLeads: times.dimension.kind === 'lead',
  };
  const meaning = atPlace(source, times.coordinate, () => decideTimes(known));
  const isOpen = meaning.warnings.length > 0 && ['data', 'producer', 'default'].includes(meaning.evidence);
  if (!isOpen || init === undefined || seconds.length < 2 || Math.abs(seconds[0] - init) > TOLERANCE) return meaning;
  const atStart = await valuesAtStart(reader, layout, missing);
  return atStart === undefined ? meaning : decideTimes({ ...known, atStart });
}

/** Values that are read from a field, at most, along each side. */
const SIDE = 32;

/**
 * What an array has at the start of its run: no value, where it has some at the next step and another array has one; or
 * values, which are not all 0, as they are where an extent begins. Undefined for all else.
 */
async function valuesAtStart(
  reader: ArrayReader,
  layout: ArrayLayout,
  missing: CheckedGridOptions['missing'],
): Promise<'missing' | 'values' | undefined> {
  const { array, length } = layout;
  const coding = valueCoding(array, reader.file.source, missing);
  const read = async (step: number) => {
    const some = (role: 'member' | 'y' | 'x') => {
      const count = Math.min(length[role], role === 'member' ? 2 : SIDE);
      return { start: Math.floor((length[role] - count) / 2), count };
    };
    const extent = { member: some('member'), time: { start: step, count: 1 }, y: some('y'), x: some('x') };
    const stored = await readNumbers(array, layoutBox(layout, extent), coding);
    const values = new Float64Array(stored.length);
    decodeRow(stored, 0, 1, values, coding);
    return values.filter((value) => !Number.isNaN(value));
  };
  const first = await read(0);
  const isExtreme = ['minimum', 'maximum'].includes(timeMethod(array.attributes) ?? '');
  if (first.some((value) => value !== 0)) return isExtreme ? undefined : 'values';
  if (first.length > 0 || (await read(1)).length === 0) return undefined;
  return (await hasOtherValues(reader, layout)) ? 'missing' : undefined;
}

/** Whether another array with the same times has a value at the first. */
async function hasOtherValues(reader: ArrayReader, { array, times }: ArrayLayout): Promise<boolean> {
  const { name: along } = times.dimension;
  const others = [...reader.file.arrays.values()].filter(
    ({ name, type, dimensions }) =>
      name !== array.name && type !== 'text' && dimensions.includes(along) && dimensions.length > 1,
  );
  for (const other of others.slice(0, 4)) {
    const coding = valueCoding(other, reader.file.source);
    const count = other.shape.map((length, d) => (other.dimensions[d] === along ? 1 : Math.min(length, 4)));
    const start = other.shape.map((length, d) => {
      if (other.dimensions[d] === along) return 0;
      return other.dimensions[d] === times.run?.dimension.name ? times.run.index : Math.floor((length - count[d]) / 2);
    });
    const ofRun = count.map((each, d) => (other.dimensions[d] === times.run?.dimension.name ? 1 : each));
    if (other.attributes.has('units') && /\bsince\b/.test(textAttribute(other.attributes, 'units') ?? '')) continue;
    const stored = await readNumbers(other, { start, count: ofRun }, coding);
    const values = new Float64Array(stored.length);
    decodeRow(stored, 0, 1, values, coding);
    if (values.some((value) => !Number.isNaN(value))) return true;
  }
  return false;
}

/** One instant is no mean, minimum, maximum or sum of its day, unless the caller insists. */
function singleInstants(source: string, { array, times }: ArrayLayout, reduction: string): DataError {
  const { seconds, calendar } = times;
  const isSingle = seconds.length === 1;
  return new DataError({
    ...{ source, column: array.name },
    problem: isSingle
      ? 'holds a single instant, which is no day'
      : `holds one instant a day, which is no daily ${reduction}`,
    received: utcText(seconds[0], modelPart(calendar)),
    allowed: `all times of a day; or ${mentionOption('stamps', 'instant')}, if ${isSingle ? 'it is' : 'each is'} the value of a whole day`,
  });
}

/** Where only some days have a single instant, as after steps that become longer. */
function instantWarnings({ array }: ArrayLayout, { steps, whole, firstDay }: DailySteps): string[] {
  const alone = [...steps.keys()].filter((day) => whole[day] === 1 && steps[day] === 1);
  if (alone.length === 0) return [];
  const days = alone.length === 1 ? '1 day' : `${alone.length} days`;
  return [
    `${array.name} has a single instant on ${days}, the first ${formatDate(firstDay + alone[0])}, which is taken for the day`,
  ];
}

/** Days within the axis that bounds cover in part. */
function gapWarnings({ array }: ArrayLayout, { steps, whole, firstDay }: DailySteps): string[] {
  const partly = [...steps.keys()].filter((day) => whole[day] === 0 && steps[day] > 0);
  if (partly.length === 0) return [];
  const days = partly.length === 1 ? '1 day is' : `${partly.length} days are`;
  return [
    `bounds of the times of ${array.name} leave gaps: ${days} covered in part, the first ${formatDate(firstDay + partly[0])}, and left out`,
  ];
}

/** Steps of hours that lie in two days: each counts for one of them. */
function acrossMidnight(
  { array, times }: ArrayLayout,
  { seconds }: DailySteps,
  stamps: TimeMeaning['stamps'],
): string[] {
  if (stamps === 'instant' || times.seconds.length < 2) return [];
  const { starts, ends } = stepEdges(times.seconds, seconds, stamps);
  const dayOf = (time: number) => Math.floor(time / DAY_SECONDS);
  const at = [...seconds.keys()].find(
    (step) =>
      seconds[step] < DAY_SECONDS - TOLERANCE && dayOf(starts[step] + TOLERANCE) !== dayOf(ends[step] - TOLERANCE),
  );
  if (at === undefined) return [];
  const text = [starts[at], ends[at]].map((time) => utcText(time, modelPart(times.calendar))).join(' to ');
  return [
    `steps of ${array.name} lie across midnight of UTC, the first ${text}: each counts for one day; ${mentionOption('stamps')} decides for which`,
  ];
}

/** Throws DataError for bounds that overlap: their values are not of steps. */
function assertApart(source: string, { coordinate, calendar, attributes }: TimeAxis, bounds: Float64Array): void {
  const text = (i: number) => [0, 1].map((side) => utcText(bounds[2 * i + side], modelPart(calendar))).join(' to ');
  for (let step = 1; 2 * step < bounds.length; step++) {
    if (bounds[2 * step] >= bounds[2 * step - 1] - TOLERANCE) continue;
    throw new DataError({
      ...{ source, column: textAttribute(attributes, 'bounds') ?? coordinate },
      ...{ problem: `bounds of ${coordinate} overlap`, received: inWords(`${text(step - 1)}, then ${text(step)}`) },
      allowed: `steps one after the other; or ${mentionOption('stamps')}, where the bounds are wrong`,
    });
  }
}

function endsNote(stamps: TimeMeaning['stamps'], { steps }: DailySteps): string[] {
  if (stamps !== 'end') return [];
  return [`times mark the ends of ${steps.some((count) => count > 1) ? 'steps' : 'days'}`];
}

function assertDays(
  source: string,
  { array, times }: Pick<ArrayLayout, 'array' | 'times'>,
  work: () => DailySteps,
  local?: LocalDays,
): DailySteps {
  const steps = atPlace(source, times.coordinate, work);
  if (steps.days > 0) return steps;
  throw new NoCompleteDayError({
    ...{ source, column: array.name, received: `${times.seconds.length} time steps` },
    problem: local ? `none of the ${local} is complete` : 'no UTC day is complete',
    allowed: local
      ? 'time steps that cover one of them without a gap'
      : `time steps that cover a UTC day, 00:00 to 24:00, without a gap; weeks and months, as stored, by ${mentionOption('native', true)}`,
  });
}

/** Times that are written as fractions of days are not exact. */
const TOLERANCE = 60;

/**
 * Throws DataError for daily values in a zone other than UTC, whose days cannot be shifted: the bounds of a step of a
 * day, or else its time, that units with an offset place elsewhere than at midnight of UTC. Values of steps shorter
 * than a day are shifted. Returns a note where no zone is stated, and daily values have one time of day that is neither
 * midnight nor noon.
 */
function utcDayNotes(
  source: string,
  { coordinate: column, seconds, bounds, zone }: TimeAxis,
  { steps, whole, firstStep, firstDay }: DailySteps,
): string[] {
  const hasEdges = bounds !== undefined && hasLength(bounds);
  const daily = [...firstStep.keys()].filter((day) => steps[day] === 1 && whole[day] === 1);
  const edges = daily.map((day) => (hasEdges ? bounds[2 * firstStep[day]] : seconds[firstStep[day]]));
  if (zone !== undefined && !edges.every(isMidnight)) throw localDays({ source, column, allowed: allowedDays() }, zone);
  if (hasEdges || edges.length === 0) return [];
  const [time] = edges;
  const isOfThatDay = Math.floor(time / DAY_SECONDS) === firstDay + daily[0];
  const areAlike = edges.every((each) => isMidnight(each - time));
  if (!areAlike || !isOfThatDay || isMidnight(2 * time)) return [];
  return [`daily values dated ${utcText(time).slice(11, 16)} UTC are taken for values of that UTC day`];
}

function isMidnight(time: number): boolean {
  return Math.abs(time - DAY_SECONDS * Math.round(time / DAY_SECONDS)) <= TOLERANCE;
}
