// A plan holds, for each number of valid members, the two order statistics that each quantile is between.
//
//   plan + 0   i32 members, i32 quantiles, i32 type, i32 unused
//        + 16  probabilities   f64 x quantiles
//              column          scratch for sorting, see sort.ts
//              positions       (members + 1) x quantiles x { u32 low, u32 high, f64 weight }; low and high are byte offsets of a column
//              made            u8 x (members + 1): whether the positions for this number of members are made; that is when they are first needed
import { sortBytes } from './sort';

@inline function memberCount(plan: usize): i32 {
  return load<i32>(plan);
}
@inline export function quantileCount(plan: usize): i32 {
  return load<i32>(plan, 4);
}
@inline export function planColumn(plan: usize): usize {
  return plan + 16 + (<usize>((quantileCount(plan) + 1) & ~1) << 3);
}
@inline function planPositions(plan: usize): usize {
  return planColumn(plan) + sortBytes(memberCount(plan));
}

/** Bytes of a plan; its address must be a multiple of 16. */
export function planBytes(members: i32, quantiles: i32): usize {
  return 16 + (<usize>((quantiles + 1) & ~1) << 3) + sortBytes(members) + <usize>(members + 1) * (<usize>(quantiles << 4) + 1);
}

/** Begins a plan; the caller then writes the probabilities to the returned address. */
export function beginPlan(plan: usize, members: i32, quantiles: i32, type: i32): usize {
  store<i32>(plan, members);
  store<i32>(plan, quantiles, 4);
  store<i32>(plan, type, 8);
  memory.fill(planPositions(plan) + (<usize>(members + 1) * quantiles << 4), 0, members + 1);
  return plan + 16;
}

/** The address of the positions for `valid` members, at least 1. */
export function positionsFor(plan: usize, valid: i32): usize {
  const quantiles = quantileCount(plan);
  const positions = planPositions(plan) + (<usize>valid * quantiles << 4);
  const made = planPositions(plan) + (<usize>(memberCount(plan) + 1) * quantiles << 4) + valid;
  if (!load<u8>(made)) {
    for (let k = 0; k < quantiles; k++) {
      makePosition(positions + (<usize>k << 4), valid, load<f64>(plan + (<usize>k << 3), 16), load<i32>(plan, 8));
    }
    store<u8>(made, 1);
  }
  return positions;
}

/**
 * The nine sample quantiles of Hyndman and Fan, Sample Quantiles in Statistical Packages, The American Statistician 50
 * (1996), with a guard against rounding as in R's quantile(): a rank within 4 epsilon times n + 1 of a whole number is
 * that number. R leaves out the factor, by which 0.58 of 25 values would be less than 14.5. Probabilities are taken as the
 * decimals that the caller wrote.
 */
function makePosition(position: usize, n: i32, p: f64, type: i32): void {
  const fuzz = 4 * f64.EPSILON * <f64>(n + 1);
  let below: f64; // the whole part of the rank, counted from 1
  let weight: f64; // of the order statistic above it
  if (type == 7) {
    const rank = <f64>(n - 1) * p;
    below = floor(rank) + 1;
    weight = rank - floor(rank);
  } else if (type <= 3) {
    const rank = type == 3 ? <f64>n * p - 0.5 : <f64>n * p;
    below = floor(rank + fuzz);
    const beyond = rank > below + fuzz;
    if (type == 1) weight = beyond ? 1 : 0;
    else if (type == 2) weight = beyond ? 1 : 0.5;
    else weight = abs(rank - below) > fuzz || (<i64>below & 1) != 0 ? 1 : 0;
  } else {
    let a: f64 = 0;
    let b: f64 = 0;
    if (type == 4) b = 1;
    else if (type == 5) a = b = 0.5;
    else if (type == 8) a = b = 1.0 / 3.0;
    else if (type == 9) a = b = 0.375;
    const rank = a + p * (<f64>n + 1 - a - b);
    below = floor(rank + fuzz);
    weight = rank - below;
  }
  // A probability is a plain decimal, and so is its weight (an eighth more for type 9): rounding must not turn 0.6 into
  // 0.6000000000000014, nor 0 into a little less than 0.
  const decimal = nearest(weight * 1e8) / 1e8;
  if (abs(weight - decimal) <= fuzz) weight = decimal;
  let low = min(max(<i32>below, 1), n);
  let high = min(max(<i32>below + 1, 1), n);
  if (weight == 0) high = low;
  else if (weight == 1) low = high;
  store<u32>(position, (low - 1) << 4);
  store<u32>(position, (high - 1) << 4, 4);
  store<f64>(position, low == high ? 0 : weight, 8);
}
