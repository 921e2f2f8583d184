/** HDF5's shuffle: the first bytes of all elements, then the second ones, and so on, which makes numbers easier to deflate. */
export function shuffle(bytes: Uint8Array, elementBytes: number): Uint8Array {
  if (elementBytes === 1) return bytes;
  const count = bytes.length / elementBytes;
  const shuffled = new Uint8Array(bytes.length);
  for (let part = 0; part < elementBytes; part++) {
    const to = part * count;
    for (let i = 0, from = part; i < count; i++, from += elementBytes) shuffled[to + i] = bytes[from];
  }
  return shuffled;
}
