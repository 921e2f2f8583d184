const SEED = 0xdeadbeef;

/** The checksum of HDF5's metadata: Bob Jenkins' lookup3 (2006), `hashlittle` with an initial value of 0. */
export function checksum(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let a = (SEED + bytes.length) | 0;
  let b = a;
  let c = a;
  let at = 0;
  for (; bytes.length - at > 12; at += 12) {
    a = (a + view.getInt32(at, true)) | 0;
    b = (b + view.getInt32(at + 4, true)) | 0;
    c = (c + view.getInt32(at + 8, true)) | 0;
    a = ((a - c) ^ rotate(c, 4)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 6)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 8)) | 0;
    b = (b + a) | 0;
    a = ((a - c) ^ rotate(c, 16)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 19)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 4)) | 0;
    b = (b + a) | 0;
  }
  if (at === bytes.length) return c >>> 0;
  const last = new Uint8Array(12);
  last.set(bytes.subarray(at));
  const words = new DataView(last.buffer);
  a = (a + words.getInt32(0, true)) | 0;
  b = (b + words.getInt32(4, true)) | 0;
  c = (c + words.getInt32(8, true)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c >>> 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

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
