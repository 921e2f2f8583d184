import { assertKnownKeys } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work } from '../../check/work.js';
import type { Core } from '../../core/load.js';
import { MemberColumn } from '../../core/member-column.js';
import { type FloatArray, valueBytes } from '../../core/number-arrays.js';
import type { DailySteps } from '../../ensemble/daily-steps.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { DataError, mentionOption, OptionError } from '../../errors.js';
import type { Variable } from '../../variable/variable.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { type ArrayReader, arrayReader } from './array-reader.js';
import { cellPlaces, valuePlace } from './cells/cell-places.js';
import { NoCompleteDayError } from './days/array-days.js';
import { planBlocks } from './days/block-plan.js';
import { assertBlock, memberStride, readBlock } from './days/read-block.js';
import type { ReadPlan } from './days/read-plan.js';
import type { Block } from './grid-ensemble.js';
import type { CheckedGridOptions } from './grid-options.js';
import { type ArrayEnsemble, openArray } from './open-array.js';
import { listedRuns, readRuns } from './time/time-axis.js';
import { modelPart, utcText } from './time/time-units.js';

/** The value of the option `init` for all runs. */
export const ALL_RUNS = 'all';

/**
 * Opens an array as `openArray` does; with `init: 'all'` all of its runs as one lagged ensemble, whose members are
 * those of each run, and whose days are those of any run. Each run's daily values are computed on its own. Runs without
 * a complete day are left out, with a note. Runs that are one series of times already stay one.
 *
 * Throws what `openArray` throws, OptionError where the array holds several runs and none is named, and where they seem
 * to count amounts in different ways, and DataError where a run occurs twice, and where none has a complete day.
 */
export async function openRuns(
  reader: ArrayReader,
  array: StoredArray,
  variable: Variable | undefined,
  options: CheckedGridOptions,
): Promise<ArrayEnsemble | undefined> {
  if (array.severalRuns !== undefined && options.init === undefined) throw severalRunsError(reader.file, array);
  if (options.init !== ALL_RUNS) return openArray(reader, array, variable, options);
  const all = await openEachRun(reader, array, variable, options);
  if (all === undefined) return undefined;
  return all.runs === undefined ? all.single : laggedEnsemble(all.runs, all.notes);
}

/** Each run of an array by itself, and notes about those that were left out; or the only one. */
type EachRun =
  | { readonly runs: readonly NamedRun[]; readonly notes: readonly string[] }
  | { readonly runs: undefined; readonly single: ArrayEnsemble };

/**
 * Opens each run of an array by itself; runs that make one series of times only with `alsoOfSeries`. Throws as `openRuns`
 * does.
 */
export async function openEachRun(
  reader: ArrayReader,
  array: StoredArray,
  variable: Variable | undefined,
  options: CheckedGridOptions,
  alsoOfSeries = false,
): Promise<EachRun | undefined> {
  const { severalRuns } = array;
  const areApart = severalRuns === 'apart' || (severalRuns === 'series' && alsoOfSeries);
  const runs = areApart ? runsApart(reader, array) : await runsAlongDimension(reader, array);
  if (runs === undefined) {
    const single = await openArray(reader, array, variable, { ...options, init: undefined });
    return single && { runs, single };
  }
  const opened: { name: string; ensemble: ArrayEnsemble }[] = [];
  const leftOut: { name: string; error: DataError }[] = [];
  for (const { name, open } of runs) {
    try {
      const found = await open();
      const ensemble = await openArray(found.reader, found.array, variable, { ...options, init: undefined }, found.run);
      if (ensemble === undefined) return undefined;
      opened.push({ name, ensemble });
    } catch (error) {
      if (!(error instanceof NoCompleteDayError)) throw error;
      leftOut.push({ name, error });
    }
  }
  if (opened.length === 0) throw leftOut[0].error;
  const ensembles = opened.map(({ ensemble }) => ensemble);
  assertSameAmounts(reader.file.source, ensembles);
  assertSamePeriods(ensembles);
  return { runs: opened, notes: leftOut.map(({ name }) => `run ${name} has no complete day, and is left out`) };
}

/** A run by its name, the time at which it begins: where its array is read, and the index of the run there. */
interface FoundRun {
  readonly name: string;
  open(): Promise<{ readonly reader: ArrayReader; readonly array: StoredArray; readonly run: number | undefined }>;
}

/** The runs along a dimension, in the order of their times; undefined where an array has none. */
async function runsAlongDimension(reader: ArrayReader, array: StoredArray): Promise<FoundRun[] | undefined> {
  const runs = await readRuns(reader, array);
  return (
    runs &&
    [...runs.seconds.keys()]
      .sort((a, b) => runs.seconds[a] - runs.seconds[b])
      .map((run) => ({
        name: utcText(runs.seconds[run], modelPart(runs.calendar)).replace(/:00Z$/, 'Z'),
        open: async () => ({ reader, array, run }),
      }))
  );
}

