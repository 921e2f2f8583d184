import type { GribKernels } from '../../../core/grib-kernels.js';
import type { CoreMemory } from '../../../core/memory.js';

/** Zeros below the bytes, and bytes behind them that kernels may read. */
const MARGIN = 64;

/** Packed bytes in the memory of the kernels, which read them as a stream of bits: `assembly/grib/bits.ts`. */
export interface PackedBytes {
  readonly stream: number;
  readonly length: number;
}

/** Copies packed bytes into scratch of the kernels' memory. */
export function copyPacked({ memory, kernels }: GribKernels, bytes: Uint8Array): PackedBytes {
  const at = memory.scratch(bytes.length + 2 * MARGIN) + MARGIN;
  clear(memory, at - MARGIN);
  memory.bytes(at, bytes.length).set(bytes);
  kernels.reverseBytes(at, bytes.length);
  return { stream: at + bytes.length - 8, length: bytes.length };
}

function clear(memory: CoreMemory, at: number): void {
  memory.bytes(at, MARGIN).fill(0);
}
