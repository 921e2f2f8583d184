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
 * Undoes `shuffle`, into other bytes of the same length, which begin their buffer. Bytes after the last whole element
 * stay where they are.
 */
export function unshuffle(bytes: Uint8Array, elementBytes: number, plain = new Uint8Array(bytes.length)): Uint8Array {
  const count = Math.floor(bytes.length / elementBytes);
  if (elementBytes === 1 || count <= 1) return bytes;
  if (elementBytes === 2) {
    const words = new Uint16Array(plain.buffer, 0, count);
    for (let i = 0, b = count; i < count; i++, b++) words[i] = bytes[i] | (bytes[b] << 8);
  } else if (elementBytes === 4) {
    const words = new Uint32Array(plain.buffer, 0, count);
    for (let i = 0, b = count, c = 2 * count, d = 3 * count; i < count; i++, b++, c++, d++) {
      words[i] = bytes[i] | (bytes[b] << 8) | (bytes[c] << 16) | (bytes[d] << 24);
    }
  } else {
    for (let part = 0; part < elementBytes; part++) {
      const from = part * count;
      for (let i = 0, to = part; i < count; i++, to += elementBytes) plain[to] = bytes[from + i];
    }
  }
  const shuffled = count * elementBytes;
  if (shuffled < bytes.length) plain.set(bytes.subarray(shuffled), shuffled);
  return plain;
}
