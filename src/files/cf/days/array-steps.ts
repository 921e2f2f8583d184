import { freshSteps, knownDays } from '../../../ensemble/accumulation.js';
import { requestedDays } from '../../../ensemble/local-days.js';
import { rowsOf, stepRows } from '../../../ensemble/step-rows.js';
import { DataError } from '../../../errors.js';
import { STEPS } from '../../../period/stated-days.js';
import type { Variable } from '../../../variable/variable.js';
import type { ArrayLayout } from '../array-layout.js';
import type { ArrayReader } from '../array-reader.js';
import type { CheckedGridOptions } from '../grid-options.js';
import { timeMethod } from '../time/time-axis.js';
import { utcText } from '../time/time-units.js';
import { growthEdges } from './array-amounts.js';
import { type ArrayDays, timesOf } from './array-days.js';
import { reductionOf } from './daily-rule.js';
import type { GrowingValues } from './growing-values.js';
import { assertNoOverlap } from './overlapping-means.js';
import { areDaily, assertZones } from './zone-days.js';

/**
 * Finds the time steps of an array by what its times stand for, each as a row in place of a day: amounts that grow become
 * amounts of each step. Metadata state the zone that is named. Throws DataError for daily values and for overlapping
 * means, and OptionError where nothing shows what times stand for, and for a zone of a model calendar.
 */
export async function arraySteps(
  reader: ArrayReader,
  layout: ArrayLayout,
  variable: Variable | undefined,
  options: CheckedGridOptions,
  growing: GrowingValues | undefined,
): Promise<ArrayDays> {
  const { source } = reader.file;
  const { array, times } = layout;
  if (areDaily(times)) {
    const [first, ...others] = times.seconds;
    const received = others.length === 0 ? utcText(first) : `${utcText(first)}, ${utcText(others[0])}, ...`;
    throw noSteps(source, array.name, received);
  }
  const local = requestedDays(options);
  if (local !== undefined) assertZones(source, layout, options);
  const texts = new Map([['granularity', STEPS], ...(local?.texts ?? [])]);
  const { amounts, seconds } = growing ?? {};
  if (amounts?.kind === 'since-start' || amounts?.kind === 'buckets') {
    const { edges, stamps } = growthEdges(times, options.stamps);
    const fresh = freshSteps(edges, amounts, times.init);
    const lengths = edges.ends.map((end, step) => end - edges.starts[step]);
    const all = rowsOf(lengths);
    const ones = new Float64Array(all.days).fill(1);
    // Means are divided by the length of their step.
    const shares = seconds && { first: ones, last: ones, length: lengths };
    const steps = knownDays(shares ? { ...all, shares } : all, edges, fresh, times.init);
    const meaning = { stamps, evidence: 'growth', by: 'as values grow up to their time', warnings: [] } as const;
    return { steps, edges, fresh, meaning, notes: [], warnings: [], texts };
  }
  const meaning = await timesOf(reader, layout, variable, options);
  if (['step-type', 'data', 'default'].includes(meaning.evidence))
    await assertNoOverlap(reader.file, layout, variable, options);
  const method = timeMethod(array.attributes);
  // Bounds of instants are no steps.
  const bounds = method === 'point' || options.stamps !== undefined ? undefined : times.bounds;
  const areInstants = meaning.stamps === 'instant' && reductionOf(variable, method) !== 'sum';
  const { rows, edges } = stepRows(times.seconds, { bounds, stamps: meaning.stamps, areInstants });
  return { steps: rows, edges, fresh: undefined, meaning, notes: [], warnings: meaning.warnings, texts };
}

/** The error for values that have no time steps within days. */
function noSteps(source: string | undefined, column: string, received: string): DataError {
  const problem = 'has no time steps within days';
  return new DataError({ source, column, problem, received, allowed: 'values of hours, or of several times a day' });
}
