// Pairing of members as fields: what the members of two horizons have in common at some cells around a seam.
//
//   later      f64 x columns x days x members: anomalies of the later horizon from its first day that is met
//   weights    f64 x columns, then pairs: f64 x { address of the first earlier member's anomalies on a day, offset of the later day, weight }
//   out        f64 x later members for each earlier one, filled up to a multiple of eight
//
// Sums are made in the order of their twin in `test/reference/`: a pairing must not depend on rounding where members tie.

/** Writes products of earlier and later members, summed over weighted columns and pairs of days. */
export function memberProducts(
  members: i32, earlierBytes: usize, laterBytes: usize, later: usize, bytes: usize, weights: usize, pairs: usize,
  pairsEnd: usize, scratch: usize, out: usize,
): void {
  const rowBytes = <usize>((members + 7) & ~7) << 3;
  // The later members side by side.
  const beside = scratch + bytes;
  for (let at: usize = 0, to = beside; at < bytes; at += 8, to += rowBytes) {
    let from = later + at;
    for (let m: usize = 0; m < <usize>members; m++, from += laterBytes) store<f64>(to + (m << 3), load<f64>(from));
  }
  // The sums of an earlier member's days for each later day, then of eight later members at a time.
  for (let earlier: usize = 0; members > 0; members--, earlier += earlierBytes) {
    memory.fill(scratch, 0, bytes);
    for (let pair = pairs; pair < pairsEnd; pair += 24) {
      let from = <usize>load<f64>(pair) + earlier, to = scratch + <usize>load<f64>(pair, 8);
      for (let weight = weights; weight < pairs; weight += 8, from += 8, to += 8) {
        store<f64>(to, load<f64>(to) + load<f64>(pair, 16) * load<f64>(weight) * load<f64>(from));
      }
    }
    for (let column = beside; column < beside + rowBytes; column += 64, out += 64) {
      let a = f64x2.splat(0), b = a, c = a, d = a;
      let theirs = column;
      for (let at = scratch; at < beside; at += 8, theirs += rowBytes) {
        const ours = v128.load64_splat(at);
        a = f64x2.add(a, f64x2.mul(ours, v128.load(theirs)));
        b = f64x2.add(b, f64x2.mul(ours, v128.load(theirs, 16)));
        c = f64x2.add(c, f64x2.mul(ours, v128.load(theirs, 32)));
        d = f64x2.add(d, f64x2.mul(ours, v128.load(theirs, 48)));
      }
      v128.store(out, a);
      v128.store(out, b, 16);
      v128.store(out, c, 32);
      v128.store(out, d, 48);
    }
  }
}
