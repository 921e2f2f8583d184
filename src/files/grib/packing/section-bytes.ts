import type { GribKernels } from '../../../core/grib-kernels.js';
import type { RandomAccess } from '../../array/random-access.js';
import type { ByteRange } from '../messages.js';

/** Zeros below the bytes, and bytes behind them that kernels may read. */
const MARGIN = 64;

/** Bytes of a section that are read where they are needed. */
export interface SectionBytes {
  readonly length: number;
  /** The bytes from `from` up to, not including, `to`. Throws as `RandomAccess.read` does. */
  readonly read: (from: number, to: number) => Promise<Uint8Array>;
  /** Takes back what `read` returned and nothing uses any more: a later read has its memory. */
  readonly reuse?: (bytes: Uint8Array) => void;
}

/** Memory for sections that are read: without it thousands of them would wait for the garbage collector. */
const spare: ArrayBuffer[] = [];
const MAX_SPARE = 4;
const MAX_SPARE_BYTES = 4_194_304;

/** The bytes of a section in a file. */
export function storedBytes(access: RandomAccess, { offset, length }: ByteRange): SectionBytes {
  return {
    length,
    async read(from, to) {
      const size = to - from;
      const buffer = spare.pop();
      const bytes =
        buffer !== undefined && buffer.byteLength >= size ? new Uint8Array(buffer, 0, size) : new Uint8Array(size);
      await access.read(offset + from, bytes);
      return bytes;
    },
    reuse({ buffer }) {
      if (spare.length < MAX_SPARE && buffer.byteLength <= MAX_SPARE_BYTES) spare.push(buffer as ArrayBuffer);
    },
  };
}

/** Bytes that have been read. */
export function bytesInMemory(bytes: Uint8Array): SectionBytes {
  return { length: bytes.length, read: async (from, to) => bytes.subarray(from, to) };
}

/** All bytes but the first ones, which are `head`. */
export function bytesBehind({ length, read }: SectionBytes, head: number): SectionBytes {
  return { length: Math.max(0, length - head), read: (from, to) => read(head + from, head + to) };
}

/** Packed bytes in the memory of the kernels, which read them as a stream of bits: `assembly/grib/bits.ts`. */
export interface PackedBytes {
  readonly stream: number;
  readonly length: number;
}

/** Copies packed bytes into scratch of the kernels' memory. */
export function copyPacked({ memory, kernels }: GribKernels, bytes: Uint8Array): PackedBytes {
  const at = memory.scratch(bytes.length + 2 * MARGIN) + MARGIN;
  memory.bytes(at - MARGIN, MARGIN).fill(0);
  memory.bytes(at, bytes.length).set(bytes);
  kernels.reverseBytes(at, bytes.length);
  return { stream: at + bytes.length - 8, length: bytes.length };
}
