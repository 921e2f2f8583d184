// Missing values are NaN inside the core; infinities are faults.

/** The place of the first infinite value among `count` values, or -1. */
export function firstInfiniteF32(values: usize, count: i32): i32 {
  const infinity = f32x4.splat(Infinity);
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    if (v128.any_true(f32x4.eq(f32x4.abs(v128.load(values + (<usize>i << 2))), infinity))) break;
  }
  for (; i < count; i++) if (abs(load<f32>(values + (<usize>i << 2))) == f32.POSITIVE_INFINITY) return i;
  return -1;
}
export function firstInfiniteF64(values: usize, count: i32): i32 {
  const infinity = f64x2.splat(Infinity);
  let i = 0;
  for (; i + 2 <= count; i += 2) {
    if (v128.any_true(f64x2.eq(f64x2.abs(v128.load(values + (<usize>i << 3))), infinity))) break;
  }
  for (; i < count; i++) if (abs(load<f64>(values + (<usize>i << 3))) == f64.POSITIVE_INFINITY) return i;
  return -1;
}
