const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const wrap = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint) => wrap((value << by) | (value >> (64n - by)));
const round = (sum: bigint, word: bigint) => wrap(rotate(wrap(sum + word * P2), 31n) * P1);
const merge = (hash: bigint, sum: bigint) => wrap((hash ^ round(0n, sum)) * P1 + P4);

/**
 * The hash xxHash64 of `bytes` with seed 0 (xxhash_spec.md of Cyan4973/xxHash), which Zstandard uses as its checksum. */
export function xxhash64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash = P5;
  if (bytes.length >= 32) {
    const sums = [wrap(P1 + P2), P2, 0n, wrap(-P1)];
    for (; at <= bytes.length - 32; at += 32) {
      for (let i = 0; i < 4; i++) sums[i] = round(sums[i], view.getBigUint64(at + 8 * i, true));
    }
    hash = wrap(rotate(sums[0], 1n) + rotate(sums[1], 7n) + rotate(sums[2], 12n) + rotate(sums[3], 18n));
    for (const sum of sums) hash = merge(hash, sum);
  }
  hash = wrap(hash + BigInt(bytes.length));
  for (; at <= bytes.length - 8; at += 8) {
    hash = wrap(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4);
  }
  for (; at <= bytes.length - 4; at += 4) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3);
  }
  for (; at < bytes.length; at++) hash = wrap(rotate(hash ^ wrap(BigInt(bytes[at]) * P5), 11n) * P1);
  hash = wrap((hash ^ (hash >> 33n)) * P2);
  hash = wrap((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}
