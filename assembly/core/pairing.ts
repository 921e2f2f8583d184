// Pairing of members at a seam, location by location: with which member of the later horizon each trajectory continues,
// and when.
//
//   values   f64 x members x locations, the members of a location adjacent; NaN where missing
//   ranks    i32 in the same order: how many members of the location come before this one
//   sides    i8 in the same order: 1 for a member above the mean of all, -1 below, 0 if equal or missing
//   member   i32 x trajectories x locations: an index of the later horizon's members
//   order    i32 in the same order: the trajectories from the lowest rank to the highest
//   rules    i32 partner x trajectories: by rank, the later horizon's rank
//            i32 step x trajectories: by rank, the day of the switch
//            { i32 rank that switches at an edge, i32 neighbour inside, i32 which edge } x swaps
import { SeamJob } from './generated/jobs';

@inline function memberMeans<T>(
  members: usize, memberCount: i32, offset: usize, cellStride: usize, locations: i32, days: i32, values: usize,
): bool {
  let infinite = false;
  for (let m = 0; m < memberCount; m++) {
    let row = <usize>load<u32>(members + (<usize>m << 2)) + offset;
    let at = values + (<usize>m << 3);
    for (let location = 0; location < locations; location++, row += cellStride, at += <usize>memberCount << 3) {
      let sum: f64 = 0;
      for (let d = 0; d < days; d++) sum += <f64>load<T>(row + <usize>d * sizeof<T>());
      infinite = infinite || abs(sum) == Infinity;
      store<f64>(at, sum / <f64>days);
    }
  }
  return infinite;
}

/** Writes each member's mean over days; returns whether one is infinite. */
export function memberMeansF32(
  members: usize, memberCount: i32, offset: usize, cellStride: usize, locations: i32, days: i32, values: usize,
): bool {
  return memberMeans<f32>(members, memberCount, offset, cellStride, locations, days, values);
}

export function memberMeansF64(
  members: usize, memberCount: i32, offset: usize, cellStride: usize, locations: i32, days: i32, values: usize,
): bool {
  return memberMeans<f64>(members, memberCount, offset, cellStride, locations, days, values);
}

/** The values of trajectories in `order`, each of which is one of the members. */
export function trajectoryValues(
  values: usize, memberCount: i32, member: usize, order: usize, trajectories: i32, locations: i32, out: usize,
): void {
  for (let location = 0; location < locations; location++, values += <usize>memberCount << 3) {
    for (let i = 0; i < trajectories; i++, order += 4, out += 8) {
      const own = load<i32>(member + (<usize>load<i32>(order) << 2));
      store<f64>(out, load<f64>(values + (<usize>own << 3)));
    }
    member += <usize>trajectories << 2;
  }
}

@inline function sidesOfMean<T>(
  members: usize, memberCount: i32, offset: usize, cellStride: usize, locations: i32, sides: usize,
): void {
  for (let location = 0; location < locations; location++, offset += cellStride, sides += memberCount) {
    let sum: f64 = 0;
    let count = 0;
    for (let m = 0; m < memberCount; m++) {
      const value = <f64>load<T>(<usize>load<u32>(members + (<usize>m << 2)) + offset);
      if (value != value) continue;
      sum += value;
      count++;
    }
    const mean = sum / <f64>count;
    for (let m = 0; m < memberCount; m++) {
      const value = <f64>load<T>(<usize>load<u32>(members + (<usize>m << 2)) + offset);
      store<i8>(sides + m, <i8>(value > mean) - <i8>(value < mean));
    }
  }
}

/** On which side of the mean of all members that are not missing each member is, on one day. */
export function sidesOfMeanF32(
  members: usize, memberCount: i32, offset: usize, cellStride: usize, locations: i32, sides: usize,
): void {
  sidesOfMean<f32>(members, memberCount, offset, cellStride, locations, sides);
}

export function sidesOfMeanF64(
  members: usize, memberCount: i32, offset: usize, cellStride: usize, locations: i32, sides: usize,
): void {
  sidesOfMean<f64>(members, memberCount, offset, cellStride, locations, sides);
}

/**
 * Ranks members: a member comes before another if its value is lower, or equal with a lower index; missing values,
 * which are replaced by infinity, come last by index. Counting is faster than sorting: no branch depends on values, and
 * four pairs of members are compared at a time.
 */
export function rankMembers(values: usize, members: i32, locations: i32, ranks: usize): void {
  const bytes = <usize>members << 3;
  for (let location = 0; location < locations; location++, values += bytes, ranks += bytes >> 1) {
    replaceMissing(values, members);
    let m = 0;
    for (; m + 1 < members; m += 2) rankPair(values, members, m, ranks);
    if (m < members) rankLast(values, members, ranks);
  }
}

