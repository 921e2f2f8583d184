// Phase 1: the daily values of each member become one value per window.
//
//   members  one u32 per member: the address of its values; the value of (cell, day) is `offset + cell * cellStride + day * dayStride`
//            bytes after it
//   windows  windowCount pairs of i32: first day, number of days (at least one)
//   rows     one row per member, of f64 (by some rules of f32: window-rules.ts), rowBytes apart; lane = cell * windowCount + window
//              row 0   |w0 w1 w2 ... |  |   a row ends with space for three more lanes of any content, so that full vectors can be read
//              row 1   |w0 w1 w2 ... |  |
//
// A total is the sum of the days at even places of the window plus the sum of those at odd places, each in order: so
// both row orders can add two numbers at a time and still agree to the last bit. A missing day (NaN) makes the window
// missing.
import { WindowJob } from './generated/jobs';

@inline export function value<T>(address: usize): f64 {
  return <f64>load<T>(address);
}

// Two neighbouring values as f64x2, the first, second, third and fourth pair from `address` on.
@inline export function pair0<T>(address: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(address)) : v128.load(address);
}
@inline export function pair1<T>(address: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(address, 8)) : v128.load(address, 16);
}
@inline export function pair2<T>(address: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(address, 16)) : v128.load(address, 32);
}
@inline export function pair3<T>(address: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(address, 24)) : v128.load(address, 48);
}

/** One value, with zero in the second lane. */
@inline function single<T>(address: usize): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.load32_zero(address)) : v128.load64_zero(address);
}

/** The sums of the days at even and odd places of seven consecutive days. */
@inline function weekSums<T>(address: usize): v128 {
  const pairs = f64x2.add(f64x2.add(pair0<T>(address), pair1<T>(address)), pair2<T>(address));
  return f64x2.add(pairs, single<T>(address + 6 * sizeof<T>()));
}

/** Whether all windows are consecutive weeks: the most common case. */
export function areWeeks(windows: usize, windowCount: i32): bool {
  const first = load<i32>(windows);
  for (let w = 0; w < windowCount; w++, windows += 8) {
    if (load<i32>(windows) != first + 7 * w || load<i32>(windows, 4) != 7) return false;
  }
  return true;
}

/** The totals of two consecutive weeks. */
@inline function twoWeeks<T>(address: usize): v128 {
  const one = weekSums<T>(address);
  const two = weekSums<T>(address + 7 * sizeof<T>());
  return f64x2.add(v128.shuffle<u64>(one, two, 0, 2), v128.shuffle<u64>(one, two, 1, 3));
}

@inline function bothPlaces(sums: v128): f64 {
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}

/** The totals of consecutive weeks, two at a time, for each of four members. */
@inline function weeks<T>(
  day0: usize, day1: usize, day2: usize, day3: usize, windowCount: i32, out0: usize, out1: usize, out2: usize, out3: usize,
): void {
  for (const end = out0 + (<usize>(windowCount & ~1) << 3); out0 < end; ) {
    v128.store(out0, twoWeeks<T>(day0));
    v128.store(out1, twoWeeks<T>(day1));
    v128.store(out2, twoWeeks<T>(day2));
    v128.store(out3, twoWeeks<T>(day3));
    day0 += 14 * sizeof<T>(); day1 += 14 * sizeof<T>(); day2 += 14 * sizeof<T>(); day3 += 14 * sizeof<T>();
    out0 += 16; out1 += 16; out2 += 16; out3 += 16;
  }
  if (windowCount & 1) {
    store<f64>(out0, bothPlaces(weekSums<T>(day0)));
    store<f64>(out1, bothPlaces(weekSums<T>(day1)));
    store<f64>(out2, bothPlaces(weekSums<T>(day2)));
    store<f64>(out3, bothPlaces(weekSums<T>(day3)));
  }
}

