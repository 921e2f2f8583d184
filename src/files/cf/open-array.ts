import { freshSteps, knownDays } from '../../ensemble/accumulation.js';
import { type DailySteps, dailySteps } from '../../ensemble/daily-steps.js';
import { DataError, mentionOption } from '../../errors.js';
import { DAY_SECONDS } from '../../period/day.js';
import { calendarNotes, localDays } from '../../table/columns/day-column.js';
import { rateName } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { type ArrayLayout, arrayLayout, forRoles, layoutBox } from './array-layout.js';
import type { ArrayReader } from './array-reader.js';
import { arrayVariable } from './array-variable.js';
import { textAttribute } from './attribute-values.js';
import { arrayAmounts, arrayMeans, growthEdges, hasLength } from './days/array-amounts.js';
import { planBlocks } from './days/block-plan.js';
import { dailyRule, smallestAmount } from './days/daily-rule.js';
import type { GrowingValues } from './days/growing-values.js';
import { readBlock } from './days/read-block.js';
import { dailyType, linearConversion, longestDay, type ReadPlan, storedOrder } from './days/read-plan.js';
import { periodRule, storedPeriods } from './days/stored-periods.js';
import type { GridEnsemble } from './grid-ensemble.js';
import type { CheckedGridOptions } from './grid-options.js';
import { cellsWithin, placedCells } from './select/cells-within.js';
import { type SelectedAxis, selectedArray } from './select/selected-array.js';
import { atPlace, type RunChoice, type TimeAxis, timeMethod } from './time/time-axis.js';
import { modelPart, utcText } from './time/time-units.js';
import { valueCoding } from './value-coding.js';

/** The problem of an array whose time steps do not cover a day. */
export const NO_COMPLETE_DAY = 'no UTC day is complete';

/** The ensemble of an array, and its read plan, which also serves to read single cells: see `readCell`. */
export interface ArrayEnsemble extends GridEnsemble {
  readonly plan: ReadPlan;
}

/**
 * Opens an array of a file as an ensemble of daily values of `variable`, or of the variable that the file names;
 * undefined where it has no dimension of time. `run` is the run to read of several. Throws DataError and OptionError as
 * `gridEnsemble` does.
 */
export async function openArray(
  reader: ArrayReader,
  array: StoredArray,
  variable: Variable | undefined,
  options: CheckedGridOptions,
  run: RunChoice = options.init,
): Promise<ArrayEnsemble | undefined> {
  const { source } = reader.file;
  const found = await arrayLayout(reader, array, run);
  if (found === undefined) return undefined;
  const present = presentMembers(found);
  const within = options.bbox
    ? cellsWithin(source, present, options.bbox)
    : options.onlyPlaced
      ? placedCells(present)
      : undefined;
  const layout = within?.layout ?? present;
  const held = variable ?? arrayVariable(array, options.variables);
  const { units, unitNotes } = findUnits(array, source, held);
  const smallest = smallestAmount(array, source, held, units, options);
  const periods = options.native === true ? storedPeriods(source, layout) : undefined;
  const isCounted = smallest !== undefined && periods === undefined;
  const counted = isCounted ? await arrayAmounts(source, layout, smallest, options) : undefined;
  const growing = counted ?? (periods ? undefined : arrayMeans(source, layout));
  const { steps, notes, fresh } = periods
    ? { steps: periods.steps, notes: [], fresh: undefined }
    : findDays(source, layout, options, growing);
  const ofDays = dailyRule(array, source, held, units, steps, growing && { ...growing, fresh });
  const rule = periods ? periodRule(source, layout, ofDays, periods) : ofDays;
  const coding = valueCoding(array, source, options.missing);
  const readPlan = {
    ...{ source, layout, steps, rule, coding, smallest },
    ...{ type: dailyType(coding), order: storedOrder(layout) },
  };
  const conversion = periods ? undefined : linearConversion(readPlan);
  const plan: ReadPlan = { ...readPlan, conversion, longestDay: longestDay(readPlan) };
  return {
    ...{ source, array: array.name, variable: held, units: rule.units },
    conversions: [
      ...(within ? [within.note] : []),
      ...calendarNotes(modelPart(layout.times.calendar)),
      ...[...layout.times.notes, ...notes, ...unitNotes, ...rule.conversions, ...(array.notices ?? [])],
    ],
    ...(counted && { accumulation: counted.amounts.kind }),
    ...(periods && { granularity: periods.granularity }),
    metadata: fileMetadata(reader.file, layout.times),
    type: plan.type,
    members: layout.members,
    firstDay: steps.firstDay,
    days: steps.days,
    grid: layout.cells.grid,
    cells: layout.length.y * layout.length.x,
    blocks: (bytes, cuts) => planBlocks(plan, bytes, cuts),
    read: (block, core, options) => readBlock(plan, block, core, options),
    plan,
  };
}

