// Phase 1 for windows of at most eight days, by conditions on days: how many fulfil one, their runs and the first of them;
// windows.ts draws the memory layout, window-rules.ts the condition.
//
// A day is a bit, so that a window is a load from a table. 64 bytes of values are compared together: 16 of f32, or 8 of f64.
//
//   table             f64 for each combination of eight bits: what a window of these days holds
//   days adjacent     the bits of a member's days       | 7......0 | 15.....8 | ...
//   cells adjacent    a window's bits of some cells     | cell 0 | cell 1 | ...
//
// Missing and infinite days are NaN times zero. They are looked for together; only where there is one, each window is.
import { WindowJob } from './generated/jobs';
import { boundOf, lastEnd, Rule } from './window-rules';
import { areWeeks } from './windows';

/** What is asked of values: whether they are above the bound, or finite. */
const enum Ask { Above, Finite }

const TABLE_DAYS: i32 = 8;
const TABLE_BYTES: usize = 8 << TABLE_DAYS;

/** The days of the longest window. */
@inline function longestOf(windows: usize, windowCount: i32): i32 {
  let longest = 0;
  for (let w = 0; w < windowCount; w++, windows += 8) longest = max(longest, load<i32>(windows, 4));
  return longest;
}

/** Whether windows are as short as the table, and the rule counts days by a condition. */
export function areShortCounts(job: WindowJob): bool {
  return job.rule >= Rule.Days && job.rule <= Rule.FirstDay && longestOf(job.windows, job.windowCount) <= TABLE_DAYS;
}

/** Writes what the rule says of each combination of so many bits: from that without its lowest bit. */
function writeTable(rule: i32, least: i32, days: i32, table: usize): void {
  store<f64>(table, rule == Rule.FirstDay ? <f64>NaN : 0);
  for (let bits = 1; bits < 1 << days; bits++) {
    let value = load<f64>(table + (<usize>(bits >> 1) << 3));
    const run = ctz(~bits);
    if (rule == Rule.FirstDay) value = ctz(bits) + 1;
    else if (rule == Rule.LongestSpell) value = max(value, <f64>run);
    else if (rule == Rule.Spells) value += i32(run == least);
    else value += bits & 1;
    store<f64>(table + (<usize>bits << 3), value);
  }
}

@inline function answer<T>(ask: Ask, x: v128, bound: v128): v128 {
  return ask == Ask.Above ? v128.gt<T>(x, bound) : v128.lt<T>(v128.abs<T>(x), bound);
}

/** The answers for 64 bytes of values, a byte each. */
@inline function pack<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  if (sizeof<T>() == 4) return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
  const low = i32x4.shuffle(a, b, 0, 2, 4, 6), high = i32x4.shuffle(c, d, 0, 2, 4, 6);
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(low, high), i8x16.splat(0));
}

@inline function areNaN<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  return pack<T>(v128.ne<T>(a, a), v128.ne<T>(b, b), v128.ne<T>(c, c), v128.ne<T>(d, d));
}

/**
 * Writes the bits of adjacent days, all of them inverted where `flip` has all bits set. Returns whether any day is missing or
 * infinite. `spare` is scratch of 64 bytes.
 */
