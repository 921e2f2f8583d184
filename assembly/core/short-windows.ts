// Phase 1 for windows of few days, by conditions on days: how many fulfil one, their runs and the first of them;
// windows.ts draws the memory layout, window-rules.ts the condition.
//
// A day is a bit (day-bits.ts), so that a window of at most eight days is a load from a table, and longer ones, up to a month,
// are counted as words.
//
//   table             a value for each combination of eight bits: what a window of these days holds
//   days adjacent     the bits of a member's days           | 7......0 | 15.....8 | ...
//   cells adjacent    the bits of eight days of some cells  | cell 0 | cell 1 | ...    up to four times, then made words
//
// Missing and infinite days are NaN times zero. They are looked for together; only where there is one, each window is.
import { WindowJob } from './generated/jobs';
import { areNaN, Ask, bitsOf, pack, sumOf, writeBits, writeBitsOfFour } from './day-bits';
import { boundOf, daysOf, lastEnd, readAhead, Rule, writeLanes } from './window-rules';
import { areWeeks } from './windows';

const TABLE_DAYS: i32 = 8;
/** The days that are counted as a word. */
const WORD_DAYS: i32 = 31;
/** The cells, whatever their type, of which 64 bytes of a day are compared together. */
const WORD_CELLS: i32 = 16;
const TABLE_BYTES: usize = 8 << TABLE_DAYS;

/** The days of the longest window. */
@inline export function longestOf(windows: usize, windowCount: i32): i32 {
  let longest = 0;
  for (let w = 0; w < windowCount; w++, windows += 8) longest = max(longest, load<i32>(windows, 4));
  return longest;
}

/**
 * Whether the rule counts days by a condition, and windows are no longer than the table; or than a word, where bits are faster:
 * not of days alone where cells are adjacent.
 */
export function areShortCounts(job: WindowJob): bool {
  const rule = job.rule, isField = job.cellStride < job.dayStride;
  const isSlow = rule == Rule.Days && isField && job.cells >= WORD_CELLS;
  return rule >= Rule.Days && rule <= Rule.FirstDay && longestOf(job.windows, job.windowCount) <= (isSlow ? TABLE_DAYS : WORD_DAYS);
}

/** Writes what the rule says of each combination of so many bits: from that without its lowest bit. */
function writeTable<T>(rule: i32, least: i32, days: i32, table: usize): void {
  store<T>(table, <T>(rule == Rule.FirstDay ? NaN : 0));
  for (let bits = 1; bits < 1 << days; bits++) {
    let value = load<T>(table + <usize>(bits >> 1) * sizeof<T>());
    const run = ctz(~bits);
    if (rule == Rule.FirstDay) value = <T>(ctz(bits) + 1);
    else if (rule == Rule.LongestSpell) value = max(value, <T>run);
    else if (rule == Rule.Spells) value += <T>i32(run == least);
    else value += <T>(bits & 1);
    store<T>(table + <usize>bits * sizeof<T>(), value);
  }
}

/** What a window with these bits of days holds. */
@inline function held<T>(table: usize, bits: usize): T {
  return load<T>(table + bits * sizeof<T>());
}

/** What windows hold, by the bits of their days; `weeks` where they are consecutive weeks. */
function lookUp<T>(windows: usize, windowCount: i32, weeks: bool, table: usize, bits: usize, out: usize): void {
  const end = out + <usize>windowCount * sizeof<T>();
  if (weeks) {
    // Eight weeks are seven bytes.
    for (; out + 8 * sizeof<T>() <= end; out += 8 * sizeof<T>(), bits += 7) {
      const days = <usize>load<u32>(bits), others = <usize>(load<u64>(bits) >> 28);
      for (let k: usize = 0; k < 4; k++) {
        store<T>(out + k * sizeof<T>(), held<T>(table, days >> (7 * k) & 127));
        store<T>(out + k * sizeof<T>(), held<T>(table, others >> (7 * k) & 127), 4 * sizeof<T>());
      }
    }
    for (let days = load<u64>(bits); out < end; out += sizeof<T>(), days >>= 7) {
      store<T>(out, held<T>(table, <usize>days & 127));
    }
    return;
  }
  const origin = load<i32>(windows);
  for (; out < end; out += sizeof<T>(), windows += 8) {
    store<T>(out, held<T>(table, bitsOf(bits, load<i32>(windows) - origin, load<i32>(windows, 4))));
  }
}

