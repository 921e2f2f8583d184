import { Work } from '../../check/work.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { elements } from '../array/copy-box.js';
import { type ArrayLayout, layoutBox, stridesIn } from './array-layout.js';
import type { ArrayReader } from './array-reader.js';
import { textAttribute } from './attribute-values.js';
import type { GridEnsemble } from './grid-ensemble.js';
import type { CheckedGridOptions, GridOptions } from './grid-options.js';
import { readLandMask } from './land-mask.js';
import { type ArrayEnsemble, openArray } from './open-array.js';
import { openChosen } from './open-grid-ensemble.js';
import { openRuns } from './open-runs.js';
import { cellAtPoint } from './table-at-point.js';
import { listedRuns, readRuns } from './time/time-axis.js';
import { modelPart, utcText } from './time/time-units.js';
import { createArray, decodeRow, fillParts } from './value-coding.js';

/** The most runs that are looked at: each costs the chunks of a place. */
const MAX_RUNS = 10;

/**
 * Opens the ensemble of one variable as `gridEnsemble` does, of several runs the newest one that is complete at a place:
 * the one at the point, or else one in the middle. All of its members have values at all steps there, up to the length
 * that the file expects of the run; the first step may have none, as where values are means since the step before. That a
 * file says what it has received is not believed. A note says which run it is.
 *
 * With `asSteps` its time steps are rows, as `gridSteps` has them. Throws what `gridEnsemble` throws, and DataError where no run among the newest is complete.
 */
export async function newestRunEnsemble(
  opened: ArrayFile,
  options: GridOptions,
  point: Point | undefined,
  { asSteps }: Pick<CheckedGridOptions, 'asSteps'> = {},
): Promise<GridEnsemble> {
  const work = new Work({}, 'values');
  const [ensemble] = await openChosen(opened, options, work, async (reader, array, variable, given) => {
    const checked = asSteps ? { ...given, asSteps } : given;
    const open = (run: number) => openArray(reader, array, variable, { ...checked, init: undefined }, run);
    const runs = await readRuns(reader, array, 1);
    if (runs !== undefined) return newestOf(opened, reader, runs, open, point);
    const found = await openRuns(reader, array, variable, checked);
    return found && [found];
  });
  return ensemble;
}

type Runs = NonNullable<Awaited<ReturnType<typeof readRuns>>>;

async function newestOf(
  file: ArrayFile,
  reader: ArrayReader,
  { seconds, calendar }: Runs,
  open: (run: number) => Promise<ArrayEnsemble | undefined>,
  point: Point | undefined,
): Promise<readonly ArrayEnsemble[] | undefined> {
  const byTime = [...seconds.keys()].sort((a, b) => seconds[b] - seconds[a]);
  const nameOf = (run: number) => utcText(seconds[run], modelPart(calendar));
  const newest = seconds.length === 1 ? 'the only one' : `the newest of ${seconds.length} runs`;
  let [reason, empty]: (string | undefined)[] = [];
  for (const run of byTime.slice(0, MAX_RUNS)) {
    const ensemble = await open(run);
    if (ensemble === undefined) return undefined;
    const cell = await sampleCell(file, ensemble, point);
    const found = await completeness(reader, ensemble, cell);
    if (found === 'complete') {
      const others = reason ?? empty;
      const note = others === undefined ? newest : `${newest} that is complete: ${others}`;
      return [{ ...ensemble, conversions: [`run ${nameOf(run)}, ${note}`, ...ensemble.conversions] }];
    }
    if (found === 'empty') empty ??= `${nameOf(run)} has no value at the place`;
    else reason ??= `in ${nameOf(run)} ${found}`;
  }
  // A place may have no values in any run, such as one at sea.
  const [first] = byTime;
  const ensemble = reason === undefined ? await open(first) : undefined;
  if (ensemble !== undefined)
    return [{ ...ensemble, conversions: [`run ${nameOf(first)}, ${newest}: ${empty}`, ...ensemble.conversions] }];
  const texts = [...byTime].reverse().map(nameOf);
  throw new DataError({
    ...{ source: file.source, problem: `no run${texts.length > 1 ? ' among the newest' : ''} is complete` },
    received: reason,
    allowed: `the time of one of them: ${listedRuns(texts)}`,
  });
}

async function sampleCell(file: ArrayFile, ensemble: ArrayEnsemble, point: Point | undefined): Promise<number> {
  if (point !== undefined) return cellAtPoint(ensemble, point, await readLandMask(file, ensemble)).cell;
  const { y, x } = ensemble.plan.layout.length;
  return Math.floor(y / 2) * x + Math.floor(x / 2);
}

/** What is missing of a run at a cell: nothing, everything, or the first value that is. */
async function completeness(
  reader: ArrayReader,
  { plan, members }: ArrayEnsemble,
  cell: number,
): Promise<'complete' | 'empty' | string> {
  const { layout, coding } = plan;
  const { times, array, length } = layout;
  const y = Math.floor(cell / length.x);
  const all = (count: number) => ({ start: 0, count });
  const one = (start: number) => ({ start, count: 1 });
  const extent = { member: all(length.member), time: all(length.time), y: one(y), x: one(cell - y * length.x) };
  const box = layoutBox(layout, extent);
  const stored = createArray(array.type, elements(box.count));
  const values = new Float64Array(stored.length);
  const absent = await array.read(box, stored);
  const isWide = stored instanceof BigInt64Array || stored instanceof BigUint64Array;
  decodeRow(isWide ? Float64Array.from(stored, Number) : stored, 0, 1, values, coding);
  fillParts(values, box, absent, Number.NaN);
  if (values.every(Number.isNaN)) return 'empty';
  const strides = stridesIn(layout, box);
  const last = (times.init ?? Number.NEGATIVE_INFINITY) + (await expectedLength(reader, layout));
  for (let step = 0; step < length.time && times.seconds[step] <= last; step++) {
    const isMissing = (member: number) => Number.isNaN(values[member * strides.member + step * strides.time]);
    const missing = members.findIndex((_, member) => isMissing(member));
    if (missing < 0 || (step === 0 && members.every((_, member) => isMissing(member)))) continue;
    return `member ${members[missing]} has no value at ${utcText(times.seconds[step], modelPart(times.calendar))}`;
  }
  return 'complete';
}

/** An array along the runs with their lengths, by the name that dynamical.org gives it. */
const EXPECTED = 'expected_forecast_length';

/** How long the run of a layout is to become, in seconds; infinite where the file does not say. */
async function expectedLength({ file, ...reader }: ArrayReader, { times: { run } }: ArrayLayout): Promise<number> {
  const lengths: StoredArray | undefined = file.arrays.get(EXPECTED);
  const isOfRuns = lengths?.dimensions.length === 1 && lengths.dimensions[0] === run?.dimension.name;
  if (lengths === undefined || run === undefined || !isOfRuns) return Number.POSITIVE_INFINITY;
  if (textAttribute(lengths.attributes, 'units') !== 'seconds') return Number.POSITIVE_INFINITY;
  const length = (await reader.numbers(lengths))[run.index];
  return Number.isNaN(length) ? Number.POSITIVE_INFINITY : length;
}
