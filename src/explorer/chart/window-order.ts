import type { FloatArray } from '../../core/number-arrays.js';
import type { WindowTable } from '../../period/period.js';
import { type Shown, toShown } from '../view/units.js';

/** The windows in the order of panels, by the middle of their time. In results they are in the order of their first days. */
export function orderOf({ start, end, count }: WindowTable): Int32Array {
  const order = Int32Array.from({ length: count }, (_, w) => w);
  return order.sort((a, b) => start[a] + end[a] - start[b] - end[b] || start[b] - start[a]);
}

export function inOrder(values: FloatArray, order: Int32Array): Float64Array {
  return Float64Array.from(order, (w) => values[w]);
}

/** Values in the unit in which they are shown. */
export function inUnit(values: FloatArray, shown: Shown): Float64Array {
  const { factor, offset } = shown;
  const copy = Float64Array.from(values);
  if (factor !== 1 || offset !== 0) for (let i = 0; i < copy.length; i++) copy[i] = toShown(shown, copy[i]);
  return copy;
}