/** Ranks members `m`, which is even, and `m + 1`. Of equal members, the one with the lower index comes first. */
@inline function rankPair(values: usize, members: i32, m: i32, ranks: usize): void {
  const own = values + (<usize>m << 3);
  const end = values + (<usize>members << 3);
  const a = v128.load64_splat(own);
  const b = v128.load64_splat(own, 8);
  let beforeA = i64x2.splat(0);
  let beforeB = beforeA;
  let other = values;
  for (; other < own; other += 16) {
    const x = v128.load(other);
    beforeA = i64x2.sub(beforeA, f64x2.le(x, a));
    beforeB = i64x2.sub(beforeB, f64x2.le(x, b));
  }
  for (other += 16; other + 8 < end; other += 16) {
    const x = v128.load(other);
    beforeA = i64x2.sub(beforeA, f64x2.lt(x, a));
    beforeB = i64x2.sub(beforeB, f64x2.lt(x, b));
  }
  let rankA = <i32>(i64x2.extract_lane(beforeA, 0) + i64x2.extract_lane(beforeA, 1));
  let rankB = <i32>(i64x2.extract_lane(beforeB, 0) + i64x2.extract_lane(beforeB, 1));
  const first = load<f64>(own);
  const second = load<f64>(own, 8);
  rankA += <i32>(second < first);
  rankB += <i32>(first <= second);
  if (other < end) {
    rankA += <i32>(load<f64>(other) < first);
    rankB += <i32>(load<f64>(other) < second);
  }
  store<i32>(ranks + (<usize>m << 2), rankA);
  store<i32>(ranks + (<usize>m << 2), rankB, 4);
}

/** Ranks the last of an odd number of members. */
@inline function rankLast(values: usize, members: i32, ranks: usize): void {
  const own = values + (<usize>(members - 1) << 3);
  const value = v128.load64_splat(own);
  let before = i64x2.splat(0);
  for (let other = values; other < own; other += 16) before = i64x2.sub(before, f64x2.le(v128.load(other), value));
  const rank = i64x2.extract_lane(before, 0) + i64x2.extract_lane(before, 1);
  store<i32>(ranks + (<usize>(members - 1) << 2), <i32>rank);
}

@inline function replaceMissing(values: usize, members: i32): void {
  for (const end = values + (<usize>members << 3); values < end; values += 8) {
    const value = load<f64>(values);
    if (value != value) store<f64>(values, Infinity);
  }
}

/**
 * Joins trajectories to members of equal rank, and writes on which day each switches. If a trajectory would change
 * sides of the mean by switching at an edge of the overlap, and its neighbour in rank would not, they exchange their
 * days; if a side is not known, they do not. `rows` holds the addresses of four rows of `sides`: members of the earlier
 * horizon before the first switch, members of the later one after it, and the same for the last switch. `earlier` says
 * which members of the earlier horizon the trajectories are, and `earlierOrder` the order in which they were ranked: by
 * index if both are 0. `memberAt` is scratch space for one i32 per member.
 */
export function joinMembers(job: SeamJob): void {
  const trajectories = job.trajectories, members = job.members, locations = job.locations, earlierMembers = job.earlierMembers;
  const rules = job.rules, swaps = job.swaps, rows = job.rows, memberAt = job.memberAt;
  let ranks = job.ranks, memberRanks = job.memberRanks, earlier = job.earlier, earlierOrder = job.earlierOrder;
  let order = job.order, member = job.member, switchDay = job.switchDay;
  const steps = rules + (<usize>trajectories << 2);
  const firstSwap = steps + (<usize>trajectories << 2);
  for (let location = 0; location < locations; location++) {
    for (let m = 0; m < members; m++) store<i32>(memberAt + (<usize>load<i32>(memberRanks + (<usize>m << 2)) << 2), m);
    for (let i = 0; i < trajectories; i++) {
      const t = earlierOrder ? load<i32>(earlierOrder + (<usize>i << 2)) : i;
      const place = <usize>t << 2;
      const rank = <usize>load<i32>(ranks + (<usize>i << 2)) << 2;
      store<i32>(order + rank, t);
      store<i32>(member + place, load<i32>(memberAt + (<usize>load<i32>(rules + rank) << 2)));
      store<i32>(switchDay + place, load<i32>(steps + rank));
    }
    let swap = firstSwap;
    for (let i = 0; i < swaps; i++, swap += 12) {
      const atEdge = load<i32>(order + (<usize>load<i32>(swap) << 2));
      const inside = load<i32>(order + (<usize>load<i32>(swap, 4) << 2));
      const edge = rows + (<usize>load<i32>(swap, 8) << 3);
      const before = <usize>load<u32>(edge) + <usize>location * earlierMembers;
      const after = <usize>load<u32>(edge, 4) + <usize>location * members;
      const changes = staysOnSide(before, after, earlier, member, atEdge) < 0;
      if (!changes || staysOnSide(before, after, earlier, member, inside) <= 0) continue;
      const day = load<i32>(switchDay + (<usize>atEdge << 2));
      store<i32>(switchDay + (<usize>atEdge << 2), load<i32>(switchDay + (<usize>inside << 2)));
      store<i32>(switchDay + (<usize>inside << 2), day);
    }
    if (earlier) {
      earlier += <usize>trajectories << 2;
      earlierOrder += <usize>trajectories << 2;
    }
    order += <usize>trajectories << 2;
    ranks += <usize>trajectories << 2;
    memberRanks += <usize>members << 2;
    member += <usize>trajectories << 2;
    switchDay += <usize>trajectories << 2;
  }
}

/** 1 if a trajectory stays on its side of the mean, -1 if it changes sides, 0 if that is not known. */
@inline function staysOnSide(before: usize, after: usize, earlier: usize, member: usize, trajectory: i32): i32 {
  const place = <usize>trajectory << 2;
  const was = earlier ? load<i32>(earlier + place) : trajectory;
  return <i32>load<i8>(before + was) * <i32>load<i8>(after + load<i32>(member + place));
}
