import { copyLiteral, copyMatch } from './copy-bytes.js';

/** The length of the shortest match; the stored length does not count it. */
const MIN_MATCH = 4;

/**
 * Decompresses a block of LZ4 (lz4_Block_format.md) into `size` bytes. Throws a RangeError if it has more or fewer,
 * ends early, or copies from before its beginning.
 */
export function decompressLz4Block(block: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(size);
  const written = decodeLz4Block(block, output, 0, 0);
  if (written !== size) throw new RangeError(`an LZ4 block that ends after ${written} of ${size} bytes`);
  return output;
}

/**
 * Decompresses a block of LZ4 into `output` from `start` on, and returns its end there; matches begin at `first` or
 * later. Throws a RangeError if it has more bytes than `output`, ends early, or copies from before `first`.
 */
export function decodeLz4Block(block: Uint8Array, output: Uint8Array, start: number, first: number): number {
  const size = output.length;
  let at = 0;
  let written = start;
  const longLength = (nibble: number) => {
    let length = nibble;
    if (nibble === 15) {
      let byte: number;
      do {
        byte = block[at++];
        length += byte;
      } while (byte === 255);
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++];
    const literals = longLength(token >> 4);
    // What is read beyond the end is NaN here.
    if (!(literals <= block.length - at && literals <= size - written)) throw new RangeError('an LZ4 literal too long');
    copyLiteral(block, at, output, written, literals);
    at += literals;
    written += literals;
    if (at === block.length) break;
    const offset = block[at] | (block[at + 1] << 8);
    at += 2;
    const length = longLength(token & 15) + MIN_MATCH;
    if (!(at <= block.length && offset > 0 && offset <= written - first && length <= size - written)) {
      throw new RangeError('an LZ4 match out of bounds');
    }
    copyMatch(output, written, offset, length);
    written += length;
  }
  return written;
}

/** The number of bytes that a block of LZ4 becomes, from its lengths alone. Throws a RangeError if it ends early. */
export function lz4BlockSize(block: Uint8Array): number {
  let at = 0;
  let size = 0;
  const longLength = (nibble: number) => {
    let length = nibble;
    for (let byte = 255; nibble === 15 && byte === 255; length += byte) byte = block[at++];
    return length;
  };
  while (at < block.length) {
    const token = block[at++];
    const literals = longLength(token >> 4);
    at += literals;
    size += literals;
    if (at === block.length) break;
    at += 2;
    size += longLength(token & 15) + MIN_MATCH;
    // What is read beyond the end is NaN here.
    if (!(at <= block.length)) throw new RangeError('an LZ4 block that ends early');
  }
  return size;
}

const HADOOP_HEADER = 8;

/**
 * Decompresses what Parquet calls LZ4: blocks that each follow their two lengths, as Hadoop writes them
 * (parquet-format, Compression.md), or a bare block, as some writers did. Throws a RangeError if it is neither, or does
 * not have `size` bytes.
 */
export function decompressHadoopLz4(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const blocks = hadoopBlocks(bytes, size);
  if (blocks === undefined) return decompressLz4Block(bytes, size);
  const output = new Uint8Array(size);
  let written = 0;
  for (const { block, decoded } of blocks) {
    output.set(decompressLz4Block(block, decoded), written);
    written += decoded;
  }
  return output;
}

/** The blocks as Hadoop writes them, if the lengths before them add up to both sizes; otherwise undefined. */
export function hadoopBlocks(bytes: Uint8Array, size: number): { block: Uint8Array; decoded: number }[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = [];
  let total = 0;
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < HADOOP_HEADER) return undefined;
    const decoded = view.getUint32(at);
    const stored = view.getUint32(at + 4);
    at += HADOOP_HEADER + stored;
    total += decoded;
    if (at > bytes.length || total > size || stored === 0) return undefined;
    blocks.push({ block: bytes.subarray(at - stored, at), decoded });
  }
  return total === size ? blocks : undefined;
}
