import {
  type Accumulation,
  type Amounts,
  readAccumulation,
  type StepEdges,
  statedAmounts,
  stepEdges,
} from '../../../ensemble/accumulation.js';
import { AccumulationEvidence } from '../../../ensemble/accumulation-evidence.js';
import { type Stamps, stepSeconds } from '../../../ensemble/daily-steps.js';
import { mentionOption } from '../../../errors.js';
import { DAY_SECONDS } from '../../../period/day.js';
import type { ArrayFile, StoredArray } from '../../array/array-file.js';
import { type ArrayLayout, type Extent, layoutBox, stridesIn } from '../array-layout.js';
import { readNumbers } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import type { CheckedGridOptions } from '../grid-options.js';
import { atPlace, type TimeAxis, timeMethod } from '../time/time-axis.js';
import { decodeRow, type ValueCoding, valueCoding } from '../value-coding.js';
import type { ArrayAmounts, GrowingValues } from './growing-values.js';
import { chunkLengths } from './read-plan.js';

const HOUR = 3600;

/** The times at which the steps of growing amounts end, and the beginning and end of each step. */
export function growthEdges({ seconds, bounds }: TimeAxis, stamps: Stamps = 'end') {
  const hasBounds = bounds !== undefined && hasLength(bounds);
  const times = hasBounds ? seconds.map((_, step) => bounds[2 * step + 1]) : seconds;
  const marked = hasBounds ? 'end' : stamps;
  return { times, stamps: marked, edges: stepEdges(times, stepSeconds(times, marked), marked) } as const;
}

/** Whether bounds are of steps, not of instants. */
export function hasLength(bounds: Float64Array): boolean {
  return bounds.some((time, i) => i % 2 === 1 && time > bounds[i - 1]);
}

/**
 * Finds what the amounts of an array count: as the option says, else as the metadata say, else as the values show where
 * steps are shorter than a day, or GRIB calls them accumulated since the start of a run; other daily amounts are those
 * of their day. Only a sample of the file's values is read.
 *
 * Throws OptionError where neither metadata nor values show it.
 */
export async function arrayAmounts(
  file: ArrayFile,
  layout: ArrayLayout,
  smallest: number,
  { accumulation, stamps, missing }: CheckedGridOptions,
): Promise<ArrayAmounts | undefined> {
  const { array, times } = layout;
  const { source } = file;
  const { edges } = atPlace(source, times.coordinate, () => growthEdges(times, stamps));
  const bounds = times.bounds !== undefined && hasLength(times.bounds) ? times.bounds : undefined;
  const stated = accumulation === undefined ? statedAmounts(array.attributes, edges, bounds) : undefined;
  if (stated !== undefined) return { amounts: stated, smallest, isCertain: true };
  const isSubDaily = edges.ends.some((end, step) => end - edges.starts[step] < DAY_SECONDS - 60);
  if (accumulation === undefined && !isSubDaily) {
    if (textAttribute(array.attributes, 'GRIB_stepType') !== 'accum' || times.init === undefined) return undefined;
    return inferGrowingDays(source, layout, smallest, edges, missing);
  }
  const given = accumulation && readAccumulation(accumulation, times.init);
  if (given !== undefined) return { amounts: given, smallest, isCertain: true };
  return inferAmounts(file, layout, smallest, edges, { accumulation, missing });
}

/**
 * Daily amounts of a run that GRIB calls accumulated: they grow from its start if none falls, with a warning where the
 * days are too few to show it; else they are those of their day.
 */
