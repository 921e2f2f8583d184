// Mean, spread and shares of two lanes, and how lanes are read and stored; statistics.ts draws the memory layout.

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

/** How many members, rounded to the type of results, are above `limit`; missing ones do not count. */
@inline function above<Row, Out>(row: usize, rowBytes: usize, members: i32, divisor: v128, limit: v128): v128 {
  let count = i64x2.splat(0);
  for (let m = 0; m < members; m++, row += rowBytes) {
    count = i64x2.sub(count, f64x2.gt(resultPair<Row, Out>(row, divisor), limit));
  }
  return asCounts(count);
}

/** Writes mean, spread and shares of two lanes; lanes whose bits in `hidden` are set become missing. */
@inline export function writeMoments<Row, Out>(
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