@inline function writeBits<T>(ask: Ask, bound: v128, flip: i32, from: usize, days: i32, spare: usize, bits: usize): bool {
  const inBlock = 64 / sizeof<T>();
  let bad0 = v128.splat<T>(0), bad1 = bad0, bad2 = bad0, bad3 = bad0;
  let at = from, over = 0;
  if (days < inBlock) {
    for (let k: usize = 0; k < 64; k += 16) v128.store(spare + k, bad0);
    for (let k: usize = 0; k < <usize>days * sizeof<T>(); k += sizeof<T>()) store<T>(spare + k, load<T>(from + k));
    at = spare;
  }
  for (let day = 0; day < days; day += inBlock, at += 64, bits += inBlock >> 3) {
    if (day > 0 && day + inBlock > days) {
      // The last block begins earlier: so many of its days are there already.
      over = day + inBlock - days;
      at -= <usize>over * sizeof<T>();
    }
    const a = v128.load(at), b = v128.load(at, 16), c = v128.load(at, 32), d = v128.load(at, 48);
    bad0 = v128.mul<T>(bad0, a), bad1 = v128.mul<T>(bad1, b), bad2 = v128.mul<T>(bad2, c), bad3 = v128.mul<T>(bad3, d);
    const found = i8x16.bitmask(
      pack<T>(answer<T>(ask, a, bound), answer<T>(ask, b, bound), answer<T>(ask, c, bound), answer<T>(ask, d, bound)),
    );
    const kept = (found ^ flip) >>> over;
    if (sizeof<T>() == 4) store<u16>(bits, <u16>kept);
    else store<u8>(bits, <u8>kept);
  }
  return v128.any_true(areNaN<T>(bad0, bad1, bad2, bad3));
}

/** The bits of up to eight days, from the bit `first` on. */
@inline function bitsOf(bits: usize, first: i32, days: i32): usize {
  return (load<u16>(bits + (first >> 3)) >> (first & 7)) & ((1 << days) - 1);
}

/** What windows hold, by the bits of their days; `weeks` where they are consecutive weeks. */
function lookUp(windows: usize, windowCount: i32, weeks: bool, table: usize, bits: usize, out: usize): void {
  const end = out + (<usize>windowCount << 3);
  if (weeks) {
    // Eight weeks are seven bytes.
    for (; out + 64 <= end; out += 64, bits += 7) {
      const days = <usize>load<u32>(bits), others = <usize>(load<u64>(bits) >> 28);
      for (let k: usize = 0; k < 4; k++) {
        store<f64>(out + (k << 3), load<f64>(table + ((days >> (7 * k) & 127) << 3)));
        store<f64>(out + (k << 3), load<f64>(table + ((others >> (7 * k) & 127) << 3)), 32);
      }
    }
    for (let days = load<u64>(bits); out < end; out += 8, days >>= 7) {
      store<f64>(out, load<f64>(table + ((<usize>days & 127) << 3)));
    }
    return;
  }
  const origin = load<i32>(windows);
  for (; out < end; out += 8, windows += 8) {
    store<f64>(out, load<f64>(table + (bitsOf(bits, load<i32>(windows) - origin, load<i32>(windows, 4)) << 3)));
  }
}

/** Makes windows missing that have a missing or infinite day. */
function spoil<T>(job: WindowJob, from: usize, days: i32, spare: usize, bits: usize, out: usize): void {
  const windows = job.windows, origin = load<i32>(windows);
  writeBits<T>(Ask.Finite, v128.splat<T>(<T>Infinity), 0, from, days, spare, bits);
  for (let window = windows, end = windows + (<usize>job.windowCount << 3); window < end; window += 8, out += 8) {
    const length = load<i32>(window, 4);
    if (bitsOf(bits, load<i32>(window) - origin, length) != (1 << length) - 1) store<f64>(out, NaN);
  }
}