/**
 * Finds the units of an array: those that it states, else those of the standard name of a rate, with a note. Throws a
 * DataError for a rate whose name does not determine its units.
 */
function findUnits(
  { name: column, attributes }: StoredArray,
  source: string,
  variable: Variable | undefined,
): { units: string | undefined; unitNotes: string[] } {
  const stated = textAttribute(attributes, 'units') ?? textAttribute(attributes, 'GRIB_units');
  if (stated !== undefined || variable === undefined) return { units: stated, unitNotes: [] };
  const own = column.slice(column.lastIndexOf('/') + 1);
  const rate = rateName([textAttribute(attributes, 'standard_name') ?? own, own], variable.slug);
  if (rate === undefined) return { units: undefined, unitNotes: [] };
  const { name, units } = rate;
  if (units !== undefined) return { units, unitNotes: [`${name}, without units, taken as ${units}`] };
  const problem = 'has no units, and holds rates by its name';
  throw new DataError({ source, column, problem, allowed: 'the attribute units, such as kg m-2 s-1 or m s-1' });
}

/**
 * Finds the days of an array, notes for people on its times, and for growing amounts the steps at which they begin
 * again.
 */
function findDays(
  source: string,
  { array, times }: ArrayLayout,
  { stamps: requested }: CheckedGridOptions,
  growing: GrowingValues | undefined,
): { steps: DailySteps; notes: string[]; fresh: Uint8Array | undefined } {
  const { amounts, seconds } = growing ?? {};
  if (amounts?.kind === 'since-start' || amounts?.kind === 'buckets') {
    const { times: ends, stamps, edges } = growthEdges(times, requested);
    const covered = assertDays(source, { array, times }, () => dailySteps(ends, { stamps }));
    const ofDays = utcDayNotes(source, { ...times, seconds: ends, bounds: undefined }, covered);
    const fresh = freshSteps(edges, amounts, times.init);
    const steps = knownDays(covered, edges, fresh, times.init);
    const isLate = steps.whole[0] === 0;
    const before = seconds === undefined ? 'what had fallen before the first step' : 'the mean before the first step';
    const late = isLate ? [`${before} is not known: its day is missing`] : [];
    return { steps, fresh, notes: [...ofDays, ...endsNote(stamps, steps, times.bounds), ...late] };
  }
  const method = timeMethod(array.attributes);
  // Bounds of instants are not those of steps.
  const bounds = method === 'point' ? undefined : times.bounds;
  const stamps = requested ?? (isOfInterval(array) ? 'end' : 'start');
  const steps = assertDays(source, { array, times }, () => dailySteps(times.seconds, { bounds, stamps }));
  const ofDays = utcDayNotes(source, { ...times, bounds }, steps);
  const isSingle = times.seconds.length === 1 && bounds === undefined;
  if (isSingle && method === 'point' && requested === undefined) throw singleInstant(source, array, times);
  const single = isSingle ? ['one time step, taken as a whole day'] : [];
  return { steps, notes: [...single, ...ofDays, ...endsNote(stamps, steps, bounds)], fresh: undefined };
}

