// Phase 2: rows of one value per member become statistics over members.
//
//   rows        as phase 1 writes them: f64, or for raw days f32 as in the input; lanes are windows, cells or days
//   divisors    f64 for each lane, which turns totals into means; or address 0, as for raw days
//   thresholds  thresholdCount x { f64 limit, f64 side }: the share of members above the limit (side 0), or of the others (side 1)
//   out         one row per statistic, outBytes apart: mean, spread if requested, quantiles, shares; up to three more lanes than requested are written
//   counts      i32 for each lane: valid members
//
// All arithmetic is in f64, and results are rounded once. Sums over members add those at even places, then those at odd
// places. If a total over members is not finite, or too large for results, a value is missing or infinite, or a
// sum overflows: only such lanes are computed one by one. The kernel returns the bits MISSING, if a value may be missing,
// and INFINITE, if the sum of the others was not finite, or too large.
import { INFINITE, MISSING, StatisticsJob } from './generated/jobs';
import { lanePair, storePair, writeMoments } from './moments';
import { planColumn, positionsFor, quantileCount } from './plan';
import { infinite, least, chooseStrategy, rankBits, selectRows, sortRows, unsortedColumn, Strategy } from './sort';

/**
 * Whether sums over members are numbers that show no infinite value, and no sum of days that the type of results cannot
 * hold: then that over members cannot be held, either.
 */
@inline function isHeld<Row, Out>(sums: v128): bool {
  const limit: f64 = sizeof<Row>() > sizeof<Out>() ? f32.MAX_VALUE : Infinity;
  return i64x2.all_true(f64x2.lt(f64x2.abs(sums), f64x2.splat(limit)));
}

/** Writes the quantiles of two lanes without missing members. */
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

/** The values of two lanes, each of a member of its own, as f64x2. */
@inline function valuesAt<Row>(first: usize, second: usize): v128 {
  if (sizeof<Row>() == 8) return v128.load64_lane(second, v128.load64_zero(first), 1);
  return f64x2.promote_low_f32x4(v128.load32_lane(second, v128.load32_zero(first), 1));
}

/**
 * Writes the quantiles and the counts of two lanes, which may have missing members; these are sorted to the end of the column.
 */
function writeLanes<Row, Out>(
  column: usize, plan: usize, valid0: i32, valid1: i32, hidden: v128, divisor: v128, out: usize, outBytes: usize, counts: usize,
): void {
  store<i32>(counts, valid0);
  store<i32>(counts, valid1, 4);
  const other = column + sizeof<Row>();
  let of0 = positionsFor(plan, max(valid0, 1)), of1 = positionsFor(plan, max(valid1, 1));
  for (let k = quantileCount(plan); k > 0; k--, of0 += 16, of1 += 16, out += outBytes) {
    const low = valuesAt<Row>(column + load<u32>(of0), other + load<u32>(of1));
    const high = valuesAt<Row>(column + load<u32>(of0, 4), other + load<u32>(of1, 4));
    const weights = v128.load64_lane(of1, v128.load64_zero(of0, 8), 1, 8);
    let x = f64x2.pmin(f64x2.add(low, f64x2.mul(weights, f64x2.sub(high, low))), high);
    // Only totals are divided.
    if (sizeof<Row>() == 8) x = f64x2.div(x, divisor);
    storePair<Out>(out, v128.or(x, hidden));
  }
}

/** The first or the last two lanes of a vector as f64x2; f64 has only two. */
@inline function firstPair<Row>(x: v128): v128 {
  return sizeof<Row>() == 4 ? f64x2.promote_low_f32x4(x) : x;
}
@inline function lastPair<Row>(x: v128): v128 {
  return sizeof<Row>() == 4 ? f64x2.promote_low_f32x4(v128.shuffle<u64>(x, x, 1, 1)) : f64x2.splat(0);
}

/**
 * Writes a vector of lanes, some with missing members: these are sorted to the end, and each lane has its own count.
 */
function writeIncomplete<Row, Out>(
  row: usize, rowBytes: usize, members: i32, divisors: usize, required: i32, plan: usize, spread: bool,
  thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize, counts: usize,
): i32 {
  const column = planColumn(plan);
  const quantiles = quantileCount(plan);
  const divisor = divisors ? v128.load(divisors) : f64x2.splat(1);
  const unsorted = unsortedColumn(column, members);
  let even0 = f64x2.splat(0), even1 = even0, odd0 = even0, odd1 = even0;
  let valid = i32x4.splat(0); // of f64, at the even places
  let from = row;
  let to = unsorted;
  for (let m = 0; m < members; m++, from += rowBytes, to += 16) {
    const x = v128.load(from);
    const there = sizeof<Row>() == 4 ? f32x4.eq(x, x) : f64x2.eq(x, x);
    const known = v128.and(x, there);
    // The sums of members at even and odd places take turns.
    const next0 = f64x2.add(even0, firstPair<Row>(known)), next1 = f64x2.add(even1, lastPair<Row>(known));
    even0 = odd0, even1 = odd1, odd0 = next0, odd1 = next1;
    valid = i32x4.sub(valid, there);
    v128.store(to, least<Row>(infinite<Row>(), x));
  }
  sortRows<Row>(unsorted, 16, members, column);
  const total0 = f64x2.add(even0, odd0);
  const total1 = f64x2.add(even1, odd1);
  const valid0 = f64x2.convert_low_i32x4_s(sizeof<Row>() == 4 ? valid : i32x4.shuffle(valid, valid, 0, 2, 0, 2));
  const few = f64x2.splat(<f64>required), hidden0 = f64x2.lt(valid0, few);
  writeMoments<Row, Out>(
    row, rowBytes, members, total0, valid0, hidden0, divisor, spread, quantiles, thresholds, thresholdCount, out, outBytes,
  );
  const low = spread ? out + 2 * outBytes : out + outBytes;
  const lane1 = i32x4.extract_lane(valid, sizeof<Row>() == 8 ? 2 : 1);
  writeLanes<Row, Out>(column, plan, i32x4.extract_lane(valid, 0), lane1, hidden0, divisor, low, outBytes, counts);
  if (sizeof<Row>() == 4) {
    const valid1 = f64x2.convert_low_i32x4_s(i32x4.shuffle(valid, valid, 2, 3, 2, 3)), hidden1 = f64x2.lt(valid1, few);
    writeMoments<Row, Out>(
      row + 8, rowBytes, members, total1, valid1, hidden1, divisor,
      spread, quantiles, thresholds, thresholdCount, out + 2 * sizeof<Out>(), outBytes,
    );
    writeLanes<Row, Out>(
      column + 8, plan, i32x4.extract_lane(valid, 2), i32x4.extract_lane(valid, 3), hidden1, divisor,
      low + 2 * sizeof<Out>(), outBytes, counts + 8,
    );
  }
  return isHeld<Row, Out>(f64x2.add(total0, total1)) ? MISSING : MISSING | INFINITE;
}

