/**
 * HDF5's shuffle: the first bytes of all elements, then the second ones, and so on, which makes numbers easier to
 * deflate.
 */
export function shuffle(bytes: Uint8Array, elementBytes: number): Uint8Array {
  if (elementBytes === 1) return bytes;
  const count = bytes.length / elementBytes;
  const shuffled = new Uint8Array(bytes.length);
  if (elementBytes === 4 && bytes.byteOffset % 4 === 0) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, count);
    for (let i = 0, b = count, c = 2 * count, d = 3 * count; i < count; i++, b++, c++, d++) {
      const word = words[i];
      shuffled[i] = word;
      shuffled[b] = word >>> 8;
      shuffled[c] = word >>> 16;
      shuffled[d] = word >>> 24;
    }
    return shuffled;
  }
  for (let part = 0; part < elementBytes; part++) {
    const to = part * count;
    for (let i = 0, from = part; i < count; i++, from += elementBytes) shuffled[to + i] = bytes[from];
  }
  return shuffled;
}

/**
 * Undoes `shuffle`, into other bytes of the same length, unless there is nothing to undo. Bytes after the last whole
 * element stay where they are.
 */
export function unshuffle(
  bytes: Uint8Array,
  elementBytes: number,
  plain: Uint8Array = new Uint8Array(bytes.length),
): Uint8Array {
  const count = Math.floor(bytes.length / elementBytes);
  if (elementBytes === 1 || count <= 1) return bytes;
  const shuffled = count * elementBytes;
  const isAligned = plain.byteOffset % 4 === 0;
  const isInWords = isAligned && bytes.byteOffset % 4 === 0 && count % 4 === 0;
  if (isInWords && (elementBytes === 2 || elementBytes === 4)) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, shuffled / 4);
    const into = new Int32Array(plain.buffer, plain.byteOffset, shuffled / 4);
    if (elementBytes === 2) joinPairs(words, into);
    else joinFours(words, into);
  } else if (elementBytes === 4 && isAligned) {
    const words = new Uint32Array(plain.buffer, plain.byteOffset, count);
    for (let i = 0, b = count, c = 2 * count, d = 3 * count; i < count; i++, b++, c++, d++) {
      words[i] = bytes[i] | (bytes[b] << 8) | (bytes[c] << 16) | (bytes[d] << 24);
    }
  } else {
    for (let part = 0; part < elementBytes; part++) {
      const from = part * count;
      for (let i = 0, to = part; i < count; i++, to += elementBytes) plain[to] = bytes[from + i];
    }
  }
  if (shuffled < bytes.length) plain.set(bytes.subarray(shuffled), shuffled);
  return plain;
}

/** The first and the third byte of a word. */
const EVEN = 0x00ff00ff;

/** Joins the bytes of elements of 4 bytes, four elements at a time: half the time of one byte after the other. */
function joinFours(words: Int32Array, into: Int32Array): void {
  const count = words.length >> 2;
  for (let i = 0, j = count, k = 2 * count, n = 3 * count, to = 0; i < count; i++, j++, k++, n++, to += 4) {
    const [a, b, c, d] = [words[i], words[j], words[k], words[n]];
    // The low and the high half of elements 0 and 2, and of elements 1 and 3.
    const low02 = (a & EVEN) | ((b & EVEN) << 8);
    const low13 = ((a >>> 8) & EVEN) | (b & ~EVEN);
    const high02 = (c & EVEN) | ((d & EVEN) << 8);
    const high13 = ((c >>> 8) & EVEN) | (d & ~EVEN);
    into[to] = (low02 & 0xffff) | (high02 << 16);
    into[to + 1] = (low13 & 0xffff) | (high13 << 16);
    into[to + 2] = (low02 >>> 16) | (high02 & ~0xffff);
    into[to + 3] = (low13 >>> 16) | (high13 & ~0xffff);
  }
}

/** The same of elements of 2 bytes. */
function joinPairs(words: Int32Array, into: Int32Array): void {
  const count = words.length >> 1;
  for (let i = 0, j = count, to = 0; i < count; i++, j++, to += 2) {
    const [a, b] = [words[i], words[j]];
    const of02 = (a & EVEN) | ((b & EVEN) << 8);
    const of13 = ((a >>> 8) & EVEN) | (b & ~EVEN);
    into[to] = (of02 & 0xffff) | (of13 << 16);
    into[to + 1] = (of02 >>> 16) | (of13 & ~0xffff);
  }
}
