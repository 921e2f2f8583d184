// Scores of each case: what an ensemble of `members` said, and what was observed.
//
//   rows      a row of cases for each member, `rowBytes` apart
//   observed  f64 x cases
//   column    scratch of `columnBytes`: see core/sort.ts, and behind it a list of f64 x members
//   out       rows of f64 x cases, `outBytes` apart: CRPS | fair CRPS | mean | error of the mean | variance
//             and, with SORTED, the members in ascending order, a row for each rank
//   counts    rows of i32 x cases, `outBytes` apart: valid members, -1 where one is too large | members below | members equal
//
// Rows have space for whole vectors of 16 bytes; what lies behind their cases is computed, too, and means nothing.
//
// A missing member is NaN. Vectors without any are computed two cases at a time; of others each case by itself, over its own
// valid members, by the same steps in the same order. A member beyond LARGEST is an error, which the count of valid members says. A missing observation gives NaN, and no members below or equal.
import { sortBytes, sortRows } from '../core/sort';

/** Bits of `what`: the rows that are needed. */
const CRPS = 1;
const MOMENTS = 2;
const RANKS = 4;
const SORTED = 8;

/** Squares of such values, and sums of these, are finite. */
const LARGEST: f64 = 1e100;

/** Bytes of scratch for so many members. */
export function columnBytes(members: i32): usize {
  return sortBytes(members) + (<usize>members << 3);
}

export function scoreCasesF32(
  rows: usize, rowBytes: usize, members: i32, observed: usize, cases: i32, what: i32, column: usize, out: usize, counts: usize,
  outBytes: usize,
): void {
  score<f32>(rows, rowBytes, members, observed, cases, what, column, out, counts, outBytes);
}

export function scoreCasesF64(
  rows: usize, rowBytes: usize, members: i32, observed: usize, cases: i32, what: i32, column: usize, out: usize, counts: usize,
  outBytes: usize,
): void {
  score<f64>(rows, rowBytes, members, observed, cases, what, column, out, counts, outBytes);
}

function score<T>(
  rows: usize, rowBytes: usize, members: i32, observed: usize, cases: i32, what: i32, column: usize, out: usize, counts: usize,
  outBytes: usize,
): void {
  const lanes: i32 = 16 / sizeof<T>();
  const isSorted = (what & (CRPS | SORTED)) != 0;
  for (let i = 0; i < cases; i += lanes, rows += 16, observed += <usize>lanes << 3) {
    const from8 = out + (<usize>i << 3), from4 = counts + (<usize>i << 2);
    if (!isPlain<T>(rows, rowBytes, members)) {
      for (let lane = 0; lane < lanes; lane++) {
        const at = <usize>lane << 3;
        const y = load<f64>(observed + at);
        const row = rows + <usize>lane * sizeof<T>();
        scoreCase<T>(row, rowBytes, members, y, what, column, from8 + at, from4 + (at >> 1), outBytes);
      }
      continue;
    }
    if (isSorted) sortRows<T>(rows, rowBytes, members, column);
    const from = isSorted ? column : rows;
    const apart: usize = isSorted ? 16 : rowBytes;
    for (let half: usize = 0; half < (<usize>lanes << 3); half += 16) {
      const pairs = from + (sizeof<T>() == 8 ? 0 : half >> 1);
      scorePair<T>(pairs, apart, members, v128.load(observed + half), what, from8 + half, from4 + (half >> 1), outBytes);
    }
  }
}

/** Whether no value of a vector is missing or too large. */
@inline function isPlain<T>(row: usize, rowBytes: usize, members: i32): bool {
  let plain = i64x2.splat(-1);
  for (let m = 0; m < members; m++, row += rowBytes) {
    const x = v128.load(row);
    plain = v128.and(
      plain,
      sizeof<T>() == 8 ? f64x2.le(f64x2.abs(x), f64x2.splat(LARGEST)) : f32x4.lt(f32x4.abs(x), f32x4.splat(f32.POSITIVE_INFINITY)),
    );
  }
  return sizeof<T>() == 8 ? i64x2.all_true(plain) : i32x4.all_true(plain);
}

/** Two values as f64. */
@inline function pair<T>(at: usize): v128 {
  return sizeof<T>() == 8 ? v128.load(at) : f64x2.promote_low_f32x4(v128.load64_zero(at));
}

