import type { FloatArray } from '../../core/number-arrays.js';
import type { WindowTable } from '../../period/period.js';

/** The windows in the order of panels, by the middle of their time. In results they are in the order of their first days. */
export function orderOf({ start, end, count }: WindowTable): Int32Array {
  const order = Int32Array.from({ length: count }, (_, w) => w);
  return order.sort((a, b) => start[a] + end[a] - start[b] - end[b] || start[b] - start[a]);
}

export function inOrder(values: FloatArray, order: Int32Array): Float64Array {
  return Float64Array.from(order, (w) => values[w]);
}
