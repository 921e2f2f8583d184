import type { EnsembleField } from '../core/field.js';
import { INFINITE, MISSING } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { placeWindows, type WindowDays } from '../statistics/tiles.js';
import { windowRows } from '../statistics/window-rows.js';
import type { WindowValue } from '../statistics/window-value.js';
import { type Bound, boundKey, type MemberBits, type MemberWords, memberWords } from './count-members.js';

/**
 * What conditions ask of a variable's windows, from the rows that kernels fill: values are read once, and not kept. Results by
 * cell and then window. Throws DataError as `computeStatistics` does.
 */
export function windowBits(
  core: Core,
  field: EnsembleField,
  windows: WindowDays,
  rule: WindowValue,
  bounds: readonly Bound[],
): MemberBits {
  const { type, cells, members } = field;
  const { memory } = core;
  const count = members.length;
  const length = cells * windows.count;
  const there = memberWords(count, length);
  for (const m of members.keys()) there.fill((2 << (m & 31)) - 1, (m >> 5) * length, ((m >> 5) + 1) * length);
  // Without a bound, values are looked at for the missing ones alone.
  const ends = bounds.length > 0 ? bounds.map(({ end }) => end) : [Number.POSITIVE_INFINITY];
  const above = ends.map(() => memberWords(count, length));
  const top = memory.mark();
  try {
    const source = windowRows(core, field, placeWindows(field, windows), rule);
    const stride = source.rowBytes / (source.single ? 4 : 8);
    const values = floatArray(type, stride * count);
    source.begin();
    for (const tile of source.tiles()) {
      source.fill(tile);
      const { lanes, lane } = tile;
      const filled = memory[source.single ? 'float32' : 'float64'](source.rows, stride * count);
      values.set(filled);
      if (source.divisors) divide(values, filled, memory.float64(source.divisors, lanes), stride);
      const rows = { values, stride, count, lanes, lane, length };
      let flags = 0;
      for (const [b, end] of ends.entries()) flags |= mark(rows, end, above[b], there);
      source.assertFinite(tile, flags);
    }
  } finally {
    memory.release(top);
  }
  const byKey = new Map(bounds.map((bound, b) => [boundKey(bound), above[b]]));
  return { type, there, above: (bound) => byKey.get(boundKey(bound)) as MemberWords };
}

/** Divides totals of members, `stride` apart, and rounds them once. */
function divide(values: FloatArray, totals: FloatArray, divisors: Float64Array, stride: number): void {
  for (let from = 0; from < totals.length; from += stride) {
    for (let i = 0; i < divisors.length; i++) values[from + i] = totals[from + i] / divisors[i];
  }
}

/** Values of members, `stride` apart, for `lanes` of `length` results, from `lane` on. */
interface TileRows {
  readonly values: FloatArray;
  readonly stride: number;
  /** The number of members. */
  readonly count: number;
  readonly lanes: number;
  readonly lane: number;
  readonly length: number;
}

/**
 * Writes for each result which members are above an end, and clears the bits of those without a value. Returns flags: whether a
 * value is missing, or infinite.
 */
function mark(rows: TileRows, end: Bound['end'], above: MemberWords, there: MemberWords): number {
  const { values, stride, count, lanes, lane, length } = rows;
  let flags = 0;
  for (let first = 0; first < count; first += 32) {
    const last = Math.min(first + 32, count) - 1;
    const from = (first >> 5) * length + lane;
    for (let i = 0; i < lanes; i++) {
      const bound = typeof end === 'number' ? end : end[lane + i];
      let word = 0;
      let sum = 0;
      for (let j = last * stride + i; j >= first * stride; j -= stride) {
        const value = values[j];
        word = (word << 1) | Number(value > bound);
        sum += value;
      }
      above[from + i] = word;
      // A sum that is no number is rare: only then is each value looked at.
      if (Math.abs(sum) < Number.POSITIVE_INFINITY) continue;
      for (let m = first; m <= last; m++) {
        const size = Math.abs(values[m * stride + i]);
        if (size < Number.POSITIVE_INFINITY) continue;
        there[from + i] &= ~(1 << m);
        flags |= size > 0 ? INFINITE : MISSING;
      }
    }
  }
  return flags;
}