/** The total of any number of consecutive days, for each of four members. */
@inline function consecutive<T>(
  day0: usize, day1: usize, day2: usize, day3: usize, days: i32, out0: usize, out1: usize, out2: usize, out3: usize,
): void {
  let sums0 = f64x2.splat(0), sums1 = sums0, sums2 = sums0, sums3 = sums0;
  for (const end = day0 + <usize>(days & ~3) * sizeof<T>(); day0 < end; ) {
    sums0 = f64x2.add(f64x2.add(sums0, pair0<T>(day0)), pair1<T>(day0));
    sums1 = f64x2.add(f64x2.add(sums1, pair0<T>(day1)), pair1<T>(day1));
    sums2 = f64x2.add(f64x2.add(sums2, pair0<T>(day2)), pair1<T>(day2));
    sums3 = f64x2.add(f64x2.add(sums3, pair0<T>(day3)), pair1<T>(day3));
    day0 += 4 * sizeof<T>(); day1 += 4 * sizeof<T>(); day2 += 4 * sizeof<T>(); day3 += 4 * sizeof<T>();
  }
  if (days & 2) {
    sums0 = f64x2.add(sums0, pair0<T>(day0));
    sums1 = f64x2.add(sums1, pair0<T>(day1));
    sums2 = f64x2.add(sums2, pair0<T>(day2));
    sums3 = f64x2.add(sums3, pair0<T>(day3));
    day0 += 2 * sizeof<T>(); day1 += 2 * sizeof<T>(); day2 += 2 * sizeof<T>(); day3 += 2 * sizeof<T>();
  }
  if (days & 1) {
    sums0 = f64x2.add(sums0, single<T>(day0));
    sums1 = f64x2.add(sums1, single<T>(day1));
    sums2 = f64x2.add(sums2, single<T>(day2));
    sums3 = f64x2.add(sums3, single<T>(day3));
  }
  store<f64>(out0, bothPlaces(sums0));
  store<f64>(out1, bothPlaces(sums1));
  store<f64>(out2, bothPlaces(sums2));
  store<f64>(out3, bothPlaces(sums3));
}

/**
 * Totals if the days of a cell are adjacent. Four members are read at a time, the last one again if fewer are left:
 * four streams from memory are faster than one, and no sum waits for another.
 */
@inline function totalSeries<T>(job: WindowJob): void {
  const members = job.members, memberCount = job.memberCount, offset = job.offset, cellStride = job.cellStride, cells = job.cells;
  const windows = job.windows, windowCount = job.windowCount, rows = job.rows, rowBytes = job.rowBytes;
  const windowsEnd = windows + (<usize>windowCount << 3);
  const allWeeks = areWeeks(windows, windowCount);
  const firstWeek = <usize>load<i32>(windows) * sizeof<T>();
  const last = memberCount - 1;
  for (let m = 0; m < memberCount; m += 4) {
    const m1 = <usize>min(m + 1, last), m2 = <usize>min(m + 2, last), m3 = <usize>min(m + 3, last);
    let cell0 = <usize>load<u32>(members + (<usize>m << 2)) + offset;
    let cell1 = <usize>load<u32>(members + (m1 << 2)) + offset;
    let cell2 = <usize>load<u32>(members + (m2 << 2)) + offset;
    let cell3 = <usize>load<u32>(members + (m3 << 2)) + offset;
    let out0 = rows + <usize>m * rowBytes, out1 = rows + m1 * rowBytes, out2 = rows + m2 * rowBytes, out3 = rows + m3 * rowBytes;
    for (let c = 0; c < cells; c++) {
      if (allWeeks) {
        weeks<T>(cell0 + firstWeek, cell1 + firstWeek, cell2 + firstWeek, cell3 + firstWeek, windowCount, out0, out1, out2, out3);
      } else {
        let at: usize = 0;
        for (let window = windows; window < windowsEnd; window += 8, at += 8) {
          const first = <usize>load<i32>(window) * sizeof<T>();
          consecutive<T>(
            cell0 + first, cell1 + first, cell2 + first, cell3 + first, load<i32>(window, 4), out0 + at, out1 + at, out2 + at, out3 + at,
          );
        }
      }
      cell0 += cellStride; cell1 += cellStride; cell2 += cellStride; cell3 += cellStride;
      const written = <usize>windowCount << 3;
      out0 += written; out1 += written; out2 += written; out3 += written;
    }
  }
}

export function totalSeriesF32(job: WindowJob): void {
  totalSeries<f32>(job);
}
export function totalSeriesF64(job: WindowJob): void {
  totalSeries<f64>(job);
}
/** Raw days need no windows: copies rows of the input's type, `bytes` long. */
export function raw(members: usize, memberCount: i32, offset: usize, bytes: usize, rows: usize, rowBytes: usize): void {
  for (let m = 0; m < memberCount; m++) {
    memory.copy(rows, <usize>load<u32>(members + (<usize>m << 2)) + offset, bytes);
    rows += rowBytes;
  }
}

/** A row of divisors: the days of each window, once for each cell. */
export function windowDays(windows: usize, windowCount: i32, cells: i32, row: usize): void {
  const windowsEnd = windows + (<usize>windowCount << 3);
  for (let c = 0; c < cells; c++) {
    for (let window = windows; window < windowsEnd; window += 8) {
      store<f64>(row, <f64>load<i32>(window, 4));
      row += 8;
    }
  }
}
