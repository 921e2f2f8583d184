// Windows of the same number of days, one for each day on which one ends: in time linear in days, whatever their length.
//
// Days are divided into blocks of that length, which begin where the number of a day is a multiple of it. A window begins
// in one block and ends in the next: it holds the last days of the one, which are combined from the border backward, and
// the first days of the other, combined from it forward; both do for all windows across the border.
//
//   block     | a     b     c     d |     rolling windows of four days: b..e is d, c, b combined, and then e
//   next                            | e     f     g     h |
//
// So nothing is ever subtracted, sums do not lose digits, and a missing day is in no window but its own. A combination is
// a record of five vectors, whose meaning depends on the rule:
//
//   a, b   what is counted, or the sums of lanes; of spells the run at the outer end and the longest, or their number
//   c, d   of spells: the run at the border; all bits set while no day has broken it
//   bad    NaN where a day is missing or infinite, else 0
import { WindowJob } from './generated/jobs';
import {
  boundOf, countsOf, daysOf, highPair, infinite, limitOf, lowPair, Rule, sideOf, writeLanes, writePairs,
} from './window-rules';

const RECORD: usize = 80;

/** The combination of no days. */
@inline function clear<T>(rule: i32, record: usize): void {
  const zero = v128.splat<T>(0);
  let a = zero, b = zero;
  if (rule == Rule.Minimum || rule == Rule.Range) a = v128.splat<T>(<T>Infinity);
  if (rule == Rule.Maximum) a = v128.splat<T>(<T>-Infinity);
  if (rule == Rule.Range) b = v128.splat<T>(<T>-Infinity);
  if (rule == Rule.FirstDay) a = i32x4.splat(-1);
  v128.store(record, a);
  v128.store(record, b, 16);
  v128.store(record, zero, 32);
  v128.store(record, i32x4.splat(-1), 48);
  v128.store(record, zero, 64);
}

/** How far values are beyond a limit, from the sums of how far they are above it: what is not beyond counts as the limit. */
@inline function excessOf(above: v128, side: v128): v128 {
  return v128.bitselect(f64x2.sub(f64x2.splat(0), above), above, side);
}

/** Adds a day at the outer end of a combination; `number` counts days. The rule is a constant. */
@inline function addDay<T>(rule: i32, x: v128, number: i32, condition: usize, from: usize, to: usize): void {
  const zero = v128.splat<T>(0);
  let a = v128.load(from), bad = v128.load(from, 64);
  if (rule == Rule.Count) {
    a = i32x4.sub(a, v128.eq<T>(x, x));
    bad = v128.or(bad, infinite<T>(x));
  } else {
    bad = v128.or(bad, v128.mul<T>(x, zero));
  }
  if (rule == Rule.Sum) a = f64x2.add(a, lowPair<T>(x));
  if (rule == Rule.Minimum || rule == Rule.Range) a = v128.pmin<T>(a, x);
  if (rule == Rule.Maximum) a = v128.pmax<T>(a, x);
  if (rule == Rule.Range) v128.store(to, v128.pmax<T>(v128.load(from, 16), x), 16);
  if (rule == Rule.Sum && sizeof<T>() == 4) v128.store(to, f64x2.add(v128.load(from, 16), highPair<T>(x)), 16);
  if (rule >= Rule.Days) {
    const there = v128.xor(v128.gt<T>(x, v128.splat<T>(boundOf<T>(load<f64>(condition)))), sideOf(condition));
    if (rule == Rule.Days) a = i32x4.sub(a, there);
    if (rule == Rule.FirstDay) a = i32x4.min_u(a, v128.or(i32x4.splat(number), v128.not(there)));
    if (rule == Rule.LongestSpell || rule == Rule.Spells) {
      a = v128.and(i32x4.sub(a, there), there);
      const b = v128.load(from, 16);
      if (rule == Rule.LongestSpell) v128.store(to, i32x4.max_s(b, a), 16);
      else v128.store(to, i32x4.sub(b, i32x4.eq(a, i32x4.splat(<i32>load<f64>(condition, 24)))), 16);
      const unbroken = v128.and(v128.load(from, 48), there);
      v128.store(to, v128.bitselect(a, v128.load(from, 32), unbroken), 32);
      v128.store(to, unbroken, 48);
    }
    if (rule == Rule.Excess) {
      const limit = f64x2.splat(limitOf<T>(condition));
      const held = v128.bitselect(x, v128.splat<T>(<T>limitOf<T>(condition)), there);
      a = f64x2.add(a, f64x2.sub(lowPair<T>(held), limit));
      if (sizeof<T>() == 4) {
        v128.store(to, f64x2.add(v128.load(from, 16), f64x2.sub(highPair<T>(held), limit)), 16);
      }
    }
  }
  v128.store(to, a);
  v128.store(to, bad, 64);
}

