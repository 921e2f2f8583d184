// Phase 2: rows of one value per member become statistics over members.
//
//   rows        as phase 1 leaves them: f64, or f32 as they came for raw days; lanes are windows, cells or days
//   divisors    f64 for each lane, or 0: the statistics of totals divided by them are those of means; raw days have none
//   thresholds  thresholdCount x { f64 limit, f64 side }: the share of members above the limit (side 0), or of the others (side 1)
//   out         one row per statistic, outBytes apart: mean, spread where asked, quantiles, shares; two lanes more than asked are written
//   counts      i32 for each lane: valid members
//
// All arithmetic is in f64, and what is stored is rounded once. Sums over members take those at even places, then those at odd
// places. Where a total over members is not finite, a value is missing or infinite: only those lanes are looked at one by one.
import { planColumn, positionsFor, quantileCount } from './plan';
import { sortColumnF32, sortColumnF64 } from './sort';

/** Two lanes of a row, as f64x2. */
@inline export function lanePair<Row>(address: usize): v128 {
  return sizeof<Row>() == 4 ? f64x2.promote_low_f32x4(v128.load64_zero(address)) : v128.load(address);
}

@inline export function storePair<Out>(address: usize, pair: v128): void {
  const positive = f64x2.add(pair, f64x2.splat(0)); // -0 becomes 0
  if (sizeof<Out>() == 4) v128.store64_lane(address, f32x4.demote_f64x2_zero(positive), 0);
  else v128.store(address, positive);
}

/** Two lanes of a member's row, divided, and rounded to the type of results. */
@inline export function resultPair<Row, Out>(address: usize, divisor: v128): v128 {
  const x = f64x2.div(lanePair<Row>(address), divisor);
  return sizeof<Out>() == 4 ? f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(x)) : x;
}

@inline function sortColumn<Row>(column: usize, members: i32): void {
  if (sizeof<Row>() == 4) sortColumnF32(column, members);
  else sortColumnF64(column, members);
}

@inline function isFinite2(pair: v128): bool {
  return v128.any_true(f64x2.ne(f64x2.sub(pair, pair), f64x2.splat(0))) == false;
}

/** The sum of squared distances from `mean` over the members that are not missing. */
@inline function squares<Row>(row: usize, rowBytes: usize, members: i32, mean: v128): v128 {
  let even = f64x2.splat(0);
  let odd = even;
  for (let m = 0; m < members; m++, row += rowBytes) {
    const x = lanePair<Row>(row);
    const d = v128.and(f64x2.sub(x, mean), f64x2.eq(x, x));
    if (m & 1) odd = f64x2.add(odd, f64x2.mul(d, d));
    else even = f64x2.add(even, f64x2.mul(d, d));
  }
  return f64x2.add(even, odd);
}

/** Two whole numbers as f64x2. */
@inline export function asCounts(counts: v128): v128 {
  return f64x2.convert_low_i32x4_s(i32x4.shuffle(counts, counts, 0, 2, 0, 2));
}

/** How many members lie above `limit`, as rounded to the type of results; missing ones do not. */
@inline function above<Row, Out>(row: usize, rowBytes: usize, members: i32, divisor: v128, limit: v128): v128 {
  let count = i64x2.splat(0);
  for (let m = 0; m < members; m++, row += rowBytes) {
    count = i64x2.sub(count, f64x2.gt(resultPair<Row, Out>(row, divisor), limit));
  }
  return asCounts(count);
}

/** Writes mean, spread and shares of two lanes; lanes that `hidden` has ones in become missing. */
@inline function writeMoments<Row, Out>(
  row: usize, rowBytes: usize, members: i32, total: v128, valid: v128, hidden: v128, divisor: v128,
  spread: bool, quantiles: i32, thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize,
): void {
  storePair<Out>(out, v128.or(f64x2.div(total, f64x2.mul(valid, divisor)), hidden));
  out += outBytes;
  if (spread) {
    const variance = f64x2.div(
      squares<Row>(row, rowBytes, members, f64x2.div(total, valid)), f64x2.sub(valid, f64x2.splat(1)),
    );
    storePair<Out>(out, v128.or(f64x2.div(f64x2.sqrt(variance), divisor), hidden));
    out += outBytes;
  }
  out += <usize>quantiles * outBytes;
  for (let k = 0; k < thresholdCount; k++, thresholds += 16, out += outBytes) {
    const count = above<Row, Out>(row, rowBytes, members, divisor, v128.load64_splat(thresholds));
    const share = f64x2.div(load<f64>(thresholds, 8) != 0 ? f64x2.sub(valid, count) : count, valid);
    storePair<Out>(out, v128.or(share, hidden));
  }
}

