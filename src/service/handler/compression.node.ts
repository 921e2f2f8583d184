import { pipeline } from 'node:stream';
import zlib from 'node:zlib';
import { type CompressionOptions, type ContentCoding, checkMinBytes, type ResponseCompression } from './compression.js';

interface NodeCodec {
  readonly compress: (bytes: Uint8Array) => Uint8Array;
  readonly create: () => NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>;
}

/** The part of `node:zlib` that Node has from 22.15 and 23.8 on. */
interface ZstdOfNode {
  zstdCompressSync?(bytes: Uint8Array, options: ZstdOptions): Uint8Array;
  createZstdCompress?(options: ZstdOptions): ReturnType<NodeCodec['create']>;
  constants: { ZSTD_c_compressionLevel?: number };
}

interface ZstdOptions {
  readonly params: Readonly<Record<number, number>>;
}

/** The fastest level: for these answers the next ones take twice the time and save less than a tenth of the bytes. */
const LEVEL = 1;

const GZIP: NodeCodec = {
  compress: (bytes) => zlib.gzipSync(bytes, { level: LEVEL }),
  create: () => zlib.createGzip({ level: LEVEL }),
};

/**
 * Compresses by `node:zlib`, answers of some ten kilobytes at once, as that takes less time than a thread: gzip, and
 * zstd where Node has it (22.15, 23.8 and later). Throws OptionError where `minBytes` is not a size.
 */
export function nodeCompression(options?: CompressionOptions): ResponseCompression {
  const zstd = zstdCodec();
  const codec = (coding: ContentCoding) => (coding === 'zstd' ? (zstd ?? GZIP) : GZIP);
  return {
    codings: zstd === undefined ? ['gzip'] : ['zstd', 'gzip'],
    minBytes: checkMinBytes(options),
    compress: (coding, bytes) => codec(coding).compress(bytes),
    compressPieces: (coding, pieces) => {
      const stream = codec(coding).create();
      // An error of the pieces is that of the stream, and is thrown to its reader.
      pipeline(pieces, stream, () => {});
      return stream;
    },
  };
}

function zstdCodec(): NodeCodec | undefined {
  const { zstdCompressSync, createZstdCompress, constants } = zlib as unknown as ZstdOfNode;
  const { ZSTD_c_compressionLevel: level } = constants;
  if (zstdCompressSync === undefined || createZstdCompress === undefined || level === undefined) return undefined;
  const zstd = { params: { [level]: LEVEL } };
  return { compress: (bytes) => zstdCompressSync(bytes, zstd), create: () => createZstdCompress(zstd) };
}