/** The longest run of bits of each lane, of up to 31: bits of its length are found from the highest on. */
function longestRuns(x: v128): v128 {
  const none = i32x4.splat(0);
  // Bits from which on there are runs of 2, 4, 8 and 16.
  const x2 = v128.and(x, i32x4.shr_u(x, 1)), x4 = v128.and(x2, i32x4.shr_u(x2, 2));
  const x8 = v128.and(x4, i32x4.shr_u(x4, 4)), x16 = v128.and(x8, i32x4.shr_u(x8, 8));
  // Bits from which on there is a run of the length so far, and then of more; all bits for no length.
  let no = i32x4.eq(x16, none), from = v128.or(x16, no), length = v128.andnot(i32x4.splat(16), no);
  let more = v128.and(x8, i32x4.shr_s(from, 8));
  no = i32x4.eq(more, none), from = v128.or(more, v128.and(from, no));
  length = v128.or(length, v128.andnot(i32x4.splat(8), no));
  more = v128.and(x4, i32x4.shr_s(from, 4));
  no = i32x4.eq(more, none), from = v128.or(more, v128.and(from, no));
  length = v128.or(length, v128.andnot(i32x4.splat(4), no));
  more = v128.and(x2, i32x4.shr_s(from, 2));
  no = i32x4.eq(more, none), from = v128.or(more, v128.and(from, no));
  length = v128.or(length, v128.andnot(i32x4.splat(2), no));
  return i32x4.sub(length, i32x4.ne(v128.and(x, i32x4.shr_s(from, 1)), none));
}

/** What windows of up to 31 days hold by the bits of these, of four lanes; a first day that there is not is -1. */
@inline function countsByBits(rule: i32, least: i32, x: v128): v128 {
  let none = i32x4.splat(0);
  if (rule == Rule.Spells) {
    // Bits from which on there are runs of so many days, and of these the first in each run.
    for (let k = 1; k < least; k++) x = v128.and(x, i32x4.shr_u(x, 1));
    x = v128.andnot(x, i32x4.shl(x, 1));
  } else if (rule == Rule.FirstDay) {
    // All bits up to the first; -1 where there is none.
    none = i32x4.eq(x, none);
    x = v128.xor(x, i32x4.sub(x, i32x4.splat(1)));
  }
  return v128.or(none, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(x))));
}

/** Writes what windows hold by the bits of their days, of each lane to its own address; a value has `size` bytes. */
@inline function putCounts(areRuns: bool, rule: i32, least: i32, x: v128, size: usize, out0: usize, out1: usize, out2: usize, out3: usize): void {
  const counts = areRuns ? longestRuns(x) : countsByBits(rule, least, x);
  if (size == 4) {
    writeLanes<f32>(daysOf<f32>(counts), out0, out1, out2, out3);
    return;
  }
  writeLanes<f64>(daysOf<f64>(i32x4.shuffle(counts, counts, 0, 0, 1, 1)), out0, out1, 0, 0);
  writeLanes<f64>(daysOf<f64>(i32x4.shuffle(counts, counts, 2, 2, 3, 3)), out2, out3, 0, 0);
}

function writeCounts(rule: i32, least: i32, x: v128, size: usize, out0: usize, out1: usize, out2: usize, out3: usize): void {
  if (rule == Rule.LongestSpell) putCounts(true, rule, least, x, size, out0, out1, out2, out3);
  else putCounts(false, rule, least, x, size, out0, out1, out2, out3);
}

