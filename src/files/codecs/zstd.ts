import { giveTableKernels, takeTableKernels } from '../../core/table-kernels.js';
import { zstdByKernel } from './kernel-codecs.js';
import { zstdSizes } from './zstd-frame.js';

/**
 * Decompresses frames of Zstandard (RFC 8878) by kernels. Throws RangeError where they become more than `maxBytes`
 * bytes, are cut or corrupt, need a dictionary, or have a wrong checksum; CoreError where the runtime has no WebAssembly
 * SIMD. No more memory is taken than the blocks of the frames can need.
 */
export async function decompressZstd(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const { stated, unstated } = zstdSizes(bytes);
  if (stated > maxBytes) throw new RangeError(`it becomes ${stated} bytes, more than the ${maxBytes} that it can have`);
  const tools = await takeTableKernels();
  try {
    const range = zstdByKernel(tools, bytes, Math.min(maxBytes, stated + unstated));
    if (range !== undefined) return tools.memory.bytes(range.at, range.end - range.at).slice();
  } finally {
    giveTableKernels(tools);
  }
  throw new RangeError(`Zstandard frames are corrupt, need a dictionary, or become more than ${maxBytes} bytes`);
}