/** The windows of cells, 64 bytes of each day at a time, from the first day of the first window on; the last ones once more. */
@inline function countCells<T>(
  job: WindowJob, table: usize, spare: usize, from: usize, cells: i32, written: usize, out: usize,
): void {
  const windows = job.windows, condition = job.condition, stride = job.dayStride;
  const windowsEnd = windows + (<usize>job.windowCount << 3), origin = load<i32>(windows);
  const bound = v128.splat<T>(boundOf<T>(load<f64>(condition))), none = v128.splat<T>(0);
  const flip = load<f64>(condition, 8) != 0 ? -1 : 0;
  const inBlock = 64 / sizeof<T>(), last = cells - inBlock;
  const cellsEnd = spare + inBlock;
  for (let c = 0; c < cells; c += inBlock) {
    const first = <usize>min(c, last);
    let to = out + first * written;
    for (let window = windows; window < windowsEnd; window += 8) {
      let day = from + first * sizeof<T>() + <usize>(load<i32>(window) - origin) * stride;
      let bad0 = none, bad1 = none, bad2 = none, bad3 = none, bit = i8x16.splat(1), bits = none;
      for (const end = day + <usize>load<i32>(window, 4) * stride; day != end; day += stride) {
        const a = v128.load(day), b = v128.load(day, 16), c = v128.load(day, 32), d = v128.load(day, 48);
        bad0 = v128.mul<T>(bad0, a), bad1 = v128.mul<T>(bad1, b), bad2 = v128.mul<T>(bad2, c), bad3 = v128.mul<T>(bad3, d);
        const above = pack<T>(v128.gt<T>(a, bound), v128.gt<T>(b, bound), v128.gt<T>(c, bound), v128.gt<T>(d, bound));
        bits = v128.or(bits, v128.and(above, bit));
        bit = i8x16.add(bit, bit);
      }
      const days: i32 = (1 << load<i32>(window, 4)) - 1;
      v128.store(spare, v128.xor(bits, i8x16.splat(<i8>(flip & days))));
      const begin = to;
      for (let cell = spare; cell < cellsEnd; cell++, to += written) {
        store<f64>(to, load<f64>(table + (<usize>load<u8>(cell) << 3)));
      }
      for (let bad = i8x16.bitmask(areNaN<T>(bad0, bad1, bad2, bad3)); bad; bad &= bad - 1) {
        store<f64>(begin + <usize>ctz(bad) * written, NaN);
      }
      to = begin + 8;
    }
  }
}

/** Copies days that lie `stride` bytes apart. */
@inline function copyDays<T>(from: usize, stride: usize, days: i32, to: usize): void {
  for (let day = 0; day < days; day++, from += stride, to += sizeof<T>()) store<T>(to, load<T>(from));
}

/** Fills the rows of windows for which `areShortCounts`. */
export function shortCountsOf<T>(job: WindowJob): void {
  const cells = job.cells, cellStride = job.cellStride, stride = job.dayStride, condition = job.condition;
  const windows = job.windows, windowCount = job.windowCount, table = job.spare, spare = table + TABLE_BYTES;
  const start = job.offset + <usize>load<i32>(windows) * stride;
  const days = lastEnd(windows, windowCount) - load<i32>(windows);
  const written = <usize>windowCount << 3;
  const isField = cellStride < stride;
  const inBlock = 64 / sizeof<T>();
  const weeks = areWeeks(windows, windowCount);
  const bound = v128.splat<T>(boundOf<T>(load<f64>(condition)));
  const flip = load<f64>(condition, 8) != 0 ? 0xffff : 0;
  // Behind the bits are as many again, for days that are finite; eight bytes are read from any of them on.
  const bits = spare + 64, bitBytes = (<usize>(days + 15) >> 4 << 1) + 8, copy = bits + 2 * bitBytes;
  writeTable(job.rule, <i32>load<f64>(condition, 24), longestOf(windows, windowCount), table);
  const members = job.members, memberCount = job.memberCount, rows = job.rows, rowBytes = job.rowBytes;
  if (isField && cells >= inBlock) {
    for (let m = 0; m < memberCount; m++) {
      const from = <usize>load<u32>(members + (<usize>m << 2)) + start, out = rows + <usize>m * rowBytes;
      countCells<T>(job, table, spare, from, cells, written, out);
    }
    return;
  }
  // Four members in turn: four streams from memory are faster than one.
  for (let m = 0; m < memberCount; m += 4) {
    const last = min(m + 4, memberCount);
    for (let c: usize = 0; c < <usize>cells; c++) {
      for (let member = m; member < last; member++) {
        let from = <usize>load<u32>(members + (<usize>member << 2)) + start + c * cellStride;
        const out = rows + <usize>member * rowBytes + c * written;
        if (isField) copyDays<T>(from, stride, days, copy), from = copy;
        const bad = writeBits<T>(Ask.Above, bound, flip, from, days, spare, bits);
        lookUp(windows, windowCount, weeks, table, bits, out);
        if (bad) spoil<T>(job, from, days, spare, bits + bitBytes, out);
      }
    }
  }
}
