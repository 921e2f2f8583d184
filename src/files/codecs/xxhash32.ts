const PRIME = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];
const LANES = 4;
const STRIPE_BYTES = 16;

/** The 32-bit xxHash of bytes, with the seed 0 (xxhash_spec.md), from 0 to 2 ** 32 - 1. */
export function xxhash32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash = PRIME[4];
  if (bytes.length >= STRIPE_BYTES) {
    const lanes = Int32Array.of(PRIME[0] + PRIME[1], PRIME[1], 0, -PRIME[0]);
    for (const end = bytes.length - STRIPE_BYTES; at <= end; at += STRIPE_BYTES) {
      for (let lane = 0; lane < LANES; lane++) {
        const word = view.getUint32(at + 4 * lane, true);
        lanes[lane] = Math.imul(rotated(lanes[lane] + Math.imul(word, PRIME[1]), 13), PRIME[0]);
      }
    }
    hash = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
  }
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(rotated(hash + Math.imul(view.getUint32(at, true), PRIME[2]), 17), PRIME[3]);
  }
  for (; at < bytes.length; at++) hash = Math.imul(rotated(hash + Math.imul(bytes[at], PRIME[4]), 11), PRIME[0]);
  hash = Math.imul(hash ^ (hash >>> 15), PRIME[1]);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME[2]);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