/** What windows of up to 31 days hold of `last + 1` members, four at most, by the bits of these. */
@inline function countBits(areRuns: bool, job: WindowJob, least: i32, size: usize, bits: usize, bitBytes: usize, out: usize, last: usize): void {
  const k1 = min<usize>(1, last), k2 = min<usize>(2, last), bits1 = bits + k1 * bitBytes, bits2 = bits + k2 * bitBytes;
  const bits3 = bits + last * bitBytes, rowBytes = job.rowBytes, rule = job.rule;
  const out1 = out + k1 * rowBytes, out2 = out + k2 * rowBytes, out3 = out + last * rowBytes;
  let window = job.windows, at: usize = 0;
  const origin = load<i32>(window);
  for (const end = window + (<usize>job.windowCount << 3); window < end; window += 8, at += size) {
    const first = load<i32>(window) - origin, days = load<i32>(window, 4);
    let x = i32x4.splat(bitsOf(bits, first, days));
    x = i32x4.replace_lane(x, 1, bitsOf(bits1, first, days));
    x = i32x4.replace_lane(x, 2, bitsOf(bits2, first, days));
    x = i32x4.replace_lane(x, 3, bitsOf(bits3, first, days));
    putCounts(areRuns, rule, least, x, size, out + at, out1 + at, out2 + at, out3 + at);
  }
}

// Functions of their own: one with both is slower.
function countRuns(job: WindowJob, size: usize, bits: usize, bitBytes: usize, out: usize, last: usize): void {
  countBits(true, job, 0, size, bits, bitBytes, out, last);
}
function countOthers(job: WindowJob, least: i32, size: usize, bits: usize, bitBytes: usize, out: usize, last: usize): void {
  countBits(false, job, least, size, bits, bitBytes, out, last);
}

