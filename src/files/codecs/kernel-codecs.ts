import type { CompressionCodec } from 'hyparquet';
import type { TableKernels } from '../../core/table-kernels.js';
import { hadoopBlocks } from './lz4-decode.js';

/** Bytes that kernels may read behind what they are given, and write behind what they make. */
export const PADDING = 64;

/** Bytes in the memory of the kernels. */
export interface Range {
  readonly at: number;
  readonly end: number;
}

type Decompress = (tools: TableKernels, stored: Uint8Array, size: number) => Range | undefined;

const CODECS: Partial<Record<CompressionCodec, Decompress>> = {
  SNAPPY: (tools, stored, size) => {
    const block = storeBytes(tools, stored);
    const out = tools.memory.scratch(size + PADDING);
    return tools.kernels.decompressSnappy(block, stored.length, out, size) === 1 ? rangeOf(out, size) : undefined;
  },
  ZSTD: (tools, stored, size) => {
    const range = zstdByKernel(tools, stored, size);
    return range !== undefined && range.end - range.at === size ? range : undefined;
  },
  LZ4_RAW: (tools, stored, size) => lz4Blocks(tools, stored, [{ block: stored, decoded: size }], size),
  LZ4: (tools, stored, size) =>
    lz4Blocks(tools, stored, hadoopBlocks(stored, size) ?? [{ block: stored, decoded: size }], size),
};

/** Whether kernels decompress a codec. */
export function isKernelCodec(codec: CompressionCodec): boolean {
  return CODECS[codec] !== undefined;
}

/**
 * Decompresses bytes into exactly `size` bytes in the memory of the kernels. Undefined if they become more or fewer,
 * are corrupt, or are of a codec that kernels do not know.
 */
export function decompressByKernel(
  tools: TableKernels,
  codec: CompressionCodec,
  stored: Uint8Array,
  size: number,
): Range | undefined {
  return CODECS[codec]?.(tools, stored, size);
}

/**
 * Decompresses frames of Zstandard in the memory of the kernels. Undefined if they become more than `maxBytes` bytes,
 * are corrupt, need a dictionary, or have a wrong checksum.
 */
export function zstdByKernel(tools: TableKernels, stored: Uint8Array, maxBytes: number): Range | undefined {
  const { memory, kernels } = tools;
  const block = storeBytes(tools, stored);
  const scratch = memory.scratch(kernels.zstdScratch());
  const out = memory.scratch(maxBytes + PADDING);
  const written = kernels.decompressZstd(block, stored.length, out, maxBytes, scratch);
  return written < 0 ? undefined : rangeOf(out, written);
}

/** Copies bytes into the memory of the kernels. */
export function storeBytes({ memory }: TableKernels, bytes: Uint8Array): number {
  const at = memory.scratch(bytes.length + PADDING);
  memory.bytes(at, bytes.length).set(bytes);
  return at;
}

/** Decompresses blocks, which are views of what is stored, one after the other. */
function lz4Blocks(
  tools: TableKernels,
  stored: Uint8Array,
  blocks: readonly { block: Uint8Array; decoded: number }[],
  size: number,
): Range | undefined {
  const from = storeBytes(tools, stored) - stored.byteOffset;
  const out = tools.memory.scratch(size + PADDING);
  let to = out;
  for (const { block, decoded } of blocks) {
    if (tools.kernels.decompressLz4(from + block.byteOffset, block.length, to, decoded, 0) !== decoded)
      return undefined;
    to += decoded;
  }
  return rangeOf(out, size);
}

function rangeOf(at: number, size: number): Range {
  return { at, end: at + size };
}