/** The runs of an array whose steps have no common axis: each of the file that has its values alone. */
function runsApart({ file, calendar }: ArrayReader, { name: path }: StoredArray): FoundRun[] | undefined {
  const { seconds, select } = file.runs ?? {};
  return seconds?.map((time) => ({
    name: utcText(time).replace(/:00Z$/, 'Z'),
    open: async () => {
      const of = await select?.(time);
      const array = of?.arrays.get(path);
      if (of === undefined || array === undefined) {
        const problem = `is not in the run ${utcText(time)}`;
        throw new DataError({ source: file.source, column: path, problem, allowed: 'an array that all runs have' });
      }
      return { reader: arrayReader(of, calendar), array, run: undefined };
    },
  }));
}

/** The error for several runs that nothing but their times joins, where the caller says nothing of them. */
function severalRunsError({ source, runs }: ArrayFile, { name, severalRuns }: StoredArray): OptionError {
  const texts = (runs?.seconds ?? []).map((time) => utcText(time));
  const all = severalRuns === 'series' ? 'all, one after the other as one series' : 'all, as one lagged ensemble';
  return new OptionError({
    ...{ subject: `${source}, init`, problem: `array ${name} holds ${texts.length} runs` },
    allowed: `the time of one of them: ${listedRuns(texts)}; or ${all}`,
  });
}

/** What amounts count is decided for each run, and must be the same for all where it makes a difference. */
function assertSameAmounts(source: string, ensembles: readonly ArrayEnsemble[]): void {
  const kinds = new Set(ensembles.flatMap(({ accumulation }) => accumulation ?? []));
  kinds.delete('either');
  if (kinds.size < 2) return;
  throw new OptionError({
    ...{ subject: `${source}, accumulation`, problem: 'runs seem to count amounts in different ways' },
    received: [...kinds].join(', '),
    allowed: mentionOption('accumulation', 'per-step', 'since-start', 'buckets-6h'),
  });
}

function assertSamePeriods(ensembles: readonly ArrayEnsemble[]): void {
  const [{ source, array: column, granularity }] = ensembles;
  const other = ensembles.find((each) => each.granularity !== granularity);
  if (other === undefined) return;
  throw new DataError({
    ...{ source, column, problem: 'runs have values of different periods' },
    ...{ received: `${granularity}, and ${other.granularity}`, allowed: 'the same periods in all runs' },
  });
}

/** A run of a lagged ensemble, and its name: the time at which it begins. */
interface NamedRun {
  readonly name: string;
  readonly ensemble: ArrayEnsemble;
}

/**
 * Joins runs of the same array, in the order of their times, to one ensemble: the members of the first run, then of the
 * next. Days that a run does not have are missing values of its members. Members are called by the time of their run,
 * and where a run has several, by their own names behind it. It was issued when the last run was: `init_time` is the same
 * for all variables, whatever days they begin with. `notes` stand before the notes of the runs.
 */
function laggedEnsemble(runs: readonly NamedRun[], notes: readonly string[]): ArrayEnsemble {
  const hasSeveral = runs.some(({ ensemble }) => ensemble.members.length > 1);
  const plans = runs.map(({ name, ensemble: { plan, members } }): ReadPlan => {
    const names = members.map((member) => (hasSeveral ? `${name} ${member}` : name));
    return { ...plan, layout: { ...plan.layout, members: names } };
  });
  const members = plans.flatMap(({ layout }) => layout.members);
  const longest = plans.reduce((a, b) => (b.steps.days > a.steps.days ? b : a));
  const plan = { ...longest, steps: unionSteps(longest, plans) };
  const { layout } = longest;
  const [{ name: first, ensemble }] = runs;
  const cells = layout.length.y * layout.length.x;
  // A block is in memory together with one run's part of it.
  const held = members.length + Math.max(...plans.map(({ layout: { length } }) => length.member));
  const planned = { ...plan, layout: { ...layout, length: { ...layout.length, member: held } } };
  const ofRuns = `${runs.length} runs, ${first} to ${runs[runs.length - 1].name}, as one lagged ensemble`;
  const metadata = new Map(ensemble.metadata);
  const issued = runs[runs.length - 1].ensemble.metadata.get('init_time');
  if (issued !== undefined) metadata.set('init_time', issued);
  const kind = runs.map((run) => run.ensemble.accumulation).find((each) => each !== undefined && each !== 'either');
  return {
    ...ensemble,
    ...(kind && { accumulation: kind }),
    conversions: [...new Set([ofRuns, ...notes, ...runs.flatMap((run) => run.ensemble.conversions)])],
    warnings: [...new Set(runs.flatMap((run) => run.ensemble.warnings))],
    ...{ metadata, members, plan },
    firstDay: plan.steps.firstDay,
    days: plan.steps.days,
    blocks: (bytes, cuts) => planBlocks(planned, bytes, cuts),
    read: async (block, core, options = {}) => {
      assertBlock(block, cells, plan.steps.days);
      const { work, others } = beginWork(options, 'values', members.length * block.cells * block.days);
      assertKnownKeys(others, WORK_KEYS);
      return work.run(() => readPlans(plans, { ...plan, layout: { ...layout, members } }, block, core, work));
    },
  };
}

