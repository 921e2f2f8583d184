import { DataError } from '../errors.js';
import type { StoredArray } from '../formats/array-file.js';
import { type DailySteps, dailySteps } from '../period/daily-steps.js';
import type { Variable } from '../variable/variable.js';
import { type ArrayLayout, arrayLayout } from './array-layout.js';
import type { ArrayReader } from './array-reader.js';
import { arrayVariable } from './array-variable.js';
import { textAttribute } from './attribute-values.js';
import { planBlocks } from './block-plan.js';
import { dailyRule } from './daily-rule.js';
import { fileMetadata } from './file-metadata.js';
import type { GridEnsemble } from './grid-ensemble.js';
import type { GridOptions } from './grid-options.js';
import { readBlock } from './read-block.js';
import { dailyType, linearRule, type ReadPlan, storedOrder } from './read-plan.js';
import { timeMethod } from './time-method.js';
import { valueCoding } from './value-coding.js';

/** The ensemble of an array, and how it is read: one cell at a time too, see `readCell`. */
export interface ArrayEnsemble extends GridEnsemble {
  readonly plan: ReadPlan;
}

/**
 * An array of a file as an ensemble of daily values of `variable`, or of that which the file names; undefined where it has no dimension of
 * time. Throws DataError and OptionError as `gridEnsemble` does.
 */
export async function openArray(
  reader: ArrayReader,
  array: StoredArray,
  variable: Variable | undefined,
  options: GridOptions,
): Promise<ArrayEnsemble | undefined> {
  const { source } = reader.file;
  const layout = await arrayLayout(reader, array, options.init);
  if (layout === undefined) return undefined;
  const held = variable ?? arrayVariable(array, options.variables);
  const units = textAttribute(array.attributes, 'units') ?? textAttribute(array.attributes, 'GRIB_units');
  const { steps, notes } = arrayDays(source, layout, options);
  const rule = dailyRule(array, source, held, units, steps, options);
  const coding = valueCoding(array);
  const readPlan = { source, layout, steps, rule, coding, type: dailyType(coding), order: storedOrder(layout) };
  const plan: ReadPlan = { ...readPlan, linear: linearRule(readPlan) };
  return {
    ...{ source, array: array.name, variable: held, units: rule.units },
    conversions: [...notes, ...rule.conversions],
    metadata: fileMetadata(reader.file, layout.times.init),
    type: plan.type,
    members: layout.members,
    firstDay: steps.firstDay,
    days: steps.days,
    grid: layout.cells.grid,
    cells: layout.length.y * layout.length.x,
    blocks: (bytes, cuts) => planBlocks(plan, bytes, cuts),
    read: (block, core) => readBlock(plan, block, core),
    plan,
  };
}

/** The days of an array, and what was decided of its times, for people. */
function arrayDays(
  source: string,
  { array, times }: ArrayLayout,
  { stamps: asked, accumulation }: GridOptions,
): { steps: DailySteps; notes: string[] } {
  const method = timeMethod(array.attributes);
  const grows = accumulation === 'since-start';
  // Bounds of instants, and of amounts since the start, are none of steps.
  const bounds = method === 'point' || grows ? undefined : times.bounds;
  const stamps = asked ?? (grows || isOfInterval(array) ? 'end' : 'start');
  const steps = atPlace(source, times.coordinate, () => dailySteps(times.seconds, { bounds, stamps }));
  if (steps.days === 0) {
    throw new DataError({
      ...{ source, column: array.name, problem: 'no UTC day is whole', received: `${times.seconds.length} time steps` },
      allowed: 'all steps of a day at least',
    });
  }
  const single = times.seconds.length === 1 && bounds === undefined ? ['one time step, taken as a whole day'] : [];
  const isSubDaily = steps.steps.some((count) => count > 1);
  const ends = stamps === 'end' && bounds === undefined && isSubDaily ? ['times mark the ends of steps'] : [];
  const known = grows && beginsLate(steps, times) ? { ...steps, whole: steps.whole.with(0, 0) } : steps;
  return { steps: known, notes: [...single, ...ends] };
}

/** Whether values come from GRIB messages of an interval: their times are its end. */
function isOfInterval({ attributes }: StoredArray): boolean {
  return ['accum', 'avg', 'max', 'min'].includes(textAttribute(attributes, 'GRIB_stepType') ?? '');
}

/** Whether a file begins after the start of its forecast: what had accumulated by then is not known. */
function beginsLate(steps: DailySteps, { seconds, init }: ArrayLayout['times']): boolean {
  const begins = seconds[0] - steps.seconds[0];
  return steps.firstStep[0] === 0 && init !== undefined && Math.abs(begins - init) > 60;
}

/** What a function gives; a DataError of it names the file and the coordinate. */
function atPlace<T>(source: string, column: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const { problem, received, allowed } = error;
    throw new DataError({ source, column, problem, received, allowed, cause: error });
  }
}
