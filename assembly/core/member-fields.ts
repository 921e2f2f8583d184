// Pairing of members as fields: what the members of two horizons have in common at some cells around a seam.
//
//   values     f64 x days x members x cells, NaN where missing
//   anomalies  f64 x columns x days x members: columns are cells, or means over some of them
//   pairs      f64 x { address of the earlier day, offset of the later day, weight }
//   plane      f64 x later members for each earlier one, filled up to a multiple of four both ways
//   aims       f64 x { factor of a squared step, factor of a step, address of a plane of products }
//
// Sums are made in the order of their twins in `test/reference/`: a pairing must not depend on rounding where members tie.

/** Writes the departures of some members from their mean by day and cell, 0 where missing; `order` has the offset of each. */
export function departures(
  values: usize, cellBytes: usize, cells: i32, order: usize, members: i32, days: i32, out: usize, memberBytes: usize,
): void {
  const end = order + (<usize>members << 2);
  for (; days > 0; days--, values += 8) {
    let cell = values;
    for (let c = 0; c < cells; c++, out += 8, cell += cellBytes) {
      let sum: f64 = 0, count: f64 = 0;
      for (let m = order; m < end; m += 4) {
        const value = load<f64>(cell + load<u32>(m));
        if (value != value) continue;
        sum += value;
        count += 1;
      }
      const mean = sum / count;
      let at = out;
      for (let m = order; m < end; m += 4, at += memberBytes) {
        const departure = load<f64>(cell + load<u32>(m)) - mean;
        store<f64>(at, departure == departure ? departure : 0);
      }
    }
  }
}

/**
 * Adds columns of rows, or their squares, weighted and divided, to numbers that are outBytes apart from row to row, and
 * outStride from member to member; `parts` has for each column f64 x { place of the number, weight, divisor }.
 */
export function addColumns(
  values: usize, members: i32, memberBytes: usize, rows: i32, columns: i32, parts: usize, areSquared: bool,
  out: usize, outBytes: usize, outStride: usize,
): void {
  const rowBytes = <usize>columns << 3;
  for (; members > 0; members--, values += memberBytes, out += outStride) {
    let part = parts;
    for (let column = values, end = values + rowBytes; column < end; column += 8, part += 24) {
      const weight = load<f64>(part, 8), divisor = load<f64>(part, 16);
      let from = column, to = out + (<usize>load<f64>(part) << 3);
      for (let row = rows; row > 0; row--, from += rowBytes, to += outBytes) {
        const value = load<f64>(from);
        store<f64>(to, load<f64>(to) + select(value * value, value, areSquared) * weight / divisor);
      }
    }
  }
}

/**
 * Writes the correlations of the numbers of two ensembles, side by side, with those 0, 1, ... days later of the same
 * member.
 */
export function lagCorrelations(
  first: usize, second: usize, members: i32, memberBytes: usize, dayBytes: usize, lags: i32, out: usize,
): void {
  const apart = second - first;
  for (let shift: usize = 0; lags > 0; lags--, shift += dayBytes, out += 16) {
    let products = f64x2.splat(0), before = products, after = products;
    let at = first;
    for (let m = members; m > 0; m--, at += shift) {
      for (const end = at + memberBytes - shift; at < end; at += 8) {
        const one = twoNumbers(at, apart), other = twoNumbers(at + shift, apart);
        products = f64x2.add(products, f64x2.mul(one, other));
        before = f64x2.add(before, f64x2.mul(one, one));
        after = f64x2.add(after, f64x2.mul(other, other));
      }
    }
    v128.store(out, f64x2.div(products, f64x2.sqrt(f64x2.mul(before, after))));
  }
}

@inline function twoNumbers(at: usize, apart: usize): v128 {
  return v128.load64_lane(at + apart, v128.load64_zero(at), 1);
}

