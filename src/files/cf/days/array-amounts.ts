import { readAccumulation, type StepEdges, stepEdges } from '../../../ensemble/accumulation.js';
import { AccumulationEvidence } from '../../../ensemble/accumulation-evidence.js';
import { statedAmounts } from '../../../ensemble/stated-accumulation.js';
import { stepSeconds } from '../../../ensemble/step-seconds.js';
import { isPlumecastError } from '../../../errors.js';
import { DAY_SECONDS } from '../../../period/day.js';
import type { ArrayLayout } from '../array-layout.js';
import { textAttribute } from '../attribute-values.js';
import type { CheckedGridOptions } from '../grid-options.js';
import { atPlace, type TimeAxis } from '../time/time-axis.js';
import { valueCoding } from '../value-coding.js';
import type { ArrayAmounts } from './growing-values.js';
import { sampleSeries } from './sample-series.js';

/** The times at which the steps of growing amounts end, and the beginning and end of each step. */
export function growthEdges({ seconds, bounds }: TimeAxis, stamps: 'start' | 'end' = 'end') {
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
  source: string,
  layout: ArrayLayout,
  smallest: number,
  { accumulation, stamps, missing }: CheckedGridOptions,
): Promise<ArrayAmounts | undefined> {
  const { array, times } = layout;
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
  return inferAmounts(source, layout, smallest, edges, { accumulation, missing });
}

/**
 * Daily amounts of a run that GRIB calls accumulated: they grow from its start if none falls, else they are those of
 * their day.
 */
async function inferGrowingDays(
  source: string,
  layout: ArrayLayout,
  smallest: number,
  edges: StepEdges,
  missing: CheckedGridOptions['missing'],
): Promise<ArrayAmounts | undefined> {
  try {
    const found = await inferAmounts(source, layout, smallest, edges, { missing });
    return found.amounts.kind === 'since-start' ? found : undefined;
  } catch (error) {
    if (!isPlumecastError(error, 'option')) throw error;
    return undefined;
  }
}

async function inferAmounts(
  source: string,
  layout: ArrayLayout,
  smallest: number,
  edges: StepEdges,
  { accumulation, missing }: Pick<CheckedGridOptions, 'accumulation' | 'missing'>,
): Promise<ArrayAmounts> {
  const evidence = new AccumulationEvidence(edges, { init: layout.times.init, smallest });
  let isCertain = false;
  const coding = valueCoding(layout.array, source, missing);
  for await (const { series, firstStep, isAll } of sampleSeries(layout, coding)) {
    evidence.add(series, firstStep);
    isCertain = isAll;
    const amounts = evidence.amounts(accumulation);
    if (amounts !== undefined && amounts.kind !== 'either') return { amounts, smallest, isCertain };
  }
  const amounts = evidence.amounts(accumulation);
  // What makes no difference in a sample may make one elsewhere, unless all amounts are later checked to be as small.
  if (amounts !== undefined && (isCertain || evidence.isNegligible)) return { amounts, smallest, isCertain };
  throw evidence.unclear(`${source}, accumulation`, layout.array.name, accumulation);
}
