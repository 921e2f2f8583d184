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
}

/** The bytes of a section in a file. */
export function storedBytes(access: RandomAccess, { offset, length }: ByteRange): SectionBytes {
  return {
    length,
    async read(from, to) {
      const bytes = new Uint8Array(to - from);
      await access.read(offset + from, bytes);
      return bytes;
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
