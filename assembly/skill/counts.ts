// How many members of each case are above a limit, and how many are not; a missing member is neither.
//
//   rows    a row of cases for each member, `rowBytes` apart
//   counts  two rows of i32 x cases, `countBytes` apart: above | not above
//
// Rows have space for whole vectors of 16 bytes.

export function countAboveF32(
  rows: usize, rowBytes: usize, members: i32, cases: i32, limit: f64, counts: usize, countBytes: usize,
): void {
  // A limit between two f32 is rounded so that no f32 changes its side.
  let nearest = <f32>limit;
  if (<f64>nearest > limit) nearest = before(nearest);
  const bound = f32x4.splat(nearest);
  for (let i = 0; i < cases; i += 4, rows += 16, counts += 16) {
    let above = i32x4.splat(0), others = i32x4.splat(0);
    let row = rows;
    for (let m = 0; m < members; m++, row += rowBytes) {
      const x = v128.load(row);
      above = i32x4.sub(above, f32x4.gt(x, bound));
      others = i32x4.sub(others, f32x4.le(x, bound));
    }
    v128.store(counts, above);
    v128.store(counts + countBytes, others);
  }
}

export function countAboveF64(
  rows: usize, rowBytes: usize, members: i32, cases: i32, limit: f64, counts: usize, countBytes: usize,
): void {
  const bound = f64x2.splat(limit);
  for (let i = 0; i < cases; i += 2, rows += 16, counts += 8) {
    let above = i64x2.splat(0), others = i64x2.splat(0);
    let row = rows;
    for (let m = 0; m < members; m++, row += rowBytes) {
      const x = v128.load(row);
      above = i64x2.sub(above, f64x2.gt(x, bound));
      others = i64x2.sub(others, f64x2.le(x, bound));
    }
    store<i32>(counts, <i32>i64x2.extract_lane(above, 0));
    store<i32>(counts + 4, <i32>i64x2.extract_lane(above, 1));
    store<i32>(counts + countBytes, <i32>i64x2.extract_lane(others, 0));
    store<i32>(counts + countBytes + 4, <i32>i64x2.extract_lane(others, 1));
  }
}

/** The next f32 below. */
function before(x: f32): f32 {
  if (x == 0) return -f32.MIN_VALUE;
  const bits = reinterpret<i32>(x);
  return reinterpret<f32>(x > 0 ? bits - 1 : bits + 1);
}
