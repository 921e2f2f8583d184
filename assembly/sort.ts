// A column is one vector per member, side by side: 16 bytes each. Every lane is sorted by itself, ascending.
//
// A comparator is `pmin(a, b)`, `pmax(b, a)`: single instructions that keep both values where they compare equal. Columns must
// hold no NaN.
import { LARGEST_NETWORK, sortNetwork_f32x4, sortNetwork_f64x2 } from './generated/networks';

/** Bytes of a column with room for the padding of the networks. */
export function columnBytes(members: i32): usize {
  return <usize>max(members, LARGEST_NETWORK) << 4;
}

export function sortColumnF64(column: usize, members: i32): void {
  if (members <= LARGEST_NETWORK) sortNetwork_f64x2(column, members);
  else mergeExchange<f64>(column, members);
}

export function sortColumnF32(column: usize, members: i32): void {
  if (members <= LARGEST_NETWORK) sortNetwork_f32x4(column, members);
  else mergeExchange<f32>(column, members);
}

/** Batcher's merge exchange for any number of members (Knuth, The Art of Computer Programming, vol. 3, 5.2.2, algorithm M). */
@inline function mergeExchange<T>(column: usize, members: i32): void {
  const top = 1 << (31 - clz(members - 1));
  for (let p = top; p > 0; p >>= 1) {
    let q = top;
    let r = 0;
    let d = p;
    for (;;) {
      // The comparators of a step: every i below members - d whose bit p is that of r, in runs of p neighbours.
      for (let run = r; run < members - d; run += 2 * p) {
        const end = column + (<usize>min(run + p, members - d) << 4);
        let high = column + (<usize>(run + d) << 4);
        for (let low = column + (<usize>run << 4); low < end; low += 16, high += 16) {
          const a = v128.load(low);
          const b = v128.load(high);
          if (sizeof<T>() == 8) {
            v128.store(low, f64x2.pmin(a, b));
            v128.store(high, f64x2.pmax(b, a));
          } else {
            v128.store(low, f32x4.pmin(a, b));
            v128.store(high, f32x4.pmax(b, a));
          }
        }
      }
      if (q == p) break;
      d = q - p;
      q >>= 1;
      r = p;
    }
  }
}
