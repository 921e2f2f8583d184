/** Rounds `count` float64 to float32 in the same place. Up to 8 bytes behind the last float32 are written. */
export function narrowValues(values: usize, count: i32): void {
  const end = values + (<usize>count << 3);
  let to = values;
  for (let at = values; at < end; at += 16) {
    v128.store64_lane(to, f32x4.demote_f64x2_zero(v128.load(at)), 0);
    to += 8;
  }
}
