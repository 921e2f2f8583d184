// Phase 1 for totals if the cells of a day are adjacent in memory; windows.ts draws the memory layout.
import { WindowJob } from './generated/jobs';
import { readAhead } from './window-rules';
import { pair0, pair1, pair2, pair3, value } from './windows';

@inline function total<T>(address: usize, dayStride: usize, days: i32): f64 {
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let day = 1; day < days; day += 2) {
    even += value<T>(address);
    odd += value<T>(address + dayStride);
    address += 2 * dayStride;
  }
  if (days & 1) even += value<T>(address);
  return even + odd;
}

/** How many days are read at the same time: caches do not follow more streams than this. */
const STREAMS: i32 = 8;

/**
 * Adds up to eight days to the sums of days at even and odd places, eight cells at a time. The first days begin the
 * sums; with the last, the even row becomes the total.
 */
@inline function addDays<T>(
  day0: usize, dayStride: usize, cells: i32, days: i32, first: bool, last: bool, evenRow: usize, oddRow: usize,
): void {
  const end = evenRow + (<usize>cells << 3);
  for (; evenRow < end; evenRow += 64, oddRow += 64, day0 += 8 * sizeof<T>()) {
    let even0 = f64x2.splat(0), even1 = even0, even2 = even0, even3 = even0;
    let odd0 = even0, odd1 = even0, odd2 = even0, odd3 = even0;
    if (!first) {
      even0 = v128.load(evenRow); even1 = v128.load(evenRow, 16); even2 = v128.load(evenRow, 32); even3 = v128.load(evenRow, 48);
      odd0 = v128.load(oddRow); odd1 = v128.load(oddRow, 16); odd2 = v128.load(oddRow, 32); odd3 = v128.load(oddRow, 48);
    }
    let address = day0;
    for (let day = 1; day < days; day += 2) {
      even0 = f64x2.add(even0, pair0<T>(address));
      even1 = f64x2.add(even1, pair1<T>(address));
      even2 = f64x2.add(even2, pair2<T>(address));
      even3 = f64x2.add(even3, pair3<T>(address));
      address += dayStride;
      odd0 = f64x2.add(odd0, pair0<T>(address));
      odd1 = f64x2.add(odd1, pair1<T>(address));
      odd2 = f64x2.add(odd2, pair2<T>(address));
      odd3 = f64x2.add(odd3, pair3<T>(address));
      address += dayStride;
    }
    if (days & 1) {
      even0 = f64x2.add(even0, pair0<T>(address));
      even1 = f64x2.add(even1, pair1<T>(address));
      even2 = f64x2.add(even2, pair2<T>(address));
      even3 = f64x2.add(even3, pair3<T>(address));
    }
    if (last) {
      even0 = f64x2.add(even0, odd0); even1 = f64x2.add(even1, odd1); even2 = f64x2.add(even2, odd2); even3 = f64x2.add(even3, odd3);
    } else {
      v128.store(oddRow, odd0); v128.store(oddRow, odd1, 16); v128.store(oddRow, odd2, 32); v128.store(oddRow, odd3, 48);
    }
    v128.store(evenRow, even0); v128.store(evenRow, even1, 16); v128.store(evenRow, even2, 32); v128.store(evenRow, even3, 48);
  }
}

/** Totals of the first window if the cells of a day are adjacent; `spare` is one more row, for scratch data. */
@inline function totalField<T>(job: WindowJob): void {
  const members = job.members, memberCount = job.memberCount, dayStride = job.dayStride, cells = job.cells;
  const rowBytes = job.rowBytes, spare = job.spare;
  const offset = job.offset + <usize>load<i32>(job.windows) * dayStride;
  const days = load<i32>(job.windows, 4);
  let rows = job.rows;
  const whole = cells & ~7;
  for (let m = 0; m < memberCount; m++) {
    let cell = <usize>load<u32>(members + (<usize>m << 2)) + offset;
    if (days <= STREAMS) {
      addDays<T>(cell, dayStride, whole, days, true, true, rows, spare);
    } else {
      readAhead(job, sizeof<T>(), m, cells);
      let day = 0;
      for (; day + STREAMS < days; day += STREAMS) {
        addDays<T>(cell + <usize>day * dayStride, dayStride, whole, STREAMS, day == 0, false, rows, spare);
      }
      addDays<T>(cell + <usize>day * dayStride, dayStride, whole, days - day, false, true, rows, spare);
    }
    let out = rows + (<usize>whole << 3);
    cell += <usize>whole * sizeof<T>();
    for (let c = whole; c < cells; c++) {
      store<f64>(out, total<T>(cell, dayStride, days));
      cell += sizeof<T>();
      out += 8;
    }
    rows += rowBytes;
  }
}

export function totalFieldF32(job: WindowJob): void {
  totalField<f32>(job);
}
export function totalFieldF64(job: WindowJob): void {
  totalField<f64>(job);
}
