import { assertOneOf } from '../../check/option-checks.js';
import { beginWork, type Work } from '../../check/work.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { DataError, OptionError } from '../../errors.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { ForecastHeader } from '../source/folder/manifest.js';
import { type ForecastPart, horizonOf } from '../source/folder/store-part.js';
import { assertHorizonKept, type GivenRun } from './assert-kept.js';
import { blendStored } from './blend-stored.js';
import { catalogForecast, type ForecastCatalog, type GridFiles } from './forecast-catalog.js';
import type { ForecastInput, ForecastOutcome, RejectedRun } from './forecast-input.js';
import { compareExtents, describeShortfall, rejectedRun } from './run-extent.js';
import { assertInput, assertWriter, type StoreWriter } from './store-writer.js';
import { type InThreads, SharedWork } from './variable-threads.js';
import { writeVariable } from './write-variable.js';

/**
 * Writes runs of horizons to a store, each without the days before its first complete one, and blends the timeline anew
 * where its horizons changed, with one pairing for all variables. What is not given stays: other horizons; of the same run
 * also other variables, and other places where the files have some of them. A newer run replaces its horizon; where it has
 * fewer members, days or variables than the last complete one, the store states that, and where it has less than the least,
 * the run before stays. Files are read one variable at a time, and files of arrays some places at a time. A horizon may be missing: the timeline ends where the data
 * end, and a gap stays a gap.
 *
 * Throws DataError for files that do not belong together, or whose values cannot be used, and OptionError for invalid
 * names and times, and where the store would lose more than `input` allows; and the reason of its `signal`, if that is
 * aborted.
 */
export async function ingestForecast(core: Core, writer: StoreWriter, input: ForecastInput): Promise<ForecastOutcome> {
  assertCore(core);
  assertWriter(writer, 'setForecast', 'keep', 'write', 'share', 'storedPart', 'storedBefore');
  assertInput(input);
  const { work, others } = beginWork(input, 'values');
  return work.run(() => ingest(writer, others, work));
}

async function ingest(writer: StoreWriter, input: ForecastInput & InThreads, work: Work): Promise<ForecastOutcome> {
  for (const { horizon } of input.files) assertOneOf('horizon', horizon, HORIZONS);
  const catalog = await catalogForecast(input);
  const { before } = writer;
  const given = givenRuns(catalog, before.forecast);
  for (const run of given) await assertHorizonKept(writer, run, input);
  const rejected = given.flatMap((run) => {
    const isNew = run.part === run.horizon && run.initTime !== run.initTimeBefore;
    return (isNew && rejectedRun(run, before, input)) || [];
  });
  for (const run of rejected) input.onNotice?.(describeRejected(run, before.forecast));
  const used = given.filter(({ horizon }) => rejected.every((run) => run.horizon !== horizon));
  if (used.length === 0) return { written: [], rejected, shortfalls: before.forecast?.shortfalls ?? [] };
  const written = used.flatMap(({ part, horizon }) => (part === horizon ? horizon : []));
  if (written.length === 0 && before.forecast === undefined) {
    const problem = 'has files of the 1 km grid alone';
    throw new OptionError({ subject: 'files', problem, allowed: 'files of the coarse grid, too' });
  }
  const header = catalog.header.header(written, before.forecast);
  assertFineRuns(used, header);
  writer.setForecast({ ...header, pairing: before.forecast?.pairing });
  const changed = keepRest(writer, used, input.replace === true);
  work.expect(used.reduce((sum, run) => sum + valuesOf(run), 0));
  const { threads, pairBy, onNotice } = input;
  const writing = new SharedWork(threads);
  for (const { entries, ...run } of used) {
    for (const entry of entries.values()) {
      const begun = threads?.writeVariable(run, entry, work);
      writing.add(begun, () => writeVariable(writer, run, entry, input, work));
    }
  }
  await writing.end();
  // Members are paired by this thread alone.
  await threads?.release();
  await blendStored(writer, { pairBy, onNotice, given: written, changed, work, threads });
  const { forecast } = writer.stored;
  const compared = compareExtents(before, writer.stored, input.replace ? written : []);
  writer.setForecast({ ...(forecast as ForecastHeader), ...compared });
  const { shortfalls = [] } = compared;
  for (const shortfall of shortfalls) input.onNotice?.(describeShortfall(shortfall));
  const { keepIssued = false } = input;
  if (keepIssued !== false) {
    for (const horizon of written) await writer.keepIssued(horizon, keepIssued === true ? undefined : keepIssued);
  }
  return { written, rejected, shortfalls };
}