/** A value of an instant is not that of a day, unless the caller says what its time marks. */
function singleInstant(source: string, { name }: StoredArray, { seconds, calendar }: TimeAxis): DataError {
  return new DataError({
    ...{ source, column: name, problem: 'holds a single instant, which is no day' },
    received: utcText(seconds[0], modelPart(calendar)),
    allowed: `all times of a day; or ${mentionOption('stamps')}, if it is the value of a whole day`,
  });
}

function endsNote(stamps: 'start' | 'end', { steps }: DailySteps, bounds: Float64Array | undefined): string[] {
  if (stamps !== 'end' || bounds !== undefined) return [];
  return [`times mark the ends of ${steps.some((count) => count > 1) ? 'steps' : 'days'}`];
}

function assertDays(
  source: string,
  { array, times }: Pick<ArrayLayout, 'array' | 'times'>,
  work: () => DailySteps,
): DailySteps {
  const steps = atPlace(source, times.coordinate, work);
  if (steps.days > 0) return steps;
  throw new DataError({
    ...{
      source,
      column: array.name,
      problem: NO_COMPLETE_DAY,
      received: `${times.seconds.length} time steps`,
    },
    allowed: 'time steps that cover a UTC day, 00:00 to 24:00, without a gap',
  });
}

/** Whether values come from GRIB messages of an interval: their times are the interval's end. */
function isOfInterval({ attributes }: StoredArray): boolean {
  return ['accum', 'avg', 'max', 'min'].includes(textAttribute(attributes, 'GRIB_stepType') ?? '');
}

/** Texts of a file that results keep. */
const NAMES = [
  'title',
  'institution',
  'source',
  'references',
  'license',
  'horizon',
  'version',
  'generation',
  'init_time',
];

/**
 * The general texts in a file's attributes, the time at which its forecast begins as `init_time`, and the calendar of
 * its times where it is not the real one.
 */
function fileMetadata({ attributes }: ArrayFile, { init, calendar }: TimeAxis): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const name of NAMES) {
    const text = textAttribute(attributes, name);
    if (text !== undefined && text !== '') metadata.set(name, text);
  }
  const model = modelPart(calendar);
  if (model !== undefined) metadata.set('calendar', model);
  if (init !== undefined) metadata.set('init_time', utcText(init, model));
  return metadata;
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
  if (zone !== undefined && !edges.every(isMidnight)) throw localDays({ source, column }, zone);
  if (hasEdges || edges.length === 0) return [];
  const [time] = edges;
  const isOfThatDay = Math.floor(time / DAY_SECONDS) === firstDay + daily[0];
  const areAlike = edges.every((each) => isMidnight(each - time));
  if (!areAlike || !isOfThatDay || isMidnight(2 * time)) return [];
  return [`daily values dated ${utcText(time).slice(11, 16)} UTC are taken for those of that UTC day`];
}

function isMidnight(time: number): boolean {
  return Math.abs(time - DAY_SECONDS * Math.round(time / DAY_SECONDS)) <= TOLERANCE;
}

/** The members that one of several runs has: others are left out where the file knows that it has no value of them. */
function presentMembers(layout: ArrayLayout): ArrayLayout {
  const { array, dimension, length, times } = layout;
  if (times.run === undefined || dimension.member < 0 || array.isAbsent === undefined) return layout;
  const all = forRoles((role) => ({ start: 0, count: length[role] }));
  const isAbsent = (start: number) => array.isAbsent?.(layoutBox(layout, { ...all, member: { start, count: 1 } }));
  const indices = Int32Array.from(layout.members.keys()).filter((member) => !isAbsent(member));
  if (indices.length === 0 || indices.length === length.member) return layout;
  const axes = array.shape.map(
    (_, d): SelectedAxis =>
      d === dimension.member ? { kind: 'some', dimension: d, indices } : { kind: 'all', dimension: d },
  );
  return {
    ...layout,
    array: selectedArray(array, axes),
    members: Array.from(indices, (member) => layout.members[member]),
    length: { ...length, member: indices.length },
  };
}
