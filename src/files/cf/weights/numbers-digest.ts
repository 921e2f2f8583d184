import { Digest } from '../../../check/digest.js';

/** A digest of texts and numbers. */
export class NumbersDigest extends Digest {
  /** Adds numbers as they are stored, and how many there are. */
  numbers({ buffer, byteOffset, byteLength, length }: Float64Array | Int32Array): this {
    for (const word of new Int32Array(buffer, byteOffset, byteLength / 4)) this.word(word);
    return this.word(length);
  }
}
