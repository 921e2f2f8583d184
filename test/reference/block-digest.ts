const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;

function round(sum: number, word: number): number {
  const added = (sum + Math.imul(word, PRIME_2)) | 0;
  return Math.imul((added << 13) | (added >>> 19), PRIME_1);
}

/** The slow twin of `digestBytes`: sixteen lanes, each of every sixteenth word, then four of these, and then one. */
export function digestBytes(bytes: Uint8Array, seed: number): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lanes = Array.from({ length: 16 }, (_, lane) => (seed + lane) | 0);
  for (let at = 0; at < bytes.length; at += 4) {
    const lane = (at / 4) % 16;
    lanes[lane] = round(lanes[lane], words.getInt32(at, true));
  }
  for (let lane = 4; lane < 16; lane++) lanes[lane % 4] = round(lanes[lane % 4], lanes[lane]);
  return lanes.slice(0, 4).reduce(round, seed | 0);
}
