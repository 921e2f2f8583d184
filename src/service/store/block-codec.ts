import { FormatError } from '../../errors.js';
import type { Axis } from '../source/dataset.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** How the values of a variable at one place become the bytes of its block, and again values. */
export interface BlockCodec {
  /** What files of blocks state. */
  readonly name: string;
  /** The length of every block of values of these days and members; undefined where blocks differ in length. */
  blockBytes(axis: Axis): number | undefined;
  /** The bytes of `members * days` values: the days of the first member, then of the next. Valid until the next call. */
  encode(values: Float32Array<ArrayBuffer>, axis: Axis): Bytes;
  /** Fills `into` with the values of a block. Throws FormatError, with `file` as its subject, where the block is none. */
  decode(block: Bytes, axis: Axis, into: Float32Array<ArrayBuffer>, file: string): void;
}

/** The values as they are: float32, the least significant byte first. */
const raw: BlockCodec = {
  name: 'raw',
  blockBytes: ({ members, days }) => members * days * Float32Array.BYTES_PER_ELEMENT,
  encode: (values) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  decode(block, _, into, file) {
    if (block.byteLength !== into.byteLength) {
      const allowed = `${into.byteLength} bytes`;
      throw new FormatError({
        ...{ subject: file, problem: 'has a block of a wrong length', received: `${block.byteLength} bytes`, allowed },
      });
    }
    into.set(new Float32Array(block.buffer, block.byteOffset, into.length));
  },
};

/** All codecs; new files have the first one. */
export const BLOCK_CODECS: readonly BlockCodec[] = /* @__PURE__ */ Object.freeze([raw]);
