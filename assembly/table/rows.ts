// Rows of long tables, column by column: where places begin, which rows are alike, and their values by member and day.
//
//   latitude, longitude  f64 for each row
//   days, members        i32 for each row
//   values               f32 or f64 for each row

/**
 * Writes the rows whose place is not that of the row before, the first row included, as i32, and returns their number.
 * A place without coordinates, NaN, is not that of the row before.
 */
export function findPlaces(latitude: usize, longitude: usize, rows: i32, starts: usize): i32 {
  if (rows == 0) return 0;
  store<i32>(starts, 0);
  let count = 1;
  let row = 1;
  for (; row + 4 <= rows; row += 4) {
    const north = latitude + (<usize>row << 3);
    const east = longitude + (<usize>row << 3);
    const first = v128.and(
      f64x2.eq(v128.load(north), v128.load(north - 8)),
      f64x2.eq(v128.load(east), v128.load(east - 8)),
    );
    const second = v128.and(
      f64x2.eq(v128.load(north, 16), v128.load(north + 8)),
      f64x2.eq(v128.load(east, 16), v128.load(east + 8)),
    );
    if (v128.all_true<i64>(v128.and(first, second))) continue;
    for (let i = row; i < row + 4; i++) {
      if (isSamePlace(latitude, longitude, i)) continue;
      store<i32>(starts + (<usize>count << 2), i);
      count++;
    }
  }
  for (; row < rows; row++) {
    if (isSamePlace(latitude, longitude, row)) continue;
    store<i32>(starts + (<usize>count << 2), row);
    count++;
  }
  return count;
}

@inline function isSamePlace(latitude: usize, longitude: usize, row: i32): bool {
  const north = latitude + (<usize>row << 3);
  const east = longitude + (<usize>row << 3);
  return load<f64>(north) == load<f64>(north - 8) && load<f64>(east) == load<f64>(east - 8);
}

/** Whether `count` rows from `a` on have the days and members of those from `b` on. */
export function haveSameRows(days: usize, members: usize, a: i32, b: i32, count: i32): bool {
  return (
    areSame(days + (<usize>a << 2), days + (<usize>b << 2), count) &&
    areSame(members + (<usize>a << 2), members + (<usize>b << 2), count)
  );
}

function areSame(a: usize, b: usize, count: i32): bool {
  let i = 0;
  for (; i + 16 <= count; i += 16, a += 64, b += 64) {
    const low = v128.or(v128.xor(v128.load(a), v128.load(b)), v128.xor(v128.load(a, 16), v128.load(b, 16)));
    const high = v128.or(v128.xor(v128.load(a, 32), v128.load(b, 32)), v128.xor(v128.load(a, 48), v128.load(b, 48)));
    if (v128.any_true(v128.or(low, high))) return false;
  }
  for (; i < count; i++, a += 4, b += 4) if (load<i32>(a) != load<i32>(b)) return false;
  return true;
}

/**
 * Writes the values of the rows from `from` to `to`, exclusive: that of member m and day d to `out`, m times `stride`
 * and d values on.
 */
export function scatter4(days: usize, members: usize, values: usize, from: i32, to: i32, out: usize, stride: i32): void {
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2;
    const place = load<i32>(members + at) * stride + load<i32>(days + at);
    store<f32>(out + (<isize>place << 2), load<f32>(values + at));
  }
}

/** Like `scatter4`, of f64. */
export function scatter8(days: usize, members: usize, values: usize, from: i32, to: i32, out: usize, stride: i32): void {
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2;
    const place = load<i32>(members + at) * stride + load<i32>(days + at);
    store<f64>(out + (<isize>place << 3), load<f64>(values + (at << 1)));
  }
}

/**
 * Writes the codes of rows from `row` on, as long as the value of each, of 4 bytes, is that of `period` rows before.
 * Returns the first row where it is not.
 */
export function repeatCodes4(values: usize, codes: usize, row: i32, rows: i32, period: i32): i32 {
  const back = <usize>period << 2;
  if (period >= 4) {
    for (; row + 4 <= rows; row += 4) {
      const value = values + (<usize>row << 2), code = codes + (<usize>row << 2);
      if (!v128.all_true<i32>(i32x4.eq(v128.load(value), v128.load(value - back)))) break;
      v128.store(code, v128.load(code - back));
    }
  }
  for (; row < rows; row++) {
    const value = values + (<usize>row << 2), code = codes + (<usize>row << 2);
    if (load<i32>(value) != load<i32>(value - back)) break;
    store<i32>(code, load<i32>(code - back));
  }
  return row;
}

/** Like `repeatCodes4`, for values of 8 bytes. */
export function repeatCodes8(values: usize, codes: usize, row: i32, rows: i32, period: i32): i32 {
  const backValue = <usize>period << 3, backCode = <usize>period << 2;
  if (period >= 4) {
    for (; row + 4 <= rows; row += 4) {
      const value = values + (<usize>row << 3), code = codes + (<usize>row << 2);
      const same = v128.and(
        i64x2.eq(v128.load(value), v128.load(value - backValue)),
        i64x2.eq(v128.load(value, 16), v128.load(value - backValue, 16)),
      );
      if (!v128.all_true<i64>(same)) break;
      v128.store(code, v128.load(code - backCode));
    }
  }
  for (; row < rows; row++) {
    const value = values + (<usize>row << 3), code = codes + (<usize>row << 2);
    if (load<i64>(value) != load<i64>(value - backValue)) break;
    store<i32>(code, load<i32>(code - backCode));
  }
  return row;
}

/** Whether all of `count` i32 are from `first` to `last`. */
export function areWithin(values: usize, count: i32, first: i32, last: i32): bool {
  const least = i32x4.splat(first), most = i32x4.splat(last);
  let wrong = i32x4.splat(0);
  let i = 0;
  for (; i + 8 <= count; i += 8, values += 32) {
    const a = v128.load(values), b = v128.load(values, 16);
    wrong = v128.or(wrong, v128.or(i32x4.lt_s(a, least), i32x4.gt_s(a, most)));
    wrong = v128.or(wrong, v128.or(i32x4.lt_s(b, least), i32x4.gt_s(b, most)));
  }
  if (v128.any_true(wrong)) return false;
  for (; i < count; i++, values += 4) if (load<i32>(values) < first || load<i32>(values) > last) return false;
  return true;
}
