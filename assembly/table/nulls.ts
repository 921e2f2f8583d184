// Parquet: values without nulls, and a level for each row, to a column of Arrow.
//
//   levels    u8 for each row; `full` where the row has a value
//   values    the values of the rows that have one
//   out       the column from its row `at` on
//   validity  a bit for each row of the column, all 1 before; 0 becomes that of a row without a value

/** Like `spread4`, for values of `sizeof<T>()` bytes. */
@inline function spread<T>(
  levels: usize, full: i32, values: usize, missing: T, from: i32, to: i32, out: usize, validity: usize, at: i32,
): i32 {
  let next = values;
  for (let row = 0; row < from; row++) if (load<u8>(levels + row) == <u8>full) next += sizeof<T>();
  let nulls = 0;
  for (let row = from; row < to; row++, at++) {
    const to = out + (<usize>at << alignof<T>());
    if (load<u8>(levels + row) == <u8>full) {
      store<T>(to, load<T>(next));
      next += sizeof<T>();
      continue;
    }
    store<T>(to, missing);
    const byte = validity + (at >> 3);
    store<u8>(byte, load<u8>(byte) & ~(<u8>1 << <u8>(at & 7)));
    nulls++;
  }
  return nulls;
}

/**
 * Writes the rows from `from` to `to` of a page as rows from `at` on of a column of 4-byte values; returns the number
 * of nulls.
 */
export function spread4(
  levels: usize, full: i32, values: usize, missing: u32, from: i32, to: i32, out: usize, validity: usize, at: i32,
): i32 {
  return spread<u32>(levels, full, values, missing, from, to, out, validity, at);
}

/** Like `spread4`, for 8-byte values; `missing` is a double, 0 or NaN. */
export function spread8(
  levels: usize, full: i32, values: usize, missing: f64, from: i32, to: i32, out: usize, validity: usize, at: i32,
): i32 {
  return spread<u64>(levels, full, values, reinterpret<u64>(missing), from, to, out, validity, at);
}
