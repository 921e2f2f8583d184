// Simple packing (template 5.0): numbers of the same width, one after the other. `bits.ts` draws the stream.

import { numberAt } from './bits';
import { scaled, scaledPair } from './scale';

/** Writes the values of `count` numbers of 1 to 32 bits as float64. */
export function unpackSimple(
  stream: usize, count: i32, width: i32, reference: f64, binary: f64, decimal: f64, out: usize,
): void {
  const references = f64x2.splat(reference);
  const binaries = f64x2.splat(binary);
  const decimals = f64x2.splat(decimal);
  const bits = <u64>width;
  let at: u64 = 0;
  let to = out;
  const end = out + (<usize>(count & ~1) << 3);
  for (; to < end; to += 16) {
    const pair = i32x4.replace_lane(i32x4.splat(<i32>numberAt(stream, at, bits)), 1, <i32>numberAt(stream, at + bits, bits));
    v128.store(to, scaledPair(pair, references, binaries, decimals));
    at += bits << 1;
  }
  if (count & 1) store<f64>(to, scaled(<f64>numberAt(stream, at, bits), reference, binary, decimal));
}
