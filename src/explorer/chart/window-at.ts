import { shownSpans, type Windows } from '../../plot/panel-data.js';
import type { Layout } from './layout.js';

const spans = new WeakMap<Int32Array, ReturnType<typeof shownSpans>>();

/** Where windows are on the axis: see `shownSpans`. */
function spansOf(windows: Windows): ReturnType<typeof shownSpans> {
  const known = spans.get(windows.start) ?? shownSpans(windows);
  spans.set(windows.start, known);
  return known;
}

/** The window that is shown at a moment in days; -1 where none is. */
export function windowAt(windows: Windows, moment: number): number {
  const { from, to } = spansOf(windows);
  let [low, high] = [0, from.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (moment < from[middle]) high = middle - 1;
    else if (moment >= to[middle]) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** The middle of where a window is shown. */
export function middleOf(windows: Windows, i: number): number {
  const { from, to } = spansOf(windows);
  return (from[i] + to[i]) / 2;
}

/** The window at a pixel; beside all windows the first or the last one, and -1 between windows that are apart. */
export function windowAtPixel(windows: Windows, { x }: Layout, pixel: number): number {
  const { from, to } = spansOf(windows);
  if (from.length === 0) return -1;
  const [origin, perDay] = [x(0), x(1) - x(0)];
  const moment = (pixel - origin) / perDay;
  if (moment < from[0]) return 0;
  if (moment >= to[to.length - 1]) return to.length - 1;
  return windowAt(windows, moment);
}
