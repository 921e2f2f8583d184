// Gathers the days of one horizon for a timeline from its members.
//
//   members    u32 addresses of the horizon's members; a location is at offset + location * cellStride from these
//   member     i32 x trajectories (x locations): the member that each trajectory is; 0: trajectory t is member t
//   from, to   i32 x trajectories (x locations): the days of the timeline from this horizon; 0: first to last
//   places     how many entries each location has in these tables: 0 if all locations share them
//   out        values x days x locations x trajectories, trajectories outBytes apart
import { GatherJob } from './generated/jobs';

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
