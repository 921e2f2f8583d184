/** The sums of this many words do not overflow 32 bits. */
const WORDS = 360;

/**
 * The Fletcher checksum of bytes as HDF5's filter `fletcher32` computes it: of words of 16 bits, the high byte first.
 */
export function fletcher32(bytes: Uint8Array): number {
  const words = bytes.length >> 1;
  let [one, two] = [0, 0];
  for (let word = 0; word < words; ) {
    for (const end = Math.min(words, word + WORDS); word < end; word++) {
      one += (bytes[2 * word] << 8) | bytes[2 * word + 1];
      two += one;
    }
    one = folded(one);
    two = folded(two);
  }
  if (bytes.length % 2 === 1) {
    one = folded(one + (bytes[bytes.length - 1] << 8));
    two = folded(two + one);
  }
  return ((folded(two) << 16) | folded(one)) >>> 0;
}

function folded(sum: number): number {
  return (sum & 0xffff) + (sum >>> 16);
}