/** Writes the quantiles of two lanes whose members are all there. */
@inline function writeQuantiles<Row, Out>(
  column: usize, positions: usize, quantiles: i32, divisor: v128, divide: bool, out: usize, outBytes: usize,
): void {
  for (let k = 0; k < quantiles; k++, positions += 16, out += outBytes) {
    const low = lanePair<Row>(column + load<u32>(positions));
    const high = lanePair<Row>(column + load<u32>(positions, 4));
    let x = f64x2.pmin(f64x2.add(low, f64x2.mul(v128.load64_splat(positions, 8), f64x2.sub(high, low))), high);
    if (divide) x = f64x2.div(x, divisor);
    storePair<Out>(out, x);
  }
}

/** Writes the quantiles of one lane that has `valid` members; the missing ones are sorted to the column's end. */
@inline function writeLaneQuantiles<Row, Out>(
  column: usize, positions: usize, quantiles: i32, divisor: f64, out: usize, outBytes: usize,
): void {
  for (let k = 0; k < quantiles; k++, positions += 16, out += outBytes) {
    const low = <f64>load<Row>(column + load<u32>(positions));
    const high = <f64>load<Row>(column + load<u32>(positions, 4));
    store<Out>(out, <Out>(min(low + load<f64>(positions, 8) * (high - low), high) / divisor + 0.0));
  }
}

/** Two lanes of which one at least has missing members. */
function writeIncomplete<Row, Out>(
  row: usize, rowBytes: usize, members: i32, divisor: v128, required: i32, plan: usize, spread: bool,
  thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize, counts: usize,
): void {
  const column = planColumn(plan);
  const quantiles = quantileCount(plan);
  let even = f64x2.splat(0);
  let odd = even;
  let valid = even;
  let from = row;
  let to = column;
  for (let m = 0; m < members; m++, from += rowBytes, to += 16) {
    const x = lanePair<Row>(from);
    const there = f64x2.eq(x, x);
    if (m & 1) odd = f64x2.add(odd, v128.and(x, there));
    else even = f64x2.add(even, v128.and(x, there));
    valid = f64x2.add(valid, v128.and(f64x2.splat(1), there));
    v128.store(to, v128.bitselect(x, f64x2.splat(Infinity), there));
  }
  const hidden = f64x2.lt(valid, f64x2.splat(<f64>required));
  writeMoments<Row, Out>(
    row, rowBytes, members, f64x2.add(even, odd), valid, hidden, divisor, spread, quantiles, thresholds, thresholdCount, out, outBytes,
  );
  sortColumnF64(column, members);
  out += spread ? 2 * outBytes : outBytes;
  const valid0 = <i32>f64x2.extract_lane(valid, 0);
  const valid1 = <i32>f64x2.extract_lane(valid, 1);
  store<i32>(counts, valid0);
  store<i32>(counts, valid1, 4);
  writeLane<Out>(column, plan, valid0, required, quantiles, f64x2.extract_lane(divisor, 0), out, outBytes);
  writeLane<Out>(column + 8, plan, valid1, required, quantiles, f64x2.extract_lane(divisor, 1), out + sizeof<Out>(), outBytes);
}

@inline function writeLane<Out>(
  column: usize, plan: usize, valid: i32, required: i32, quantiles: i32, divisor: f64, out: usize, outBytes: usize,
): void {
  if (valid >= required) {
    writeLaneQuantiles<f64, Out>(column, positionsFor(plan, valid), quantiles, divisor, out, outBytes);
  } else {
    for (let k = 0; k < quantiles; k++, out += outBytes) store<Out>(out, <Out>NaN);
  }
}

/** Writes two lanes whose members are all there; their column is sorted. */
@inline function writePair<Row, Out>(
  row: usize, rowBytes: usize, members: i32, column: usize, total: v128, divisors: usize, positions: usize, quantiles: i32,
  spread: bool, thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize, counts: usize,
): void {
  const valid = f64x2.splat(<f64>members);
  const divisor = divisors ? v128.load(divisors) : f64x2.splat(1);
  writeMoments<Row, Out>(
    row, rowBytes, members, total, valid, f64x2.splat(0), divisor, spread, quantiles, thresholds, thresholdCount, out, outBytes,
  );
  writeQuantiles<Row, Out>(
    column, positions, quantiles, divisor, divisors != 0, out + (spread ? 2 * outBytes : outBytes), outBytes,
  );
  store<i32>(counts, members);
  store<i32>(counts, members, 4);
}

