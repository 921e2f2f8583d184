// Phase 1 for the less common rules, minimum, maximum and count of days; windows.ts draws the memory layout.
import { WindowJob } from './generated/jobs';
import { value } from './windows';

@inline function minimum<T>(address: usize, dayStride: usize, days: i32): f64 {
  let result: f64 = Infinity;
  for (let day = 0; day < days; day++, address += dayStride) result = min(result, value<T>(address));
  return result;
}

@inline function maximum<T>(address: usize, dayStride: usize, days: i32): f64 {
  let result: f64 = -Infinity;
  for (let day = 0; day < days; day++, address += dayStride) result = max(result, value<T>(address));
  return result;
}

@inline function count<T>(address: usize, dayStride: usize, days: i32): f64 {
  let result = 0;
  for (let day = 0; day < days; day++, address += dayStride) {
    const x = value<T>(address);
    result += i32(x == x);
  }
  return <f64>result;
}

const enum Rule { Minimum, Maximum, Count }

/**
 * Windows by the less common rules, for any strides. A missing day makes a minimum or maximum missing; a count ignores
 * it.
 */
@inline function windowsBy<T>(rule: Rule, job: WindowJob): void {
  const members = job.members, memberCount = job.memberCount, offset = job.offset, dayStride = job.dayStride;
  const cellStride = job.cellStride, cells = job.cells, windows = job.windows, windowCount = job.windowCount, rowBytes = job.rowBytes;
  let rows = job.rows;
  const windowsEnd = windows + (<usize>windowCount << 3);
  for (let m = 0; m < memberCount; m++) {
    let cell = <usize>load<u32>(members + (<usize>m << 2)) + offset;
    let out = rows;
    for (let c = 0; c < cells; c++) {
      for (let window = windows; window < windowsEnd; window += 8) {
        const address = cell + <usize>load<i32>(window) * dayStride;
        const days = load<i32>(window, 4);
        if (rule == Rule.Minimum) store<f64>(out, minimum<T>(address, dayStride, days));
        else if (rule == Rule.Maximum) store<f64>(out, maximum<T>(address, dayStride, days));
        else store<f64>(out, count<T>(address, dayStride, days));
        out += 8;
      }
      cell += cellStride;
    }
    rows += rowBytes;
  }
}

export function minimumF32(job: WindowJob): void {
  windowsBy<f32>(Rule.Minimum, job);
}
export function minimumF64(job: WindowJob): void {
  windowsBy<f64>(Rule.Minimum, job);
}
export function maximumF32(job: WindowJob): void {
  windowsBy<f32>(Rule.Maximum, job);
}
export function maximumF64(job: WindowJob): void {
  windowsBy<f64>(Rule.Maximum, job);
}
export function countF32(job: WindowJob): void {
  windowsBy<f32>(Rule.Count, job);
}
export function countF64(job: WindowJob): void {
  windowsBy<f64>(Rule.Count, job);
}
