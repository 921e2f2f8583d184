// Pairing of members at a seam, location by location: with which member of the later horizon each trajectory continues,
// and when.
//
//   spans    { i32 first day, i32 days, u32 address of values } x spans: means to compute of a horizon's members
//   values   f64 x members x locations, the members of a location adjacent; NaN where missing
//   sorted   i32 in the same order: the places of the location's members in `values`, from the lowest to the highest
//   member   i32 x trajectories x locations: an index of the later horizon's members
//   order    i32 in the same order: the trajectories from the lowest rank to the highest
//   rules    i32 partner x trajectories: by rank, the later horizon's rank
//            i32 step x trajectories: by rank, the day of the switch
//            { i32 rank that switches at an edge, i32 neighbour inside, i32 which edge } x swaps
import { MeansJob, SeamJob } from './generated/jobs';
import { sortRows, unsortedColumn } from './sort';

/** The values of two members, as f64x2. */
@inline function twoValues<T>(first: usize, second: usize): v128 {
  return sizeof<T>() == 4
    ? f64x2.promote_low_f32x4(v128.load32_lane(second, v128.load32_zero(first), 1))
    : v128.load64_lane(second, v128.load64_zero(first), 1);
}

/** Reads two members at a time: there are at least two, and of an odd number the last but one is read twice. */
@inline function memberMeans<T>(job: MeansJob): bool {
  const members = job.members, memberCount = job.memberCount, offset = job.offset, cellStride = job.cellStride;
  const spans = job.spans, spanCount = job.spanCount;
  const memberBytes = <usize>memberCount << 3;
  const bytes = <usize>job.locations * memberBytes;
  const infinity = f64x2.splat(Infinity);
  let infinite = i64x2.splat(0);
  for (let pair = 0; pair < memberCount; pair += 2) {
    const m = <usize>min(pair, memberCount - 2);
    const member = <usize>load<u32>(members + (m << 2)) + offset;
    const apart = <usize>load<u32>(members + (m << 2), 4) + offset - member;
    let span = spans;
    for (let s = 0; s < spanCount; s++, span += 12) {
      let first = member + <usize>load<i32>(span) * sizeof<T>();
      const days = load<i32>(span, 4);
      const last = <usize>(days - 1) * sizeof<T>();
      const divisor = f64x2.splat(<f64>days);
      let at = <usize>load<u32>(span, 8) + (m << 3);
      for (const end = at + bytes; at < end; at += memberBytes, first += cellStride) {
        let sum = twoValues<T>(first, first + apart);
        for (let day = first, end = first + last; day < end; ) {
          day += sizeof<T>();
          sum = f64x2.add(sum, twoValues<T>(day, day + apart));
        }
        infinite = v128.or(infinite, f64x2.eq(f64x2.abs(sum), infinity));
        v128.store(at, f64x2.div(sum, divisor));
      }
    }
  }
  return v128.any_true(infinite);
}

/** Writes each member's mean over the days of each span; returns whether one is infinite. */
export function memberMeansF32(job: MeansJob): bool {
  return memberMeans<f32>(job);
}

