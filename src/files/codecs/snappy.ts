import { copyLiteral, copyMatch } from './copy-bytes.js';

/**
 * Decompresses a block of Snappy (format_description.txt of google/snappy) into `size` bytes. Throws a RangeError if it
 * has another length, ends early, or copies from before its beginning.
 */
export function decompressSnappy(block: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(size);
  let at = 0;
  let declared = 0;
  for (let shift = 0, byte = 128; byte > 127; shift += 7) {
    byte = block[at++];
    if (byte === undefined || shift > 28) throw new RangeError('a Snappy block without its length');
    declared += (byte & 127) * 2 ** shift;
  }
  if (declared !== size) throw new RangeError(`a Snappy block of ${declared} bytes where ${size} are expected`);
  let written = 0;
  while (at < block.length) {
    const tag = block[at++];
    const kind = tag & 3;
    let length = (tag >> 2) + 1;
    // Bytes beyond the end count as 0 in these sums.
    if (kind === 0) {
      const extra = length - 60;
      if (extra > 0) {
        length = 0;
        for (let i = 0; i < extra; i++) length |= block[at + i] << (8 * i);
        length = (length >>> 0) + 1;
        at += extra;
      }
      if (length > block.length - at || length > size - written) throw new RangeError('a Snappy literal too long');
      copyLiteral(block, at, output, written, length);
      at += length;
    } else {
      let offset = block[at] | 0;
      if (kind === 1) {
        length = ((tag >> 2) & 7) + 4;
        offset |= (tag >> 5) << 8;
        at++;
      } else {
        offset |= block[at + 1] << 8;
        at += 2;
        if (kind === 3) {
          offset |= (block[at] << 16) | (block[at + 1] << 24);
          at += 2;
        }
      }
      if (at > block.length || offset <= 0 || offset > written || length > size - written) {
        throw new RangeError('a Snappy copy out of bounds');
      }
      copyMatch(output, written, offset, length);
    }
    written += length;
  }
  if (written !== size) throw new RangeError(`a Snappy block that ends after ${written} of ${size} bytes`);
  return output;
}