async function inferGrowingDays(
  source: string,
  layout: ArrayLayout,
  smallest: number,
  edges: StepEdges,
  missing: CheckedGridOptions['missing'],
): Promise<ArrayAmounts | undefined> {
  const { array, times } = layout;
  const evidence = new AccumulationEvidence(edges, { init: times.init, smallest });
  const found = await sampledAmounts(evidence, layout, valueCoding(array, source, missing));
  const kind = found.amounts?.kind;
  if (kind === 'since-start') return { ...found, amounts: found.amounts as Amounts, smallest };
  const isAtStart = Math.abs(times.seconds[0] - (times.init as number)) < HOUR;
  if (kind !== undefined || !evidence.neverFalls || (isAtStart && found.beginsWet)) return undefined;
  const warning = `amounts of ${array.name} never fall, and GRIB_stepType says accum: taken for those since the start of the run; ${mentionOption('accumulation')} decides otherwise`;
  return { amounts: { kind: 'since-start', by: 'by GRIB_stepType' }, smallest, isCertain: found.isCertain, warning };
}

/** What a sample of values shows: as much of it is read as it takes. */
async function sampledAmounts(
  evidence: AccumulationEvidence,
  layout: ArrayLayout,
  coding: ValueCoding,
  accumulation?: Accumulation,
): Promise<{ readonly amounts: Amounts | undefined; readonly isCertain: boolean; readonly beginsWet: boolean }> {
  let [isCertain, beginsWet] = [false, false];
  for await (const { series, firstStep, isAll } of sampleSeries(layout, coding)) {
    evidence.add(series, firstStep);
    isCertain = isAll;
    beginsWet ||= firstStep === 0 && series.some(([value]) => value > 0);
    const amounts = evidence.amounts(accumulation);
    if (amounts !== undefined && amounts.kind !== 'either') return { amounts, isCertain, beginsWet };
  }
  return { amounts: evidence.amounts(accumulation), isCertain, beginsWet };
}

async function inferAmounts(
  file: ArrayFile,
  layout: ArrayLayout,
  smallest: number,
  edges: StepEdges,
  { accumulation, missing }: Pick<CheckedGridOptions, 'accumulation' | 'missing'>,
): Promise<ArrayAmounts> {
  const evidence = new AccumulationEvidence(edges, { init: layout.times.init, smallest });
  const coding = valueCoding(layout.array, file.source, missing);
  const { amounts, isCertain } = await sampledAmounts(evidence, layout, coding, accumulation);
  if (amounts !== undefined && amounts.kind !== 'either') {
    const warning = sparseHours(file, layout, amounts);
    return { amounts, smallest, isCertain, ...(warning !== undefined && { warning }) };
  }
  // What makes no difference in a sample may make one elsewhere, unless all amounts are later checked to be as small.
  if (amounts !== undefined && (isCertain || evidence.isNegligible)) return { amounts, smallest, isCertain };
  throw evidence.unclear(`${file.source}, accumulation`, layout.array.name, accumulation);
}

/**
 * ERA5 counts each hour, and its ensemble three hours: of times further apart the hours between are not there. Other
 * products of ECMWF count from the start of a run, so that amounts of single steps without a run are of a reanalysis.
 */
function sparseHours({ attributes }: ArrayFile, { array, times, length }: ArrayLayout, { kind }: Amounts) {
  const hours = (times.seconds[1] - times.seconds[0]) / HOUR;
  const isFar = hours > (length.member > 1 ? 3 : 1);
  if (kind !== 'per-step' || times.init !== undefined || !isFar || !isOfEra5(array.attributes, attributes))
    return undefined;
  return `times of ${array.name} are ${hours} h apart, and ERA5 has amounts of single hours: the others are not counted, unless each value is of the whole step, as ${mentionOption('accumulation', 'per-step')} says`;
}

/** Whether the amounts of an array are of ERA5, or of another analysis of ECMWF, as they were when they were fetched. */
function isOfEra5(own: StoredArray['attributes'], ofFile: ArrayFile['attributes']): boolean {
  if (/ expver /.test(` ${textAttribute(own, 'coordinates') ?? ''} `)) return true;
  const centre = textAttribute(own, 'GRIB_centre') ?? textAttribute(ofFile, 'GRIB_centre');
  const history = textAttribute(ofFile, 'history') ?? '';
  const isOfEcmwf =
    (centre === 'ecmf' && textAttribute(own, 'GRIB_stepType') === 'accum') || /grib_to_netcdf/.test(history);
  // CDO's timselsum and others make amounts of longer steps.
  return isOfEcmwf && !/sum/i.test(history);
}