/** Writes two lanes without missing members; their column is sorted. */
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
  store<i64>(counts, (<i64>members << 32) | <i64>members);
}

/** Writes one vector of lanes, whose sums over members are known; returns flags. */
@inline function oneVector<Row, Out>(
  rows: usize, rowBytes: usize, members: i32, total0: v128, total1: v128, divisors: usize, required: i32,
  plan: usize, positions: usize, quantiles: i32, strategy: Strategy, ranks: u64, spread: bool,
  thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize, counts: usize,
): i32 {
  if (!isHeld<Row, Out>(sizeof<Row>() == 4 ? f64x2.add(total0, total1) : total0)) {
    return writeIncomplete<Row, Out>(
      rows, rowBytes, members, divisors, required, plan, spread, thresholds, thresholdCount, out, outBytes, counts,
    );
  }
  const column = planColumn(plan);
  if (quantiles) selectRows<Row>(rows, rowBytes, members, column, positions, quantiles, strategy, ranks);
  writePair<Row, Out>(
    rows, rowBytes, members, column, total0, divisors, positions, quantiles, spread, thresholds, thresholdCount, out, outBytes, counts,
  );
  if (sizeof<Row>() == 4) {
    writePair<Row, Out>(
      rows + 8, rowBytes, members, column + 8, total1, divisors, positions, quantiles, spread, thresholds, thresholdCount,
      out + 2 * sizeof<Out>(), outBytes, counts + 8,
    );
  }
  return 0;
}

/** Statistics of a tile; returns flags. `required` is at least 1. */
@inline function statistics<Row, Out>(job: StatisticsJob): i32 {
  const rowBytes = job.rowBytes, members = job.members, lanes = job.lanes, required = job.required, plan = job.plan;
  const spread = job.spread != 0, thresholds = job.thresholds, thresholdCount = job.thresholdCount, outBytes = job.outBytes;
  let rows = job.rows, divisors = job.divisors, out = job.out, counts = job.counts;
  const quantiles = quantileCount(plan);
  const positions = positionsFor(plan, members);
  const strategy = chooseStrategy(members, positions, quantiles);
  const ranks = rankBits(positions, quantiles);
  let flags = 0;
  for (let lane = 0; lane < lanes; lane += 4) {
    // Four lanes are summed together: with only two, each addition would wait for the one before.
    let even0 = f64x2.splat(0), even1 = even0, odd0 = even0, odd1 = even0;
    let from = rows;
    for (let m = 1; m < members; m += 2) {
      even0 = f64x2.add(even0, lanePair<Row>(from));
      even1 = f64x2.add(even1, lanePair<Row>(from + 2 * sizeof<Row>()));
      from += rowBytes;
      odd0 = f64x2.add(odd0, lanePair<Row>(from));
      odd1 = f64x2.add(odd1, lanePair<Row>(from + 2 * sizeof<Row>()));
      from += rowBytes;
    }
    if (members & 1) {
      even0 = f64x2.add(even0, lanePair<Row>(from));
      even1 = f64x2.add(even1, lanePair<Row>(from + 2 * sizeof<Row>()));
    }
    const total0 = f64x2.add(even0, odd0);
    const total1 = f64x2.add(even1, odd1);
    flags |= oneVector<Row, Out>(
      rows, rowBytes, members, total0, total1, divisors, required, plan, positions, quantiles, strategy, ranks, spread,
      thresholds, thresholdCount, out, outBytes, counts,
    );
    if (sizeof<Row>() == 8 && lane + 2 < lanes) {
      flags |= oneVector<Row, Out>(
        rows + 16, rowBytes, members, total1, total1, divisors ? divisors + 16 : 0, required, plan, positions, quantiles, strategy, ranks, spread,
        thresholds, thresholdCount, out + 2 * sizeof<Out>(), outBytes, counts + 8,
      );
    }
    rows += 4 * sizeof<Row>();
    out += 4 * sizeof<Out>();
    counts += 16;
    if (divisors) divisors += 32;
  }
  return flags;
}

export function statisticsF32(job: StatisticsJob): i32 {
  return statistics<f64, f32>(job);
}
export function statisticsF64(job: StatisticsJob): i32 {
  return statistics<f64, f64>(job);
}
export function statisticsRawF32(job: StatisticsJob): i32 {
  return statistics<f32, f32>(job);
}
