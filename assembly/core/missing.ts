// Missing values are NaN inside the core; infinite values are errors.

/** The index of the first infinite value among `count` values, or -1. */
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

/**
 * Whether any of `runs` runs of `count` values, `runBytes` apart, has an infinite value; `members` is a table of
 * addresses.
 */
@inline function anyInfinite<T>(members: usize, memberCount: i32, offset: usize, runBytes: usize, runs: i32, count: i32): bool {
  const inVector = 16 / sizeof<T>();
  for (let m = 0; m < memberCount; m++, members += 4) {
    let run = <usize>load<u32>(members) + offset;
    for (let r = 0; r < runs; r++, run += runBytes) {
      // Missing values are skipped: pmin and pmax keep their first operand if the second is NaN.
      let low = f64x2.splat(0);
      let high = low;
      let at = run;
      for (const end = run + <usize>(count / inVector) * 16; at < end; at += 16) {
        const x = v128.load(at);
        low = sizeof<T>() == 8 ? f64x2.pmin(low, x) : f32x4.pmin(low, x);
        high = sizeof<T>() == 8 ? f64x2.pmax(high, x) : f32x4.pmax(high, x);
      }
      if (sizeof<T>() == 8) {
        if (v128.any_true(f64x2.eq(f64x2.sub(high, low), f64x2.splat(Infinity)))) return true;
      } else if (v128.any_true(f32x4.eq(f32x4.sub(high, low), f32x4.splat(Infinity)))) return true;
      for (const end = run + <usize>count * sizeof<T>(); at < end; at += sizeof<T>()) if (abs(load<T>(at)) == Infinity) return true;
    }
  }
  return false;
}
export function anyInfiniteF32(members: usize, memberCount: i32, offset: usize, runBytes: usize, runs: i32, count: i32): bool {
  return anyInfinite<f32>(members, memberCount, offset, runBytes, runs, count);
}
export function anyInfiniteF64(members: usize, memberCount: i32, offset: usize, runBytes: usize, runs: i32, count: i32): bool {
  return anyInfinite<f64>(members, memberCount, offset, runBytes, runs, count);
}
