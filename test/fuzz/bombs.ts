import { constants, deflateRawSync } from 'node:zlib';
import { joined } from './mutate-bytes.js';

/** Bytes that a bomb decompresses to, at most: one that goes off takes more memory than a case may. */
const BYTES = 1 << 30;
const MEGABYTE = 1 << 20;

const cache = new Map<string, Uint8Array>();

export type BombCodec = 'gzip' | 'zlib' | 'zstd' | 'lz4-block' | 'lz4-frame' | 'snappy' | 'lz4-numcodecs';

/** Compressed zeros, of a gigabyte where the codec can make that short. */
export function bomb(codec: BombCodec): Uint8Array {
  const made = cache.get(codec) ?? MAKERS[codec]();
  cache.set(codec, made);
  return made;
}

const MAKERS: Readonly<Record<BombCodec, () => Uint8Array>> = {
  gzip: () => joined(Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3), deflated(), new Uint8Array(8)),
  zlib: () => joined(Uint8Array.of(0x78, 0x01), deflated(), new Uint8Array(4)),
  zstd: () => {
    // Window of 1 MB, no size, no checksum; then blocks of a repeated zero, each of 128 KB.
    const run = 131_072;
    const block = (isLast: boolean) => {
      const head = (run << 3) | 2 | (isLast ? 1 : 0);
      return Uint8Array.of(head & 255, (head >> 8) & 255, head >> 16, 0);
    };
    const blocks = repeated(block(false), BYTES / run - 1);
    return joined(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x50), blocks, block(true));
  },
  'lz4-block': () => lz4Zeros(BYTES / 4),
  'lz4-numcodecs': () => joined(integer(BYTES / 4), lz4Zeros(BYTES / 4)),
  'lz4-frame': () => {
    const block = lz4Zeros(4 * MEGABYTE);
    const blocks = repeated(joined(integer(block.length), block), BYTES / (4 * MEGABYTE));
    return joined(Uint8Array.of(0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73), blocks, new Uint8Array(4));
  },
  // Says that it has 4 GB, and has one byte.
  snappy: () => Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0),
};

function deflated(): Uint8Array {
  const part = deflateRawSync(new Uint8Array(MEGABYTE), { finishFlush: constants.Z_FULL_FLUSH });
  return joined(repeated(part, BYTES / MEGABYTE), Uint8Array.of(3, 0));
}

/** An LZ4 block of `count` zeros or some more: a literal, then one long match with the byte before it. */
function lz4Zeros(count: number): Uint8Array {
  const length = new Uint8Array(Math.ceil(count / 255)).fill(255);
  const end = Uint8Array.of(0, 0x50, 0, 0, 0, 0, 0);
  return joined(Uint8Array.of(0x1f, 0, 1, 0), length, end);
}

function integer(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function repeated(part: Uint8Array, times: number): Uint8Array {
  const all = new Uint8Array(part.length * times);
  for (let i = 0; i < times; i++) all.set(part, i * part.length);
  return all;
}
