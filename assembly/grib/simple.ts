// Simple packing (template 5.0): numbers of the same width, one after the other. `bits.ts` draws the stream.

import { bitsAt, numberAt } from './bits';
import { scaled, scaledPair } from './scale';

/** Numbers of 16 bits, eight at a time: a load has the last of them first. */
function unpackWords(stream: usize, count: i32, references: v128, binaries: v128, decimals: v128, out: usize): void {
  const zero = i32x4.splat(0);
  let from = stream - 8;
  for (let to = out; to < out + (<usize>count << 3); to += 64) {
    const words = v128.load(from);
    from -= 16;
    const first = v128.shuffle<i16>(words, zero, 7, 8, 6, 8, 5, 8, 4, 8);
    const second = v128.shuffle<i16>(words, zero, 3, 8, 2, 8, 1, 8, 0, 8);
    v128.store(to, scaledPair(first, references, binaries, decimals));
    v128.store(to, scaledPair(v128.shuffle<i64>(first, first, 1, 1), references, binaries, decimals), 16);
    v128.store(to, scaledPair(second, references, binaries, decimals), 32);
    v128.store(to, scaledPair(v128.shuffle<i64>(second, second, 1, 1), references, binaries, decimals), 48);
  }
}

/** Writes the values of `count` numbers of 1 to 32 bits as float64. */
export function unpackSimple(
  stream: usize, count: i32, width: i32, reference: f64, binary: f64, decimal: f64, out: usize,
): void {
  const references = f64x2.splat(reference);
  const binaries = f64x2.splat(binary);
  const decimals = f64x2.splat(decimal);
  const bits = <u64>width;
  let done = 0;
  if (width == 16) {
    done = count & ~7;
    unpackWords(stream, done, references, binaries, decimals, out);
  }
  let at = <u64>done * bits;
  let to = out + (<usize>done << 3);
  const end = out + (<usize>(count & ~1) << 3);
  if (width <= 28) {
    // Both are in the 57 bits of a load.
    const shift = 63 - bits;
    for (; to < end; to += 16) {
      const word = bitsAt(stream, at);
      const pair = i32x4.replace_lane(i32x4.splat(<i32>(word >> 1 >> shift)), 1, <i32>(word << bits >> 1 >> shift));
      v128.store(to, scaledPair(pair, references, binaries, decimals));
      at += bits << 1;
    }
  } else {
    for (; to < end; to += 16) {
      const pair = i32x4.replace_lane(i32x4.splat(<i32>numberAt(stream, at, bits)), 1, <i32>numberAt(stream, at + bits, bits));
      v128.store(to, scaledPair(pair, references, binaries, decimals));
      at += bits << 1;
    }
  }
  if (count & 1) store<f64>(to, scaled(<f64>numberAt(stream, at, bits), reference, binary, decimal));
}
