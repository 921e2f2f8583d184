/** What szip's filter says of its blocks: options, samples of a block, bits of a number, numbers of a line. */
type SzipParameters = readonly number[];

const LENGTH_BYTES = 4;
/** The option that samples are stored as differences: then each line begins with a sample as it is. */
const DIFFERENCES = 32;
/** A run of this many blocks of zeros stands for all up to the end of the line, or of a segment of 64 blocks. */
const REST_OF_SEGMENT = 5;
const SEGMENT = 64;

/**
 * Checks that bytes of szip become `expected` ones. They are the number of bytes that they become (4 bytes), and blocks
 * of samples by CCSDS 121.0, of which each begins with the number of its code. libaec, which decodes them, neither
 * reports a stream that ends early nor fills what is missing.
 *
 * Numbers of 32 and 64 bits are stored as their bytes, and lines as whole blocks. Throws RangeError.
 */
export function checkSzip(
  [options, blockSize, bits, lineLength]: SzipParameters,
  bytes: Uint8Array,
  expected: number,
): void {
  const length = bytes.length < LENGTH_BYTES ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (length !== expected) throw new RangeError(`it becomes ${length} bytes`);
  if (!(blockSize > 0 && blockSize <= 32 && blockSize % 2 === 0 && bits > 0 && bits <= 64 && lineLength > 0))
    throw new RangeError('parameters of szip that are not possible');
  const width = bits === 32 || bits === 64 ? 8 : bits;
  const samples = expected / (width > 16 ? 4 : width > 8 ? 2 : 1);
  const lineBlocks = Math.ceil(lineLength / blockSize);
  const isPadded = lineLength % blockSize !== 0;
  const blocks = isPadded ? Math.ceil(samples / lineLength) * lineBlocks : Math.ceil(samples / blockSize);
  const codeBits = width > 16 ? 5 : width > 8 ? 4 : 3;
  const stream = new BitCursor(bytes.subarray(LENGTH_BYTES));
  for (let block = 0; block < blocks; ) {
    const inLine = block % lineBlocks;
    const first = inLine === 0 && (options & DIFFERENCES) !== 0 ? 1 : 0;
    const code = stream.bits(codeBits);
    block++;
    if (code === 2 ** codeBits - 1) {
      stream.skip(blockSize * width);
    } else if (code > 0) {
      stream.skip(first * width);
      for (let sample = first; sample < blockSize; sample++) stream.zeros();
      stream.skip((blockSize - first) * (code - 1));
    } else if (stream.bits(1) === 1) {
      stream.skip(first * width);
      for (let pair = 0; pair < blockSize / 2; pair++) stream.zeros();
    } else {
      stream.skip(first * width);
      const run = stream.zeros() + 1;
      const rest = Math.min(lineBlocks - inLine, SEGMENT - (inLine % SEGMENT));
      block += (run === REST_OF_SEGMENT ? rest : run > REST_OF_SEGMENT ? run - 1 : run) - 1;
    }
  }
}

/** Reads bits from the highest one of each byte on. Throws RangeError at the end. */
class BitCursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next `count` bits, at most 8. */
  bits(count: number): number {
    const [byte, bit] = [this.#at >> 3, this.#at & 7];
    this.skip(count);
    const two = (this.#bytes[byte] << 8) | (this.#bytes[byte + 1] ?? 0);
    return (two >> (16 - bit - count)) & (2 ** count - 1);
  }

  skip(count: number): void {
    this.#at += count;
    if (this.#at > 8 * this.#bytes.length)
      throw new RangeError(`${this.#bytes.length + LENGTH_BYTES} bytes, which end early`);
  }

  /** The number of zeros before the next one, and skips both. */
  zeros(): number {
    const from = this.#at;
    let byte = from >> 3;
    let rest = (this.#bytes[byte] ?? 0) & (0xff >> (from & 7));
    while (rest === 0 && byte < this.#bytes.length) rest = this.#bytes[++byte] ?? 0;
    const zeros = 8 * byte + Math.clz32(rest) - 24 - from;
    this.skip(zeros + 1);
    return zeros;
  }
}
