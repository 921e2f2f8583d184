// Rows of long tables, column by column: where places begin, which rows are alike, and their values by member and day.
//
//   latitude, longitude  f64 for each row
//   days, members        i32 for each row
//   values               f32 or f64 for each row

/**
 * Writes the rows whose place is not that of the row before, the first row included, as i32, and returns their number. A place without
 * coordinates, NaN, is not that of the row before.
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

/** Writes the values of the rows from `from` to `to`, exclusive: that of member m and day d to `out`, m times `stride` and d values on. */
export function scatter4(days: usize, members: usize, values: usize, from: i32, to: i32, out: usize, stride: i32): void {
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2;
    const place = load<i32>(members + at) * stride + load<i32>(days + at);
    store<f32>(out + (<isize>place << 2), load<f32>(values + at));
  }
}

/** As `scatter4`, of f64. */
export function scatter8(days: usize, members: usize, values: usize, from: i32, to: i32, out: usize, stride: i32): void {
  for (let row = from; row < to; row++) {
    const at = <usize>row << 2;
    const place = load<i32>(members + at) * stride + load<i32>(days + at);
    store<f64>(out + (<isize>place << 3), load<f64>(values + (at << 1)));
  }
}
