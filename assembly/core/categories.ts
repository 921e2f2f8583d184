// The shares of members in categories. Each lane has its own limits, such as the terciles of its place and season.
//
//   rows, divisors, counts   as the statistics kernel reads and writes them
//   limits                   f64: a row for each limit, rowBytes apart; ascending within a lane. Values above it belong to the next category
//   shares                   a row for each category, one more than limits, outBytes apart; one lane more than requested may be written
//
// Values are rounded to the type of results before they are compared. A lane with a missing limit has no shares.
import { StatisticsJob } from './generated/jobs';
import { asCounts, resultPair, storePair } from './moments';
import { planColumn } from './plan';

/** How many members of a column are not above the limit; missing ones do not count. */
@inline function upTo(column: usize, members: i32, limit: v128): v128 {
  let count = i64x2.splat(0);
  for (let m = 0; m < members; m++, column += 16) count = i64x2.sub(count, f64x2.le(v128.load(column), limit));
  return asCounts(count);
}

@inline function categories<Row, Out>(job: StatisticsJob): void {
  const rowBytes = job.rowBytes, members = job.members, lanes = job.lanes, required = job.required;
  const limitCount = job.limitCount, outBytes = job.outBytes;
  let rows = job.rows, divisors = job.divisors, limits = job.limits, out = job.shares, counts = job.counts;
  const column = planColumn(job.plan);
  for (let lane = 0; lane < lanes; lane += 2) {
    const divisor = divisors ? v128.load(divisors) : f64x2.splat(1);
    let from = rows;
    let to = column;
    for (let m = 0; m < members; m++, from += rowBytes, to += 16) v128.store(to, resultPair<Row, Out>(from, divisor));

    const valid = f64x2.convert_low_i32x4_s(v128.load64_zero(counts));
    let hidden = f64x2.lt(valid, f64x2.splat(<f64>required));
    let at = limits;
    for (let k = 0; k < limitCount; k++, at += rowBytes) {
      const limit = v128.load(at);
      hidden = v128.or(hidden, f64x2.ne(limit, limit));
    }

    at = limits;
    let category = out;
    let counted = f64x2.splat(0); // members in the categories so far
    for (let k = 0; k < limitCount; k++, at += rowBytes, category += outBytes) {
      const limit = v128.load(at);
      const sofar = upTo(column, members, limit);
      storePair<Out>(category, v128.or(f64x2.div(f64x2.sub(sofar, counted), valid), hidden));
      counted = sofar;
    }
    storePair<Out>(category, v128.or(f64x2.div(f64x2.sub(valid, counted), valid), hidden));

    rows += 2 * sizeof<Row>();
    limits += 16;
    out += 2 * sizeof<Out>();
    counts += 8;
    if (divisors) divisors += 16;
  }
}

export function categoriesF32(job: StatisticsJob): void {
  categories<f64, f32>(job);
}
export function categoriesF64(job: StatisticsJob): void {
  categories<f64, f64>(job);
}
export function categoriesRawF32(job: StatisticsJob): void {
  categories<f32, f32>(job);
}
