// xxHash64 with seed 0 (xxhash_spec.md of Cyan4973/xxHash), the checksum of Zstandard.

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;
const P3: u64 = 0x165667b19e3779f9;
const P4: u64 = 0x85ebca77c2b2ae63;
const P5: u64 = 0x27d4eb2f165667c5;

@inline function round(sum: u64, word: u64): u64 {
  return rotl(sum + word * P2, 31) * P1;
}

@inline function merge(hash: u64, sum: u64): u64 {
  return (hash ^ round(0, sum)) * P1 + P4;
}

/** The hash of bytes. */
export function xxhash64(bytes: usize, length: u32): u64 {
  const end = bytes + <usize>length;
  let at = bytes;
  let hash = P5;
  if (length >= 32) {
    let a = P1 + P2;
    let b = P2;
    let c: u64 = 0;
    let d: u64 = 0 - P1;
    for (; end - at >= 32; at += 32) {
      a = round(a, load<u64>(at));
      b = round(b, load<u64>(at, 8));
      c = round(c, load<u64>(at, 16));
      d = round(d, load<u64>(at, 24));
    }
    hash = rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18);
    hash = merge(merge(merge(merge(hash, a), b), c), d);
  }
  hash += <u64>length;
  for (; end - at >= 8; at += 8) hash = rotl(hash ^ round(0, load<u64>(at)), 27) * P1 + P4;
  if (end - at >= 4) {
    hash = rotl(hash ^ (<u64>load<u32>(at) * P1), 23) * P2 + P3;
    at += 4;
  }
  for (; at < end; at++) hash = rotl(hash ^ (<u64>load<u8>(at) * P5), 11) * P1;
  hash = (hash ^ (hash >> 33)) * P2;
  hash = (hash ^ (hash >> 29)) * P3;
  return hash ^ (hash >> 32);
}
