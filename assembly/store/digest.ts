/*
 * A digest of a block of bytes, to find damage: the round of XXH32 over sixteen lanes of 32 bits in place of four.
 *
 *   bytes    | stripe 0: 16 words | stripe 1: 16 words | ...
 *   lane l     takes word l of each stripe:  lane = rotate(lane + word * PRIME_2, 13) * PRIME_1
 *   lanes 0-3  take lanes 4-7, 8-11, 12-15:  the same
 *   digest     takes lanes 0, 1, 2, 3:       the same
 *
 * Each step maps different words to different lanes, so a damaged word always changes the digest, and so does any damage
 * within one lane that its later words do not undo.
 */

const PRIME_1: i32 = 0x9e3779b1;
const PRIME_2: i32 = 0x85ebca77;

// @ts-ignore: decorator
@inline
function round(lanes: v128, words: v128): v128 {
  const sum = i32x4.add(lanes, i32x4.mul(words, i32x4.splat(PRIME_2)));
  return i32x4.mul(v128.or(i32x4.shl(sum, 13), i32x4.shr_u(sum, 19)), i32x4.splat(PRIME_1));
}

/** The digest of `bytes` bytes, a multiple of 64; other seeds give other digests. */
export function digestBytes(address: usize, bytes: usize, seed: i32): i32 {
  const first = i32x4.splat(seed);
  let a = i32x4.add(first, i32x4(0, 1, 2, 3));
  let b = i32x4.add(first, i32x4(4, 5, 6, 7));
  let c = i32x4.add(first, i32x4(8, 9, 10, 11));
  let d = i32x4.add(first, i32x4(12, 13, 14, 15));
  const end = address + bytes;
  for (; address < end; address += 64) {
    a = round(a, v128.load(address));
    b = round(b, v128.load(address, 16));
    c = round(c, v128.load(address, 32));
    d = round(d, v128.load(address, 48));
  }
  let lanes = b;
  for (let i = 0; i < 3; i++) {
    a = round(a, lanes);
    lanes = i == 0 ? c : d;
  }
  let digest = seed;
  for (let i = 0; i < 4; i++) {
    digest = rotl<i32>(digest + i32x4.extract_lane(a, 0) * PRIME_2, 13) * PRIME_1;
    // The next lane becomes the first.
    a = v128.shuffle<i32>(a, a, 1, 2, 3, 0);
  }
  return digest;
}
