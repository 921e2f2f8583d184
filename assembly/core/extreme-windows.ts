// Phase 1 for minima, maxima and ranges of consecutive weeks of f64 whose days are adjacent; windows.ts draws the memory
// layout. Transposing days first, as window-rules.ts does, takes longer here than what is computed of them.
//
//   days of two weeks   | 0 1 | 2 3 | 4 5 | 6 : 7 | 8 9 | 10 11 | 12 13 |   the vector in the middle has a day of each
import { WindowJob } from './generated/jobs';
import { Rule } from './window-rules';

/** The extremes of two weeks: of vectors with days at even and at odd places of both, and of the one in the middle. */
@inline function extremes(rule: i32, even: v128, odd: v128, middle: v128): v128 {
  return rule == Rule.Minimum ? f64x2.pmin(f64x2.pmin(even, odd), middle) : f64x2.pmax(f64x2.pmax(even, odd), middle);
}

/** The smallest or largest values of two weeks. */
@inline function extreme(rule: i32, a: v128, b: v128, c: v128, middle: v128, d: v128, e: v128, f: v128): v128 {
  const one = extremes(rule, a, b, c), two = extremes(rule, d, e, f);
  return extremes(rule, v128.shuffle<u64>(one, two, 0, 2), v128.shuffle<u64>(one, two, 1, 3), middle);
}

/** What two weeks hold: the smallest values where all bits of `isLow` are set, otherwise the largest, less the smallest by `isRange`. */
@inline function twoWeeks(isLow: v128, isRange: v128, day: usize): v128 {
  const a = v128.load(day), b = v128.load(day, 16), c = v128.load(day, 32), middle = v128.load(day, 48);
  const d = v128.load(day, 64), e = v128.load(day, 80), f = v128.load(day, 96);
  const zero = f64x2.splat(0), one = f64x2.mul(f64x2.mul(f64x2.mul(zero, a), b), c), two = f64x2.mul(f64x2.mul(f64x2.mul(zero, d), e), f);
  const bad = f64x2.mul(f64x2.mul(v128.shuffle<u64>(one, two, 0, 2), v128.shuffle<u64>(one, two, 1, 3)), middle);
  const high = extreme(Rule.Maximum, a, b, c, middle, d, e, f), low = extreme(Rule.Minimum, a, b, c, middle, d, e, f);
  return f64x2.add(v128.bitselect(low, f64x2.sub(high, v128.and(low, isRange)), isLow), f64x2.abs(bad));
}

/**
 * Fills the rows of at least two weeks: of four members at a time, the last one again if fewer are left. Where the number of
 * weeks is odd, the last two are the last two once more. Each member has instructions of its own: by their addresses processors
 * know which series to read ahead, so that a loop over members takes twice as long over memory.
 */
export function extremeWeeksOf(job: WindowJob): void {
  const isLow = i32x4.splat(job.rule == Rule.Minimum ? -1 : 0), isRange = i32x4.splat(job.rule == Rule.Range ? -1 : 0);
  const windowCount = job.windowCount, members = job.members, rowBytes = job.rowBytes, last = job.memberCount - 1;
  const start = job.offset + (<usize>load<i32>(job.windows) << 3), back = job.cellStride - <usize>(windowCount - 2) * 56;
  for (let m = 0; m <= last; m += 4) {
    const m1 = <usize>min(m + 1, last), m2 = <usize>min(m + 2, last), m3 = <usize>min(m + 3, last);
    let day0 = <usize>load<u32>(members + (<usize>m << 2)) + start, out0 = job.rows + <usize>m * rowBytes;
    let day1 = <usize>load<u32>(members + (m1 << 2)) + start, out1 = job.rows + m1 * rowBytes;
    let day2 = <usize>load<u32>(members + (m2 << 2)) + start, out2 = job.rows + m2 * rowBytes;
    let day3 = <usize>load<u32>(members + (m3 << 2)) + start, out3 = job.rows + m3 * rowBytes;
    for (let cells = job.cells; cells > 0; cells--) {
      for (let left = <usize>windowCount - 2, weeks: usize; ; left -= weeks) {
        v128.store(out0, twoWeeks(isLow, isRange, day0));
        v128.store(out1, twoWeeks(isLow, isRange, day1));
        v128.store(out2, twoWeeks(isLow, isRange, day2));
        v128.store(out3, twoWeeks(isLow, isRange, day3));
        if (left == 0) break;
        weeks = min(left, 2);
        day0 += weeks * 56, day1 += weeks * 56, day2 += weeks * 56, day3 += weeks * 56;
        out0 += weeks << 3, out1 += weeks << 3, out2 += weeks << 3, out3 += weeks << 3;
      }
      day0 += back, day1 += back, day2 += back, day3 += back;
      out0 += 16, out1 += 16, out2 += 16, out3 += 16;
    }
  }
}