export function memberMeansF64(job: MeansJob): bool {
  return memberMeans<f64>(job);
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

/**
 * Writes the members of each location from the lowest value to the highest: equal ones by index, missing ones last by
 * index.
 *
 * The members of two locations are sorted at a time by keys: their values, with their indices in place of the last
 * bits. A network sorts the keys without looking at values one by one. Where members differ only in the bits that keys
 * do not have, a second pass over their values puts them in order. `column` is scratch for sorting.
 */
export function orderMembers(values: usize, members: i32, locations: i32, column: usize, order: usize): void {
  const bytes = <usize>members << 3;
  const unsorted = unsortedColumn(column, members);
  const indexBits: u64 = ((<u64>1) << (32 - clz(members - 1))) - 1;
  for (let location = 0; location < locations; location += 2) {
    const isPair = location + 1 < locations;
    const a = values + <usize>location * bytes;
    const b = isPair ? a + bytes : a;
    writeKeys(a, b, bytes, indexBits, unsorted);
    sortRows<f64>(unsorted, 16, members, column);
    const first = order + <usize>location * (bytes >> 1);
    const second = first + (bytes >> 1);
    writeIndices(column, members, indexBits, first);
    if (isPair) writeIndices(column + 8, members, indexBits, second);
    if (!hasEqualKeys(column, members, indexBits)) continue;
    orderExactly(a, members, first);
    if (isPair) orderExactly(b, members, second);
  }
}

/** Writes a key for each member of two locations: a finite number, the greatest for a missing value. */
@inline function writeKeys(a: usize, b: usize, bytes: usize, indexBits: u64, keys: usize): void {
  const zero = f64x2.splat(0);
  const greatest = f64x2.splat(f64.MAX_VALUE);
  const lowest = f64x2.splat(-f64.MAX_VALUE);
  const bits = i64x2.splat(indexBits);
  const one = i64x2.splat(1);
  let index = i64x2.splat(0);
  for (let at: usize = 0; at < bytes; at += 8, keys += 16) {
    const pair = v128.load64_lane(b + at, v128.load64_zero(a + at), 1);
    // Adding zero makes both zeros one: equal values must have equal bits.
    const finite = f64x2.add(f64x2.pmax(f64x2.pmin(greatest, pair), lowest), zero);
    v128.store(keys, v128.bitselect(index, finite, bits));
    index = i64x2.add(index, one);
  }
}

@inline function writeIndices(keys: usize, members: i32, indexBits: u64, order: usize): void {
  for (const end = order + (<usize>members << 2); order < end; order += 4, keys += 16) {
    store<i32>(order, <i32>(load<u64>(keys) & indexBits));
  }
}

/** Whether two neighbours of either location differ only in their indices. */
@inline function hasEqualKeys(keys: usize, members: i32, indexBits: u64): bool {
  const bits = i64x2.splat(~indexBits);
  let equal = i64x2.splat(0);
  let before = v128.and(v128.load(keys), bits);
  for (const end = keys + (<usize>(members - 1) << 4); keys < end; keys += 16) {
    const key = v128.and(v128.load(keys, 16), bits);
    equal = v128.or(equal, i64x2.eq(key, before));
    before = key;
  }
  return v128.any_true(equal);
}

/** Sorts members that are nearly in order by insertion. */
function orderExactly(values: usize, members: i32, order: usize): void {
  for (let i = 1; i < members; i++) {
    const own = load<i32>(order + (<usize>i << 2));
    const value = sortedValue(values, own);
    let place = order + (<usize>i << 2);
    for (; place > order; place -= 4) {
      const other = load<i32>(place - 4);
      const lower = sortedValue(values, other);
      if (lower < value || (lower == value && other < own)) break;
      store<i32>(place, other);
    }
    store<i32>(place, own);
  }
}

/** A member's value; infinity where it is missing. */
@inline function sortedValue(values: usize, member: i32): f64 {
  const value = load<f64>(values + (<usize>member << 3));
  return value == value ? value : Infinity;
}

/**
 * Joins trajectories to members of equal rank, and writes on which day each switches. If a trajectory would change
 * sides of the mean by switching at an edge of the overlap, and its neighbour in rank would not, they exchange their
 * days; if a side is not known, they do not. `edges` holds the addresses of the values on four days: of the earlier
 * horizon before the first switch, of the later one after it, and the same for the last switch. `earlier` says which
 * members of the earlier horizon the trajectories are, and `earlierOrder` the order in which their values were sorted:
 * by index if both are 0.
 */
export function joinMembers(job: SeamJob): void {
  const trajectories = job.trajectories, members = job.members, locations = job.locations;
  const earlierMembers = job.earlierMembers, rules = job.rules, swaps = job.swaps, edges = job.edges;
  let sorted = job.sorted, laterSorted = job.laterSorted, earlier = job.earlier, earlierOrder = job.earlierOrder;
  let order = job.order, member = job.member, switchDay = job.switchDay;
  const steps = rules + (<usize>trajectories << 2);
  const firstSwap = steps + (<usize>trajectories << 2);
  const last = <usize>trajectories << 2;
  for (let location = 0; location < locations; location++) {
    for (let rank: usize = 0; rank < last; rank += 4) {
      const i = load<i32>(sorted + rank);
      const t = earlierOrder ? load<i32>(earlierOrder + (<usize>i << 2)) : i;
      const place = <usize>t << 2;
      store<i32>(order + rank, t);
      store<i32>(member + place, load<i32>(laterSorted + (<usize>load<i32>(rules + rank) << 2)));
      store<i32>(switchDay + place, load<i32>(steps + rank));
    }
    if (swaps > 0) {
      const ours = <usize>location * (<usize>earlierMembers << 3), theirs = <usize>location * (<usize>members << 3);
      const before0 = <usize>load<u32>(edges) + ours, after0 = <usize>load<u32>(edges, 4) + theirs;
      const before1 = <usize>load<u32>(edges, 8) + ours, after1 = <usize>load<u32>(edges, 12) + theirs;
      const beforeMeans = meansOf(before0, before1, earlierMembers);
      const afterMeans = meansOf(after0, after1, members);
      let swap = firstSwap;
      for (let i = 0; i < swaps; i++, swap += 12) {
        const isLast = load<i32>(swap, 8);
        const before = isLast ? before1 : before0, after = isLast ? after1 : after0;
        const beforeMean = isLast ? f64x2.extract_lane(beforeMeans, 1) : f64x2.extract_lane(beforeMeans, 0);
        const afterMean = isLast ? f64x2.extract_lane(afterMeans, 1) : f64x2.extract_lane(afterMeans, 0);
        const atEdge = <usize>load<i32>(order + (<usize>load<i32>(swap) << 2)) << 2;
        const inside = <usize>load<i32>(order + (<usize>load<i32>(swap, 4) << 2)) << 2;
        if (staysOnSide(before, beforeMean, after, afterMean, earlier, member, atEdge) >= 0) continue;
        if (staysOnSide(before, beforeMean, after, afterMean, earlier, member, inside) <= 0) continue;
        const day = load<i32>(switchDay + atEdge);
        store<i32>(switchDay + atEdge, load<i32>(switchDay + inside));
        store<i32>(switchDay + inside, day);
      }
    }
    if (earlier) {
      earlier += <usize>trajectories << 2;
      earlierOrder += <usize>trajectories << 2;
    }
    order += <usize>trajectories << 2;
    sorted += <usize>trajectories << 2;
    laterSorted += <usize>members << 2;
    member += <usize>trajectories << 2;
    switchDay += <usize>trajectories << 2;
  }
}

/** The means of the values that are not missing on two days, as f64x2; NaN if there are none. */
@inline function meansOf(first: usize, second: usize, count: i32): v128 {
  const one = f64x2.splat(1);
  let sums = f64x2.splat(0), valid = sums;
  for (const end = first + (<usize>count << 3); first < end; first += 8, second += 8) {
    const values = v128.load64_lane(second, v128.load64_zero(first), 1);
    const isValid = f64x2.eq(values, values);
    sums = f64x2.add(sums, v128.and(values, isValid));
    valid = f64x2.add(valid, v128.and(one, isValid));
  }
  return f64x2.div(sums, valid);
}

/**
 * 1 if a trajectory stays on its side of the mean, -1 if it changes sides, 0 if that is not known; `place` is its place
 * in tables of i32, in bytes.
 */
@inline function staysOnSide(
  before: usize, beforeMean: f64, after: usize, afterMean: f64, earlier: usize, member: usize, place: usize,
): i32 {
  const was = earlier ? <usize>load<i32>(earlier + place) << 3 : place << 1;
  const is = <usize>load<i32>(member + place) << 3;
  return sideOf(load<f64>(before + was), beforeMean) * sideOf(load<f64>(after + is), afterMean);
}

/** 1 for a value above the mean, -1 below, 0 if equal or missing. */
@inline function sideOf(value: f64, mean: f64): i32 {
  return <i32>(value > mean) - <i32>(value < mean);
}