/** Two cases, no member of which is missing; `from` is ascending where the CRPS or SORTED is wanted. */
function scorePair<T>(from: usize, apart: usize, members: i32, y: v128, what: i32, out: usize, counts: usize, outBytes: usize): void {
  const n = f64x2.splat(<f64>members);
  store<i32>(counts, members);
  store<i32>(counts + 4, members);
  const end = from + <usize>members * apart;
  const zero = f64x2.splat(0);
  let sum = zero, errors = zero, distances = zero, below = zero, equal = zero;
  if (what & (CRPS | MOMENTS)) {
    for (let at = from; at < end; at += apart) {
      const x = pair<T>(at);
      const d = f64x2.sub(x, y);
      sum = f64x2.add(sum, x);
      errors = f64x2.add(errors, d);
      distances = f64x2.add(distances, f64x2.abs(d));
    }
  }
  if (what & CRPS) {
    let gini = zero;
    let low = from, high = end - apart;
    for (let weight = <f64>(members - 1); low < high; low += apart, high -= apart, weight -= 2) {
      gini = f64x2.add(gini, f64x2.mul(f64x2.splat(weight), f64x2.sub(pair<T>(high), pair<T>(low))));
    }
    const distance = f64x2.div(distances, n);
    const square = f64x2.mul(n, n);
    const pairs = f64x2.splat(<f64>members * <f64>(members - 1));
    v128.store(out, f64x2.sub(distance, f64x2.div(gini, square)));
    v128.store(out + outBytes, f64x2.sub(distance, f64x2.div(gini, pairs)));
  }
  if (what & MOMENTS) {
    const error = f64x2.div(errors, n);
    let squares = zero;
    for (let at = from; at < end; at += apart) {
      const d = f64x2.sub(f64x2.sub(pair<T>(at), y), error);
      squares = f64x2.add(squares, f64x2.mul(d, d));
    }
    v128.store(out + 2 * outBytes, f64x2.div(sum, n));
    v128.store(out + 3 * outBytes, error);
    v128.store(out + 4 * outBytes, f64x2.div(squares, f64x2.splat(<f64>(members - 1))));
  }
  if (what & RANKS) {
    for (let at = from; at < end; at += apart) {
      const x = pair<T>(at);
      below = i64x2.sub(below, f64x2.lt(x, y));
      equal = i64x2.sub(equal, f64x2.eq(x, y));
    }
    store<i32>(counts + outBytes, <i32>i64x2.extract_lane(below, 0));
    store<i32>(counts + outBytes + 4, <i32>i64x2.extract_lane(below, 1));
    store<i32>(counts + 2 * outBytes, <i32>i64x2.extract_lane(equal, 0));
    store<i32>(counts + 2 * outBytes + 4, <i32>i64x2.extract_lane(equal, 1));
  }
  if (what & SORTED) {
    let to = out + 5 * outBytes;
    for (let at = from; at < end; at += apart, to += outBytes) v128.store(to, pair<T>(at));
  }
}

/** One case over its valid members, by the steps of `scorePair`. */
function scoreCase<T>(
  row: usize, rowBytes: usize, members: i32, y: f64, what: i32, column: usize, out: usize, counts: usize,
  outBytes: usize,
): void {
  const list = column + sortBytes(members);
  let count = 0;
  for (let m = 0; m < members; m++, row += rowBytes) {
    const x = <f64>load<T>(row);
    if (x != x) continue;
    if (Math.abs(x) > LARGEST) {
      store<i32>(counts, -1);
      return;
    }
    store<f64>(list + (<usize>count << 3), x);
    count++;
  }
  if (what & (CRPS | SORTED)) sortList(list, count);
  const n = <f64>count;
  store<i32>(counts, count);
  const end = list + (<usize>count << 3);
  let sum: f64 = 0, errors: f64 = 0, distances: f64 = 0, below = 0, equal = 0;
  for (let at = list; at < end; at += 8) {
    const x = load<f64>(at);
    const d = x - y;
    sum += x;
    errors += d;
    distances += Math.abs(d);
    below += i32(x < y);
    equal += i32(x == y);
  }
  if (what & CRPS) {
    let gini: f64 = 0;
    let low = list, high = end - 8;
    for (let weight = <f64>(count - 1); low < high && count > 1; low += 8, high -= 8, weight -= 2) {
      gini += weight * (load<f64>(high) - load<f64>(low));
    }
    store<f64>(out, distances / n - gini / (n * n));
    store<f64>(out + outBytes, distances / n - gini / (n * <f64>(count - 1)));
  }
  if (what & MOMENTS) {
    const error = errors / n;
    let squares: f64 = 0;
    for (let at = list; at < end; at += 8) {
      const d = load<f64>(at) - y - error;
      squares += d * d;
    }
    store<f64>(out + 2 * outBytes, sum / n);
    store<f64>(out + 3 * outBytes, error);
    store<f64>(out + 4 * outBytes, squares / <f64>max(count - 1, 0));
  }
  store<i32>(counts + outBytes, below);
  store<i32>(counts + 2 * outBytes, equal);
  if (what & SORTED) {
    let to = out + 5 * outBytes;
    for (let m = 0; m < members; m++, to += outBytes) store<f64>(to, m < count ? load<f64>(list + (<usize>m << 3)) : NaN);
  }
}

/** Sorts a list of numbers (Shell's method, with gaps of Knuth). */
function sortList(list: usize, count: i32): void {
  let gap = 1;
  while (gap < count) gap = 3 * gap + 1;
  for (gap /= 3; gap > 0; gap /= 3) {
    for (let i = gap; i < count; i++) {
      const x = load<f64>(list + (<usize>i << 3));
      let j = i;
      for (; j >= gap; j -= gap) {
        const other = load<f64>(list + (<usize>(j - gap) << 3));
        if (!(other > x)) break;
        store<f64>(list + (<usize>j << 3), other);
      }
      store<f64>(list + (<usize>j << 3), x);
    }
  }
}