/** Statistics of `lanes` lanes; 1 where a value was missing or infinite, else 0. `required` is at least 1. */
@inline function statistics<Row, Out>(
  rows: usize, rowBytes: usize, members: i32, lanes: i32, divisors: usize, required: i32, plan: usize, spread: bool,
  thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize, counts: usize,
): i32 {
  const column = planColumn(plan);
  const quantiles = quantileCount(plan);
  const positions = positionsFor(plan, members);
  const step = 16 / sizeof<Row>();
  let flagged = 0;
  for (let lane = 0; lane < lanes; lane += step) {
    // Copy the column, and sum it on the way. Raw days come four at a time: two pairs.
    let even0 = f64x2.splat(0), even1 = even0, odd0 = even0, odd1 = even0;
    let from = rows;
    let to = column;
    for (let m = 1; m < members; m += 2) {
      v128.store(to, v128.load(from));
      even0 = f64x2.add(even0, lanePair<Row>(from));
      if (sizeof<Row>() == 4) even1 = f64x2.add(even1, lanePair<Row>(from + 8));
      from += rowBytes;
      v128.store(to, v128.load(from), 16);
      odd0 = f64x2.add(odd0, lanePair<Row>(from));
      if (sizeof<Row>() == 4) odd1 = f64x2.add(odd1, lanePair<Row>(from + 8));
      from += rowBytes;
      to += 32;
    }
    if (members & 1) {
      v128.store(to, v128.load(from));
      even0 = f64x2.add(even0, lanePair<Row>(from));
      if (sizeof<Row>() == 4) even1 = f64x2.add(even1, lanePair<Row>(from + 8));
    }
    const total0 = f64x2.add(even0, odd0);
    const total1 = f64x2.add(even1, odd1);
    const whole0 = isFinite2(total0);
    const whole1 = isFinite2(total1);
    if (quantiles && (whole0 || (sizeof<Row>() == 4 && whole1))) sortColumn<Row>(column, members);
    if (whole0) {
      writePair<Row, Out>(
        rows, rowBytes, members, column, total0, divisors, positions, quantiles, spread, thresholds, thresholdCount, out, outBytes, counts,
      );
    }
    if (sizeof<Row>() == 4 && whole1) {
      writePair<Row, Out>(
        rows + 8, rowBytes, members, column + 8, total1, divisors, positions, quantiles, spread, thresholds, thresholdCount,
        out + 2 * sizeof<Out>(), outBytes, counts + 8,
      );
    }
    if (!whole0) {
      flagged = 1;
      writeIncomplete<Row, Out>(
        rows, rowBytes, members, divisors ? v128.load(divisors) : f64x2.splat(1), required, plan, spread,
        thresholds, thresholdCount, out, outBytes, counts,
      );
    }
    if (sizeof<Row>() == 4 && !whole1) {
      flagged = 1;
      writeIncomplete<Row, Out>(
        rows + 8, rowBytes, members, f64x2.splat(1), required, plan, spread,
        thresholds, thresholdCount, out + 2 * sizeof<Out>(), outBytes, counts + 8,
      );
    }
    rows += 16;
    out += step * sizeof<Out>();
    counts += step << 2;
    if (divisors) divisors += 16;
  }
  return flagged;
}

export function statisticsF32(rows: usize, rowBytes: usize, members: i32, lanes: i32, divisors: usize, required: i32, plan: usize, spread: bool, thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize, counts: usize): i32 {
  return statistics<f64, f32>(rows, rowBytes, members, lanes, divisors, required, plan, spread, thresholds, thresholdCount, out, outBytes, counts);
}
export function statisticsF64(rows: usize, rowBytes: usize, members: i32, lanes: i32, divisors: usize, required: i32, plan: usize, spread: bool, thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize, counts: usize): i32 {
  return statistics<f64, f64>(rows, rowBytes, members, lanes, divisors, required, plan, spread, thresholds, thresholdCount, out, outBytes, counts);
}
export function statisticsRawF32(rows: usize, rowBytes: usize, members: i32, lanes: i32, divisors: usize, required: i32, plan: usize, spread: bool, thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize, counts: usize): i32 {
  return statistics<f32, f32>(rows, rowBytes, members, lanes, divisors, required, plan, spread, thresholds, thresholdCount, out, outBytes, counts);
}