/**
 * Means whose intervals grow: since the start of a run, as DWD's radiation (0 to 1 h, 0 to 2, ...), or since regular
 * resets. A mean times its seconds is an amount since the same start, so that neighbouring steps give the mean of each
 * step, as they give its amount. Undefined for other values, by the bounds of time.
 */
export function arrayMeans(source: string, { array, times }: ArrayLayout): GrowingValues | undefined {
  const { bounds } = times;
  if (bounds === undefined || timeMethod(array.attributes) !== 'mean' || times.seconds.length < 2) return undefined;
  const isNested = times.seconds.some((_, step) => step > 0 && bounds[2 * step] < bounds[2 * step - 1]);
  if (!isNested) return undefined;
  const { edges } = atPlace(source, times.coordinate, () => growthEdges(times));
  const amounts = statedAmounts(new Map(), edges, bounds);
  if (amounts === undefined || amounts.kind === 'per-step') return undefined;
  const seconds = times.seconds.map((_, step) => bounds[2 * step + 1] - bounds[2 * step]);
  return { amounts, seconds };
}

/** An array with at most this many values is read completely. */
const SMALL = 2 ** 17;
/** The share of all stored values that a sample decodes, within the bounds below. */
const SHARE = 1 / 64;
const MIN_VALUES = 2 ** 20;
const MAX_VALUES = 2 ** 25;
/** The number of values read at a time, unless stored chunks are larger. */
const PART = 2 ** 18;
/** The extent of a sample, unless it costs too much. */
const WANTED = { members: 4, spots: 6, steps: 400 };
const MIN_STEPS = 40;
/** Cells along each side of a spot, and members of one stored chunk. */
const SIDE = 5;
const MEMBERS_OF_PIECE = 8;
/** The places of successive samples on the time axis. */
const PLACES_IN_TIME = [0.5, 0.15, 0.85, 0];
/** Multiples of this, modulo 1, are spread evenly, for any number of them. */
const GOLDEN = 0.6180339887498949;

/** Series of some members and cells, each of the same consecutive steps. */
interface SampledSeries {
  readonly firstStep: number;
  /** NaN where missing. */
  readonly series: readonly Float64Array[];
  /** Whether these are all values of the array. */
  readonly isAll: boolean;
}

/**
 * Samples the series of an array: samples are spread over members, field and time, and each decodes a small share of
 * the array. The caller stops when it knows enough. For a small array, one sample has all values.
 */
export async function* sampleSeries(layout: ArrayLayout, coding: ValueCoding): AsyncGenerator<SampledSeries> {
  const { member, time, y, x } = layout.length;
  if (member * time * y * x <= SMALL) {
    const all = { member: from(0, member), time: from(0, time), y: from(0, y), x: from(0, x) };
    yield { firstStep: 0, isAll: true, series: await readSeries(layout, coding, all, { y, x }) };
    return;
  }
  for (const [round, place] of PLACES_IN_TIME.entries()) {
    const { members, spots, steps } = sampleSize(layout);
    const chunk = chunkLengths(layout).time;
    const firstStep = Math.floor((place * (time - steps)) / chunk) * chunk;
    const series: Float64Array[] = [];
    for (let m = 0; m < members; m++) {
      for (let s = 0; s < spots; s++) {
        const extent = findSpot(layout, (m + 0.5) / members, round * spots + s);
        const sample = { ...extent, time: from(firstStep, steps) };
        series.push(
          ...(await readSeries(layout, coding, sample, { y: SIDE, x: extent.y.count === 1 ? SIDE ** 2 : SIDE })),
        );
      }
    }
    yield { firstStep, series, isAll: false };
  }
}

function from(start: number, count: number): { start: number; count: number } {
  return { start, count };
}