/** Writes a plane: products of earlier and later members, summed over weighted columns and pairs of days, and divided. */
export function memberProducts(
  members: i32, earlierBytes: usize, laterBytes: usize, later: usize, bytes: usize, columns: i32, weights: usize,
  pairs: usize, pairCount: i32, divisor: f64, scratch: usize, out: usize,
): void {
  const rowBytes = rowBytesOf(members);
  const lastPair = pairs + 24 * <usize>pairCount;
  const divisors = f64x2.splat(divisor);
  // The later members side by side.
  const beside = scratch + (bytes << 1);
  for (let at: usize = 0, to = beside; at < bytes; at += 8, to += rowBytes) {
    let from = later + at;
    for (let m: usize = 0; m < <usize>members; m++, from += laterBytes) store<f64>(to + (m << 3), load<f64>(from));
  }
  // Two earlier members at a time: sums of their days for each later day, then of all later members.
  for (let m = 0; m < members; m += 2, out += rowBytes << 1) {
    let row = scratch;
    memory.fill(row, 0, bytes << 1);
    for (let own = m; own < min(m + 2, members); own++, row += bytes) {
      for (let pair = pairs; pair < lastPair; pair += 24) {
        let from = <usize>load<f64>(pair) + <usize>own * earlierBytes, to = row + <usize>load<f64>(pair, 8);
        const weight = v128.load64_splat(pair, 16);
        let c = weights;
        for (const end = weights + (<usize>(columns & ~1) << 3); c < end; c += 16, from += 16, to += 16) {
          v128.store(to, f64x2.add(v128.load(to), f64x2.mul(f64x2.mul(weight, v128.load(c)), v128.load(from))));
        }
        if (columns & 1) store<f64>(to, load<f64>(to) + load<f64>(pair, 16) * load<f64>(c) * load<f64>(from));
      }
    }
    for (let j: usize = 0; j < rowBytes; j += 32) {
      let a0 = f64x2.splat(0), a1 = a0, b0 = a0, b1 = a0;
      let theirs = beside + j;
      for (let ours = scratch, end = ours + bytes; ours < end; ours += 8, theirs += rowBytes) {
        const first = v128.load(theirs), second = v128.load(theirs, 16);
        const a = v128.load64_splat(ours), b = v128.load64_splat(ours + bytes);
        a0 = f64x2.add(a0, f64x2.mul(a, first));
        a1 = f64x2.add(a1, f64x2.mul(a, second));
        b0 = f64x2.add(b0, f64x2.mul(b, first));
        b1 = f64x2.add(b1, f64x2.mul(b, second));
      }
      const at = out + j;
      v128.store(at, f64x2.div(a0, divisors));
      v128.store(at, f64x2.div(a1, divisors), 16);
      v128.store(at + rowBytes, f64x2.div(b0, divisors));
      v128.store(at + rowBytes, f64x2.div(b1, divisors), 16);
    }
  }
}

/** An exchange that lessens the sum of all aims by less is not made. */
const LEAST_GAIN: f64 = 1e-6;

/**
 * Exchanges the partners of two members at a time, each time the first two whose exchange lessens the sum of all aims
 * most, until none does, or there were four for each member. Members whose products are not numbers keep theirs.
 */
export function exchangePartners(partners: usize, members: i32, aims: usize, count: i32, steps: usize): void {
  const rowBytes = rowBytesOf(members), lastAim = aims + 24 * <usize>count;
  const planeBytes = rowBytes * (rowBytes >> 3), last = <usize>members;
  memory.fill(steps, 0, <usize>count * planeBytes);
  for (let i: usize = 0; i < last; i++) writeSteps(i, partners, members, aims, lastAim, steps);
  for (let exchange = members << 2; exchange > 0; exchange--) {
    let least = -LEAST_GAIN;
    let first: usize = 0, second: usize = 0;
    for (let i: usize = 0; i < last; i++) {
      for (let j = (i + 1) & ~1; j < last; j += 2) {
        let change = f64x2.splat(0);
        let at = steps + i * rowBytes + (j << 3);
        for (let aim = aims; aim < lastAim; aim += 24, at += planeBytes) {
          const step = v128.load(at);
          const slope = f64x2.add(f64x2.mul(v128.load64_splat(aim), step), v128.load64_splat(aim, 8));
          change = f64x2.add(change, f64x2.mul(step, slope));
        }
        if (f64x2.extract_lane(change, 0) < least) {
          least = f64x2.extract_lane(change, 0);
          first = i;
          second = j;
        }
        if (f64x2.extract_lane(change, 1) < least) {
          least = f64x2.extract_lane(change, 1);
          first = i;
          second = j + 1;
        }
      }
    }
    if (first == second) return;
    let at = steps + first * rowBytes + (second << 3);
    for (let aim = aims; aim < lastAim; aim += 24, at += planeBytes) {
      store<f64>(aim, load<f64>(aim, 8) + 2 * load<f64>(aim) * load<f64>(at), 8);
    }
    const ours = partners + (first << 2), theirs = partners + (second << 2);
    const held = load<i32>(ours);
    store<i32>(ours, load<i32>(theirs));
    store<i32>(theirs, held);
    writeSteps(first, partners, members, aims, lastAim, steps);
    writeSteps(second, partners, members, aims, lastAim, steps);
  }
}

/** The bytes of a plane's row. */
@inline function rowBytesOf(members: i32): usize {
  return <usize>((members + 3) & ~3) << 3;
}

/** Writes what the exchange of a member with each of the others adds to each aim. */
function writeSteps(member: usize, partners: usize, members: i32, aims: usize, lastAim: usize, steps: usize): void {
  const rowBytes = rowBytesOf(members);
  for (let other: usize = 0; other < <usize>members; other++) {
    const i = min(member, other), j = max(member, other);
    const a = <usize>load<i32>(partners + (i << 2)) << 3, b = <usize>load<i32>(partners + (j << 2)) << 3;
    let at = steps + i * rowBytes + (j << 3);
    for (let aim = aims; aim < lastAim; aim += 24, at += rowBytes * (rowBytes >> 3)) {
      const row = <usize>load<f64>(aim, 16) + i * rowBytes, next = row + (j - i) * rowBytes;
      const gained = load<f64>(row + b) - load<f64>(row + a) + load<f64>(next + a);
      store<f64>(at, gained - load<f64>(next + b));
    }
  }
}