/** Writes what a window holds of lanes: the combinations before and behind a border; `start` is the number of its first day. */
@inline function join<T>(
  rule: i32, before: usize, behind: usize, start: i32, condition: usize, out0: usize, out1: usize, out2: usize, out3: usize,
): void {
  const a = v128.load(before), b = v128.load(before, 16), x = v128.load(behind), y = v128.load(behind, 16);
  const bad = v128.or(v128.load(before, 64), v128.load(behind, 64));
  let held: v128;
  switch (rule) {
    case Rule.Sum: {
      writePairs<T>(f64x2.add(a, x), f64x2.add(b, y), out0, out1, out2, out3);
      return;
    }
    case Rule.Excess: {
      const side = sideOf(condition);
      const low = f64x2.add(excessOf(f64x2.add(a, x), side), lowPair<T>(bad));
      const high = f64x2.add(excessOf(f64x2.add(b, y), side), highPair<T>(bad));
      writePairs<T>(low, high, out0, out1, out2, out3);
      return;
    }
    case Rule.Range: {
      const least = v128.add<T>(v128.pmin<T>(a, x), bad), most = v128.pmax<T>(b, y);
      const low = f64x2.sub(lowPair<T>(most), lowPair<T>(least)), high = f64x2.sub(highPair<T>(most), highPair<T>(least));
      writePairs<T>(low, high, out0, out1, out2, out3);
      return;
    }
    case Rule.Minimum: {
      held = v128.pmin<T>(a, x);
      break;
    }
    case Rule.Maximum: {
      held = v128.pmax<T>(a, x);
      break;
    }
    case Rule.FirstDay: {
      // As unsigned, -1, for no such day, is the largest.
      const found = i32x4.min_u(a, x);
      held = daysOf<T>(v128.or(i32x4.sub(found, i32x4.splat(start - 1)), i32x4.eq(found, i32x4.splat(-1))));
      break;
    }
    default: {
      let counts: v128;
      if (rule == Rule.LongestSpell) {
        const across = i32x4.add(v128.load(before, 32), v128.load(behind, 32));
        counts = i32x4.max_s(i32x4.max_s(b, y), across);
      } else if (rule == Rule.Spells) {
        const least = i32x4.splat(<i32>load<f64>(condition, 24));
        const ending = v128.load(before, 32), beginning = v128.load(behind, 32);
        const apart = i32x4.add(i32x4.ge_s(ending, least), i32x4.ge_s(beginning, least));
        const across = i32x4.ge_s(i32x4.add(ending, beginning), least);
        counts = i32x4.sub(i32x4.add(i32x4.add(b, y), apart), across);
      } else {
        counts = i32x4.add(a, x);
      }
      held = countsOf<T>(counts);
    }
  }
  writeLanes<T>(v128.add<T>(held, bad), out0, out1, out2, out3);
}

/**
 * Fills the rows of some vectors of lanes, as `combine` of window-rules.ts does, with the windows of a lane `apart` bytes
 * apart: `days` are the days of the data from the first day of the first window on. The windows at the ends of the data may
 * have fewer days.
 */
@inline function rollingWindows<T>(
  rule: i32, job: WindowJob, begin: usize, stride: usize, groups: i32, written: usize, apart: usize, days: i32,
  out0: usize, out1: usize, out2: usize, out3: usize,
): void {
  const length = job.rolling, condition = job.condition, windows = job.windows, count = job.windowCount;
  const origin = load<i32>(windows);
  const behind = job.spare + (<usize>(days + 1) << 4);
  const records = behind + RECORD;
  for (let group = 0; group < groups; group++) {
    const first = begin + (<usize>group << 4);
    const out = <usize>group * written;
    let w = 0;
    while (w < count) {
      const start = load<i32>(windows + (<usize>w << 3)) - origin;
      const size = load<i32>(windows + (<usize>w << 3), 4);
      // The border of blocks behind the first day, and how many windows lie across it.
      let place = (start + origin + job.firstDay) % length;
      if (place < 0) place += length;
      const border = start + length - place;
      let together = 1;
      if (size == length) together = min(count - w, border - start);
      let end = min(border, start + size);
      let record = records + <usize>(end - start) * RECORD;
      clear<T>(rule, record);
      for (let day = end - 1; day >= start; day--, record -= RECORD) {
        addDay<T>(rule, v128.load(first + <usize>day * stride), day + 1, condition, record, record - RECORD);
      }
      clear<T>(rule, behind);
      for (let k = 0; k < together; k++, w++) {
        for (; end < start + k + size; end++) {
          addDay<T>(rule, v128.load(first + <usize>end * stride), end + 1, condition, behind, behind);
        }
        const at = out + <usize>w * apart;
        join<T>(
          rule, records + <usize>k * RECORD, behind, start + k + 1, condition, out0 + at, out1 + at, out2 + at, out3 + at,
        );
      }
    }
  }
}

/** Chooses the loops of the rule. */
export function rollingWindowsOf<T>(
  job: WindowJob, first: usize, stride: usize, groups: i32, written: usize, apart: usize, days: i32,
  out0: usize, out1: usize, out2: usize, out3: usize,
): void {
  switch (job.rule) {
    case Rule.Minimum: return rollingWindows<T>(Rule.Minimum, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    case Rule.Maximum: return rollingWindows<T>(Rule.Maximum, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    case Rule.Count: return rollingWindows<T>(Rule.Count, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    case Rule.Range: return rollingWindows<T>(Rule.Range, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    case Rule.Days: return rollingWindows<T>(Rule.Days, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    case Rule.LongestSpell: return rollingWindows<T>(Rule.LongestSpell, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    case Rule.Spells: return rollingWindows<T>(Rule.Spells, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    case Rule.FirstDay: return rollingWindows<T>(Rule.FirstDay, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    case Rule.Excess: return rollingWindows<T>(Rule.Excess, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
    default: return rollingWindows<T>(Rule.Sum, job, first, stride, groups, written, apart, days, out0, out1, out2, out3);
  }
}