/** Makes bytes of cells words: the first bytes of all cells, then their second ones, 16 bytes apart. */
@inline function toWords(bytes: usize): void {
  const a = v128.load(bytes), b = v128.load(bytes, 16), c = v128.load(bytes, 32), d = v128.load(bytes, 48);
  const ab0 = v128.shuffle<u8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const cd0 = v128.shuffle<u8>(c, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ab1 = v128.shuffle<u8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const cd1 = v128.shuffle<u8>(c, d, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  v128.store(bytes, v128.shuffle<u16>(ab0, cd0, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(bytes, v128.shuffle<u16>(ab0, cd0, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  v128.store(bytes, v128.shuffle<u16>(ab1, cd1, 0, 8, 1, 9, 2, 10, 3, 11), 32);
  v128.store(bytes, v128.shuffle<u16>(ab1, cd1, 4, 12, 5, 13, 6, 14, 7, 15), 48);
}

/** Makes windows missing that have a missing or infinite day. */
function spoil<T>(job: WindowJob, from: usize, days: i32, spare: usize, bits: usize, out: usize): void {
  const windows = job.windows, origin = load<i32>(windows);
  writeBits<T>(Ask.Finite, v128.splat<T>(<T>Infinity), 0, from, days, spare, bits);
  for (let window = windows, end = windows + (<usize>job.windowCount << 3); window < end; window += 8, out += sizeof<T>()) {
    const length = load<i32>(window, 4);
    if (bitsOf(bits, load<i32>(window) - origin, length) != (1 << length) - 1) store<T>(out, <T>NaN);
  }
}

/**
 * Writes what two weeks of f64 hold, by the bits of their 14 days, as they are read: so memory does not wait for the table. Returns
 * the product of the days' sum by `bad`.
 */
@inline function twoWeeks(bound: v128, flip: i32, bad: v128, day: usize, table: usize, out: usize): v128 {
  const a = v128.load(day), b = v128.load(day, 16), c = v128.load(day, 32), d = v128.load(day, 48);
  const e = v128.load(day, 64), f = v128.load(day, 80), g = v128.load(day, 96);
  const ab = i32x4.shuffle(f64x2.gt(a, bound), f64x2.gt(b, bound), 0, 2, 4, 6), cd = i32x4.shuffle(f64x2.gt(c, bound), f64x2.gt(d, bound), 0, 2, 4, 6);
  const ef = i32x4.shuffle(f64x2.gt(e, bound), f64x2.gt(f, bound), 0, 2, 4, 6), gg = f64x2.gt(g, bound);
  const bits = i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(ab, cd), i16x8.narrow_i32x4_s(ef, i32x4.shuffle(gg, gg, 0, 2, 0, 2)))) ^ flip;
  store<f64>(out, held<f64>(table, bits & 127));
  store<f64>(out, held<f64>(table, bits >> 7 & 127), 8);
  return f64x2.mul(bad, f64x2.add(sumOf<f64>(a, b, c, d), f64x2.add(f64x2.add(e, f), g)));
}

/** Makes consecutive weeks missing that have a missing or infinite day. */
function spoilWeeks(day: usize, windowCount: i32, out: usize): void {
  for (const end = out + (<usize>windowCount << 3); out < end; out += 8, day += 56) {
    const one = f64x2.mul(f64x2.mul(f64x2.splat(0), v128.load(day)), v128.load(day, 16));
    const bad = f64x2.mul(f64x2.mul(one, v128.load(day, 32)), v128.load64_splat(day, 48));
    store<f64>(out, load<f64>(out) + abs(f64x2.extract_lane(bad, 0) * f64x2.extract_lane(bad, 1)));
  }
}

/**
 * Fills the rows of at least two weeks of f64 whose days are adjacent: of four members at a time, the last one again if fewer
 * are left. Where the number of weeks is odd, the last two are the last two once more. Returns whether all days are there and finite.
 */
function weeksOf(job: WindowJob, table: usize, bound: v128, flip: i32): bool {
  const windowCount = job.windowCount, members = job.members, rowBytes = job.rowBytes, last = job.memberCount - 1;
  const start = job.offset + (<usize>load<i32>(job.windows) << 3), written = <usize>windowCount << 3, none = f64x2.splat(0);
  let anyBad = false;
  for (let m = 0; m <= last; m += 4) {
    const m1 = <usize>min(m + 1, last), m2 = <usize>min(m + 2, last), m3 = <usize>min(m + 3, last);
    let from0 = <usize>load<u32>(members + (<usize>m << 2)) + start, row0 = job.rows + <usize>m * rowBytes;
    let from1 = <usize>load<u32>(members + (m1 << 2)) + start, row1 = job.rows + m1 * rowBytes;
    let from2 = <usize>load<u32>(members + (m2 << 2)) + start, row2 = job.rows + m2 * rowBytes;
    let from3 = <usize>load<u32>(members + (m3 << 2)) + start, row3 = job.rows + m3 * rowBytes;
    for (let cells = job.cells; cells > 0; cells--) {
      let bad0 = none, bad1 = none, bad2 = none, bad3 = none;
      for (let week = 0; week < windowCount; week += 2) {
        const at = <usize>min(week, windowCount - 2) << 3, day = at * 7;
        bad0 = twoWeeks(bound, flip, bad0, from0 + day, table, row0 + at);
        bad1 = twoWeeks(bound, flip, bad1, from1 + day, table, row1 + at);
        bad2 = twoWeeks(bound, flip, bad2, from2 + day, table, row2 + at);
        bad3 = twoWeeks(bound, flip, bad3, from3 + day, table, row3 + at);
      }
      if (v128.any_true(areNaN<f64>(bad0, bad1, bad2, bad3))) {
        anyBad = true;
        spoilWeeks(from0, windowCount, row0), spoilWeeks(from1, windowCount, row1);
        spoilWeeks(from2, windowCount, row2), spoilWeeks(from3, windowCount, row3);
      }
      from0 += job.cellStride, from1 += job.cellStride, from2 += job.cellStride, from3 += job.cellStride;
      row0 += written, row1 += written, row2 += written, row3 += written;
    }
  }
  return !anyBad;
}

/**
 * The windows of cells, 64 bytes of each day at a time, from the first day of the first window on; the last ones once more.
 * `table` is 0 for windows of more days. `spare` is scratch of 64 bytes.
 */
@inline function countCells<T>(
  job: WindowJob, table: usize, least: i32, spare: usize, from: usize, cells: i32, written: usize, out: usize,
): bool {
  let anyBad = 0;
  const windows = job.windows, condition = job.condition, stride = job.dayStride, rule = job.rule;
  const windowsEnd = windows + (<usize>job.windowCount << 3), origin = load<i32>(windows);
  const bound = v128.splat<T>(boundOf<T>(load<f64>(condition))), none = v128.splat<T>(0);
  const flip = load<f64>(condition, 8) != 0 ? -1 : 0;
  const inBlock = 64 / sizeof<T>(), last = cells - inBlock;
  for (let c = 0; c < cells; c += inBlock) {
    const first = <usize>min(c, last);
    let to = out + first * written;
    for (let window = windows; window < windowsEnd; window += 8, to += sizeof<T>()) {
      let day = from + first * sizeof<T>() + <usize>(load<i32>(window) - origin) * stride;
      let bad0 = none, bad1 = none, bad2 = none, bad3 = none, left = load<i32>(window, 4), part = spare;
      for (; left > 0; left -= TABLE_DAYS, part += 16) {
        const days = min(left, TABLE_DAYS);
        let bit = i8x16.splat(1), bits = none;
        for (const end = day + <usize>days * stride; day != end; day += stride) {
          const a = v128.load(day), b = v128.load(day, 16), c = v128.load(day, 32), d = v128.load(day, 48);
          bad0 = v128.mul<T>(bad0, a), bad1 = v128.mul<T>(bad1, b), bad2 = v128.mul<T>(bad2, c), bad3 = v128.mul<T>(bad3, d);
          const above = pack<T>(v128.gt<T>(a, bound), v128.gt<T>(b, bound), v128.gt<T>(c, bound), v128.gt<T>(d, bound));
          bits = v128.or(bits, v128.and(above, bit));
          bit = i8x16.add(bit, bit);
        }
        v128.store(part, v128.xor(bits, i8x16.splat(<i8>(flip & ((1 << days) - 1)))));
      }
      let at = to;
      if (table) {
        for (let cell = spare, end = spare + inBlock; cell < end; cell += 4, at += 4 * written) {
          const four = <usize>load<u32>(cell);
          store<T>(at, held<T>(table, four & 255));
          store<T>(at + written, held<T>(table, four >> 8 & 255));
          store<T>(at + 2 * written, held<T>(table, four >> 16 & 255));
          store<T>(at + 3 * written, held<T>(table, four >> 24));
        }
      } else {
        for (; part < spare + 64; part += 16) v128.store(part, none);
        toWords(spare);
        for (let cell = spare, end = spare + 4 * inBlock; cell < end; cell += 16, at += 4 * written) {
          writeCounts(rule, least, v128.load(cell), sizeof<T>(), at, at + written, at + 2 * written, at + 3 * written);
        }
      }
      let bad = i8x16.bitmask(areNaN<T>(bad0, bad1, bad2, bad3));
      anyBad |= bad;
      for (; bad; bad &= bad - 1) {
        store<T>(to + <usize>ctz(bad) * written, <T>NaN);
      }
    }
  }
  return anyBad != 0;
}

/** Where the days of a member are adjacent: copied to `copy`, unless they are so already. */
@inline function daysAt<T>(job: WindowJob, member: i32, offset: usize, days: i32, copy: usize): usize {
  const stride = job.dayStride;
  let from = <usize>load<u32>(job.members + (<usize>member << 2)) + offset;
  if (stride == sizeof<T>()) return from;
  for (let day = 0; day < days; day++, from += stride) store<T>(copy + <usize>day * sizeof<T>(), load<T>(from));
  return copy;
}

/** Fills the rows of windows for which `areShortCounts`. Returns whether all days are there and finite. */
export function shortCountsOf<T>(job: WindowJob): bool {
  const cells = job.cells, cellStride = job.cellStride, stride = job.dayStride, condition = job.condition;
  const windows = job.windows, windowCount = job.windowCount, table = job.spare, spare = table + TABLE_BYTES;
  const start = job.offset + <usize>load<i32>(windows) * stride;
  const days = lastEnd(windows, windowCount) - load<i32>(windows);
  const written = <usize>windowCount * sizeof<T>();
  const inBlock = 64 / sizeof<T>();
  const weeks = areWeeks(windows, windowCount);
  const bound = v128.splat<T>(boundOf<T>(load<f64>(condition)));
  const flip = load<f64>(condition, 8) != 0 ? 0xffff : 0;
  // The bits of four members; eight bytes are read from any of them on.
  const bits = spare + 64, bitBytes = (<usize>(days + 15) >> 4 << 1) + 8, copy = bits + 4 * bitBytes;
  const rule = job.rule, least = <i32>min<f64>(load<f64>(condition, 24), WORD_DAYS + 1), longest = longestOf(windows, windowCount);
  const isShort = longest <= TABLE_DAYS;
  if (isShort) writeTable<T>(rule, least, longest, table);
  const members = job.members, memberCount = job.memberCount, rows = job.rows, rowBytes = job.rowBytes;
  let anyBad = false;
  if (cellStride < stride && cells >= inBlock) {
    for (let m = 0; m < memberCount; m++) {
      const from = <usize>load<u32>(members + (<usize>m << 2)) + start, out = rows + <usize>m * rowBytes;
      readAhead(job, sizeof<T>(), m, cells);
      anyBad = countCells<T>(job, isShort ? table : 0, least, spare, from, cells, written, out) || anyBad;
    }
    return !anyBad;
  }
  if (sizeof<T>() == 8 && stride == 8 && weeks && windowCount > 1) return weeksOf(job, table, bound, flip);
  // Four members together: bits are read some time after they are written.
  for (let m = 0; m < memberCount; m += 4) {
    const last = min(m + 4, memberCount);
    for (let c: usize = 0; c < <usize>cells; c++) {
      let bad: i32 = 0;
      if (stride == sizeof<T>() && days >= inBlock) {
        const from = start + c * cellStride, end = last - 1, at = <usize>m << 2;
        bad = writeBitsOfFour<T>(
          bound, flip, from + load<u32>(members + at), from + load<u32>(members + (<usize>min(m + 1, end) << 2)),
          from + load<u32>(members + (<usize>min(m + 2, end) << 2)), from + load<u32>(members + (<usize>end << 2)), days, bits, bitBytes,
        ) & ((1 << (last - m)) - 1);
      } else {
        for (let member = m, to = bits; member < last; member++, to += bitBytes) {
          const from = daysAt<T>(job, member, start + c * cellStride, days, copy);
          if (writeBits<T>(Ask.Above, bound, flip, from, days, spare, to)) bad |= 1 << (member - m);
        }
      }
      const out = rows + <usize>m * rowBytes + c * written;
      if (isShort) {
        for (let k: usize = 0; k < <usize>(last - m); k++) lookUp<T>(windows, windowCount, weeks, table, bits + k * bitBytes, out + k * rowBytes);
      } else if (rule == Rule.LongestSpell) countRuns(job, sizeof<T>(), bits, bitBytes, out, last - m - 1);
      else countOthers(job, least, sizeof<T>(), bits, bitBytes, out, last - m - 1);
      for (; bad; bad &= bad - 1, anyBad = true) {
        const member = m + ctz(bad), from = daysAt<T>(job, member, start + c * cellStride, days, copy);
        spoil<T>(job, from, days, spare, bits, rows + <usize>member * rowBytes + c * written);
      }
    }
  }
  return !anyBad;
}
