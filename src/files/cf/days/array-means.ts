import { statedAmounts } from '../../../ensemble/stated-accumulation.js';
import type { ArrayLayout } from '../array-layout.js';
import { atPlace } from '../time/time-axis.js';
import { timeMethod } from '../time/time-method.js';
import { growthEdges } from './array-amounts.js';
import type { GrowingValues } from './growing-values.js';

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