/** The numbers of cells and members that are read together: those of a stored chunk, else some cells in a row. */
function unitOf(layout: ArrayLayout) {
  const chunk = chunkLengths(layout);
  const isInParts = layout.array.chunk !== undefined;
  return { ...chunk, x: isInParts ? chunk.x : Math.min(layout.length.x, SIDE ** 2) };
}

/** The numbers of members, spots and steps that do not cost more than a sample may. */
function sampleSize(layout: ArrayLayout): { members: number; spots: number; steps: number } {
  const { length } = layout;
  const unit = unitOf(layout);
  const budget = Math.min(MAX_VALUES, Math.max(MIN_VALUES, SHARE * length.member * length.time * length.y * length.x));
  let steps = Math.min(length.time, WANTED.steps);
  let members = Math.min(Math.ceil(length.member / unit.member), WANTED.members);
  let spots = Math.min(Math.ceil(length.y / unit.y) * Math.ceil(length.x / unit.x), WANTED.spots);
  const cost = () => members * spots * unit.member * unit.y * unit.x * Math.ceil(steps / unit.time) * unit.time;
  while (cost() > budget) {
    if (spots > 2) spots--;
    else if (members > 2) members--;
    else if (steps > 2 * MIN_STEPS) steps = Math.ceil(steps / 2);
    else if (spots > 1) spots--;
    else if (members > 1) members--;
    else if (steps > MIN_STEPS) steps = Math.max(MIN_STEPS, Math.ceil(steps / 2));
    else break;
  }
  return { members, spots, steps };
}

/**
 * Finds the stored chunk, or the run of cells, at a fraction of the members and the `index`-th of the places spread
 * over the field.
 */
function findSpot(layout: ArrayLayout, member: number, index: number): Omit<Extent, 'time'> {
  const { length } = layout;
  const unit = unitOf(layout);
  const part = (role: 'member' | 'y' | 'x', fraction: number, most = length[role]) => {
    const which = Math.floor(fraction * Math.ceil(length[role] / unit[role]));
    const start = which * unit[role];
    return from(start, Math.min(unit[role], most, length[role] - start));
  };
  return {
    member: part('member', member, MEMBERS_OF_PIECE),
    y: part('y', ((index + 0.5) * GOLDEN) % 1),
    x: part('x', ((index + 0.5) * GOLDEN * GOLDEN + 0.25) % 1),
  };
}

/** Reads the series of some cells, spread over an extent, and of all its members. */
async function readSeries(
  layout: ArrayLayout,
  coding: ValueCoding,
  extent: Extent,
  cells: { readonly y: number; readonly x: number },
): Promise<Float64Array[]> {
  const { member, time, y, x } = extent;
  const places = (count: number, wanted: number) => {
    const of = Math.min(count, wanted);
    return Array.from({ length: of }, (_, i) => Math.floor(((i + 0.5) * count) / of));
  };
  const [rows, columns] = [places(y.count, cells.y), places(x.count, cells.x)];
  const series = Array.from(
    { length: member.count * rows.length * columns.length },
    () => new Float64Array(time.count),
  );
  const chunk = chunkLengths(layout).time;
  const atOnce = Math.max(chunk, Math.floor(PART / (member.count * y.count * x.count)));
  for (let step = time.start; step < time.start + time.count; ) {
    const end = Math.min(time.start + time.count, Math.floor((step + atOnce) / chunk) * chunk);
    const box = layoutBox(layout, { ...extent, time: from(step, end - step) });
    const values = await readNumbers(layout.array, box, coding);
    const strides = stridesIn(layout, box);
    let next = 0;
    for (let m = 0; m < member.count; m++) {
      for (const row of rows) {
        for (const column of columns) {
          const at = m * strides.member + row * strides.y + column * strides.x;
          const part = series[next++].subarray(step - time.start, end - time.start);
          decodeRow(values, at, strides.time, part, coding);
        }
      }
    }
    step = end;
  }
  return series;
}
