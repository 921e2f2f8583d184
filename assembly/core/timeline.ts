// Gathers the days of one horizon for a timeline from its members.
//
//   members    u32 addresses of the horizon's members; a location is at offset + location * cellStride from these
//   member     i32 x trajectories (x locations): the member that each trajectory is; 0: trajectory t is member t
//   from, to   i32 x trajectories (x locations): the days of the timeline from this horizon; 0: first to last
//   places     how many entries each location has in these tables: 0 if all locations share them
//   out        values x days x locations x trajectories, trajectories outBytes apart
import { CopyDaysJob, GatherJob, GatherWindowsJob, SelectDaysJob } from './generated/jobs';

@inline function gather<T>(job: GatherJob): void {
  const members = job.members, cellStride = job.cellStride, shift = job.shift, end = job.end, places = job.places;
  const member = job.member, from = job.from, to = job.to;
  const trajectories = job.trajectories, locations = job.locations, days = job.days, outBytes = job.outBytes;
  let offset = job.offset, out = job.out;
  const rowBytes = <usize>days * sizeof<T>();
  for (let location = 0; location < locations; location++, offset += cellStride, out += rowBytes) {
    let place = <usize>(location * places) << 2;
    let row = out;
    for (let t = 0; t < trajectories; t++, place += 4, row += outBytes) {
      const first = from ? load<i32>(from + place) : 0;
      const last = to ? min(load<i32>(to + place), days) : days;
      const index = <usize>(member ? load<i32>(member + place) : t);
      const values = <usize>load<u32>(members + (index << 2)) + offset;
      // The days that the horizon has, counted on the timeline: values of other days are missing.
      const start = min(max(first, -shift), last);
      const stop = max(start, min(last, end - shift));
      if (start > first) fillMissing<T>(row + <usize>first * sizeof<T>(), start - first);
      if (last > stop) fillMissing<T>(row + <usize>stop * sizeof<T>(), last - stop);
      const from = values + <usize>(start + shift) * sizeof<T>();
      copyRun(row + <usize>start * sizeof<T>(), from, <usize>(stop - start) * sizeof<T>());
    }
  }
}

/**
 * Copies bytes, a multiple of four; runs are too short for a call of memory.copy. The last vector overlaps the one
 * before it: the end of another loop, over what is left, would be hard to predict.
 */
@inline function copyRun(target: usize, source: usize, bytes: usize): void {
  if (bytes < 16) {
    for (const end = target + bytes; target < end; target += 4, source += 4) store<u32>(target, load<u32>(source));
    return;
  }
  const last = target + bytes - 16;
  v128.store(last, v128.load(source + bytes - 16));
  for (; target < last; target += 16, source += 16) v128.store(target, v128.load(source));
}

@inline function fillMissing<T>(target: usize, count: i32): void {
  for (const end = target + <usize>count * sizeof<T>(); target < end; target += sizeof<T>()) store<T>(target, <T>NaN);
}

export function gatherF32(job: GatherJob): void {
  gather<f32>(job);
}
export function gatherF64(job: GatherJob): void {
  gather<f64>(job);
}

/**
 * Copies a run of days of each location, `bytes` long, from `offset + location * cellStride` after each member's
 * address: the runs of a member are `outStride` apart, the members `outBytes`.
 */
export function copyDays(job: CopyDaysJob): void {
  const cellStride = job.cellStride, bytes = job.bytes, outBytes = job.outBytes, outStride = job.outStride;
  const memberCount = job.memberCount, offset = job.offset, locations = job.locations;
  let member = job.members, row = job.out;
  for (let m = 0; m < memberCount; m++, member += 4, row += outBytes) {
    let from = <usize>load<u32>(member) + offset;
    let out = row;
    for (let location = 0; location < locations; location++, from += cellStride, out += outStride) {
      copyRun(out, from, bytes);
    }
  }
}

/**
 * Joins days of two horizons: those before a trajectory's switch day are from the earlier one, the others from the later
 * one; all from the later one where `switchDay` is 0. `origin` is the first of these days on the timeline. Members of
 * both have values of all the days, from their offsets on; rows are whole vectors, so that no branch depends on days.
 */
@inline function selectDays<T>(job: SelectDaysJob): void {
  const earlier = job.earlier, earlierOffset = job.earlierOffset, earlierStride = job.earlierStride;
  const later = job.later, laterOffset = job.laterOffset, laterStride = job.laterStride;
  const earlierMember = job.earlierMember, laterMember = job.laterMember, switchDay = job.switchDay;
  const places = <usize>job.places << 2, trajectories = job.trajectories, origin = job.origin;
  const rowBytes = job.rowBytes, outBytes = job.outBytes, locations = job.locations;
  let row = job.out;
  for (let t: usize = 0; t < <usize>trajectories; t++, row += outBytes) {
    let place = t << 2;
    let out = row;
    let before = earlierOffset, after = laterOffset;
    for (let location = 0; location < locations; location++) {
      const a = <usize>load<u32>(earlier + ((earlierMember ? <usize>load<i32>(earlierMember + place) : t) << 2)) + before;
      const b = <usize>load<u32>(later + ((laterMember ? <usize>load<i32>(laterMember + place) : t) << 2)) + after;
      const day = switchDay ? load<i32>(switchDay + place) - origin : 0;
      if (sizeof<T>() == 4) {
        const limit = i32x4.splat(day);
        let days = i32x4(0, 1, 2, 3);
        for (let at: usize = 0; at < rowBytes; at += 16) {
          v128.store(out + at, v128.bitselect(v128.load(a + at), v128.load(b + at), i32x4.lt_s(days, limit)));
          days = i32x4.add(days, i32x4.splat(4));
        }
      } else {
        const limit = i64x2.splat(day);
        let days = i64x2(0, 1);
        for (let at: usize = 0; at < rowBytes; at += 16) {
          v128.store(out + at, v128.bitselect(v128.load(a + at), v128.load(b + at), i64x2.lt_s(days, limit)));
          days = i64x2.add(days, i64x2.splat(2));
        }
      }
      place += places;
      before += earlierStride;
      after += laterStride;
      out += rowBytes;
    }
  }
}

export function selectDaysF32(job: SelectDaysJob): void {
  selectDays<f32>(job);
}
export function selectDaysF64(job: SelectDaysJob): void {
  selectDays<f64>(job);
}

/**
 * Gathers a run of windows, `runBytes` long, of each trajectory from the rows of the members that it is; locations are
 * `runBytes` apart in these, and `outStride` in the rows of trajectories. `member` and `places` are as above.
 */
export function gatherWindows(job: GatherWindowsJob): void {
  const rows = job.rows, rowBytes = job.rowBytes, runBytes = job.runBytes, outStride = job.outStride;
  const member = job.member, places = <usize>job.places << 2, locations = job.locations;
  const trajectories = job.trajectories, outBytes = job.outBytes;
  let row = job.out;
  for (let t = 0; t < trajectories; t++, row += outBytes) {
    let place = member + (<usize>t << 2);
    let out = row;
    let from = rows;
    for (let location = 0; location < locations; location++, place += places, out += outStride, from += runBytes) {
      const index = <usize>(member ? load<i32>(place) : t);
      copyRun(out, from + index * rowBytes, runBytes);
    }
  }
}