/**
 * The steps of a run along the days of all runs: those that another run has are complete, without steps of this one.
 */
function unionSteps({ steps }: ReadPlan, plans: readonly ReadPlan[]): DailySteps {
  const firstDay = Math.min(...plans.map((plan) => plan.steps.firstDay));
  const days = Math.max(...plans.map((plan) => plan.steps.firstDay + plan.steps.days)) - firstDay;
  const at = steps.firstDay - firstDay;
  const last = steps.days - 1;
  const firstStep = new Int32Array(days).fill(steps.firstStep[0]);
  firstStep.fill(steps.firstStep[last] + steps.steps[last], at + steps.days);
  firstStep.set(steps.firstStep, at);
  const counts = new Int32Array(days);
  counts.set(steps.steps, at);
  const whole = new Uint8Array(days);
  for (const { steps: own } of plans)
    for (const [day, is] of own.whole.entries()) if (is === 1) whole[own.firstDay - firstDay + day] = 1;
  return { firstDay, days, firstStep, steps: counts, whole, seconds: steps.seconds };
}

/** Reads a block of all runs to the top of the core's memory; if reading fails, the memory is released. */
async function readPlans(
  plans: readonly ReadPlan[],
  { source, layout, steps, order, type }: ReadPlan,
  block: Block,
  core: Core,
  work: Work,
): Promise<EnsemblePart> {
  const { cells, days } = block;
  const { members, array } = layout;
  const length = cells * days;
  const stride = memberStride(length * valueBytes(type));
  const mark = core.memory.mark();
  const address = core.memory.allocate(members.length * stride);
  const viewOf = (member: number) => core.memory[type](address + member * stride, length);
  try {
    let member = 0;
    for (const plan of plans) {
      const { members: own } = plan.layout;
      for (let m = 0; m < own.length; m++) viewOf(member + m).fill(Number.NaN);
      await readRun(plan, steps.firstDay, block, { core, work, targetOf: (m) => viewOf(member + m) });
      work.advance(own.length * length);
      member += own.length;
    }
    work.check();
  } catch (error) {
    core.memory.release(mark);
    throw error;
  }
  const firstDay = steps.firstDay + block.day;
  const places = cellPlaces(layout.cells.grid, block.cell, cells);
  const { latitude, longitude } = places;
  return {
    field: {
      ...{ type, order, firstDay, days, cells },
      members: members.map((name, m) => new MemberColumn(name, [{ values: viewOf(m) }])),
      place: (m, row) => {
        const [day, cell] =
          order === 'day-fastest' ? [row % days, Math.floor(row / days)] : [Math.floor(row / cells), row % cells];
        const named = { source, array: array.name, calendar: modelPart(layout.times.calendar) };
        return valuePlace(named, members[m], firstDay + day, latitude[cell], longitude[cell]);
      },
    },
    ...places,
  };
}

/** Where the values of a run go. */
interface RunTarget {
  readonly core: Core;
  readonly work: Work;
  readonly targetOf: (member: number) => FloatArray;
}

/** Reads the days of a block that a run has, and copies them to the values of its members. */
async function readRun(
  plan: ReadPlan,
  firstDay: number,
  { cell, cells, day, days }: Block,
  { core, work, targetOf }: RunTarget,
): Promise<void> {
  const offset = plan.steps.firstDay - firstDay;
  const from = Math.max(day, offset);
  const to = Math.min(day + days, offset + plan.steps.days);
  if (from >= to) return;
  const mark = core.memory.mark();
  const part = { cell, cells, day: from - offset, days: to - from };
  const { field } = await readBlock(plan, part, core, { signal: work.signal });
  for (const [m, member] of field.members.entries()) {
    const [{ values }] = member.chunks;
    const target = targetOf(m);
    if (field.order === 'cell-fastest') target.set(values, (from - day) * cells);
    else {
      for (let c = 0; c < cells; c++)
        target.set(values.subarray(c * field.days, (c + 1) * field.days), c * days + from - day);
    }
  }
  core.memory.release(mark);
}