/** The runs of all files, by horizon, the coarse ones first. */
function givenRuns({ header, coarse, fine }: ForecastCatalog, before: ForecastHeader | undefined): GivenRun[] {
  const runsOf = (grid: GridFiles | undefined, isFine: boolean) =>
    (grid?.horizons ?? []).flatMap((horizon): GivenRun[] => {
      const { variables, places } = grid as GridFiles;
      const own = [...variables].flatMap(([slug, horizons]) => {
        const entry = horizons.get(horizon);
        return entry === undefined ? [] : [[slug, entry] as const];
      });
      const initTime = header.initTimes[horizon];
      if (own.length === 0 || initTime === undefined) return [];
      const part = isFine ? (`fine-${horizon}` as const) : horizon;
      const initTimeBefore = before?.horizonInitTimes[horizon];
      return [{ part, horizon, initTime, initTimeBefore, entries: new Map(own), places }];
    });
  return [...runsOf(coarse, false), ...runsOf(fine, true)];
}

function describeRejected({ horizon, initTime, reason }: RejectedRun, before: ForecastHeader | undefined): string {
  const kept = before?.horizonInitTimes[horizon];
  const rest = kept === undefined ? 'there is none' : `that of ${kept} stays`;
  return `the ${horizon} run of ${initTime} is not used, as ${reason}: ${rest}`;
}

/** Throws DataError where 1 km data are of another run than the coarse data of the store. */
function assertFineRuns(used: readonly GivenRun[], { horizonInitTimes }: ForecastHeader): void {
  for (const { part, horizon, initTime, entries } of used) {
    if (part === horizon || horizonInitTimes[horizon] === initTime) continue;
    const [[, { file }]] = entries;
    throw new DataError({
      source: file.source,
      problem: `has 1 km data of another ${horizon} run than the coarse grid`,
      received: initTime,
      allowed: horizonInitTimes[horizon] ?? 'files of the coarse grid, too',
    });
  }
}

/** The variables of each grid that change in any horizon. */
interface ChangedVariables {
  readonly coarse: ReadonlySet<string>;
  readonly fine: ReadonlySet<string>;
}

/**
 * Keeps what is not given: other horizons, and of the same run other variables, unless they are replaced. The 1 km grid of
 * an older run does not stay.
 */
function keepRest(writer: StoreWriter, used: readonly GivenRun[], isReplaced: boolean): ChangedVariables {
  const { parts } = writer.before;
  const changed = { coarse: new Set<string>(), fine: new Set<string>() };
  const changedOf = (part: string, horizon: HorizonName) => (part === horizon ? changed.coarse : changed.fine);
  for (const { part, horizon, entries } of used) {
    for (const slug of entries.keys()) changedOf(part, horizon).add(slug);
  }
  const isNew = ({ initTime, initTimeBefore }: GivenRun) => initTime !== initTimeBefore;
  let hasFine = false;
  for (const [part, { variables }] of parts) {
    const horizon = horizonOf(part);
    if (horizon === undefined) continue;
    hasFine ||= part !== horizon;
    const isOfBefore = used.some((run) => run.horizon === horizon && isNew(run));
    const isGiven = used.some((run) => run.part === part);
    if (!isOfBefore && !(isGiven && isReplaced)) writer.keep(part as ForecastPart);
    else for (const slug of variables.keys()) changedOf(part, horizon).add(slug);
  }
  // Stores of version 1 have a 1 km timeline without its horizons.
  const isCoarse = used.every((run) => run.part === run.horizon && !isNew(run));
  if (!hasFine && isCoarse && parts.has('fine-timeline')) writer.keep('fine-timeline');
  return changed;
}

/** How many values the files of a run have. */
function valuesOf({ entries, places }: GivenRun): number {
  const axes = [...entries.values()].map(({ axis }) => axis.days * axis.members);
  return axes.reduce((sum, values) => sum + values, 0) * places.latitude.length;
}
