import { halfFloat } from '../../table/arrow/stored-values.js';

/** The numbers of all floats of 16 bits (IEEE 754, binary16), by their bits. */
let known: Float32Array | undefined;

/** Floats of 16 bits, the lowest byte of each first, as floats of 32 bits. */
export function floatsOfHalves(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  known ??= Float32Array.from({ length: 65_536 }, (_, bits) => halfFloat(bits));
  const floats = new Float32Array(bytes.length >> 1);
  for (let i = 0; i < floats.length; i++) floats[i] = known[bytes[2 * i] | (bytes[2 * i + 1] << 8)];
  return floats;
}
