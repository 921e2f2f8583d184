import { times, timeText } from './numbers.js';
import type { Line } from './report.js';

/** The nanoseconds of the fastest plain JavaScript, at the size of that index. */
export function bestPlain(lines: readonly Line[], size: number): number {
  const plain = lines.filter(({ kind }) => kind === 'plain JavaScript');
  return Math.min(...plain.map(({ nanoseconds }) => nanoseconds[size] ?? Number.POSITIVE_INFINITY));
}

/** A time, and how many times as fast as the best plain JavaScript it is; that one itself is set in bold. */
export function besideBest(time: number, best: number): string {
  if (best === Number.POSITIVE_INFINITY) return timeText(time);
  return time === best ? `**${timeText(time)}**` : `${timeText(time)} (${times(best, time)})`;
}
