import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { decompress } from 'fzstd';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTableKernels, type TableKernels } from '../../../src/core/table-kernels.js';
import { decompressByKernel } from '../../../src/files/codecs/kernel-codecs.js';
import { loadEncoder } from '../../../src/files/codecs/load-encoder.js';
import { lz4Block } from '../../../src/files/codecs/lz4-block.js';
import { decompressHadoopLz4, decompressLz4Block } from '../../../src/files/codecs/lz4-decode.js';
import { hasPython, python } from '../../reference/foreign-programs.js';

const SEED = 20_261_124;
/** Decoders without kernels. */
const CODECS = { LZ4_RAW: decompressLz4Block, LZ4: decompressHadoopLz4 };
type Codec = keyof typeof CODECS | 'ZSTD';

const encodeZstd = await loadEncoder('zstd', 'test');
const tools = await loadTableKernels();

/** The bytes by a kernel; fails if it writes beyond the padding behind its memory. */
function byKernel(codec: Codec, stored: Uint8Array, size: number): Uint8Array | undefined {
  const { memory } = tools as TableKernels;
  const mark = memory.mark();
  const around = memory.scratch(stored.length + size + 1_000_000);
  memory.bytes(around, stored.length + size + 1_000_000).fill(0xaa);
  memory.release(mark);
  const found = decompressByKernel(tools, codec, stored, size);
  expect(memory.bytes(memory.mark(), 4_096).every((byte) => byte === 0xaa)).toBe(true);
  memory.release(mark);
  return found && memory.bytes(found.at, found.end - found.at).slice();
}

function withoutKernels(codec: Codec, stored: Uint8Array, size: number): Uint8Array | undefined {
  try {
    return codec === 'ZSTD' ? decompress(stored) : CODECS[codec](stored, size);
  } catch {
    return undefined;
  }
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;

/** Bytes as tables have them: texts, numbers in steps, repeated and random ones. */
const contents = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.nat(255), fc.nat(6_000)).map(([byte, count]) => new Uint8Array(count).fill(byte)),
      fc
        .tuple(fc.integer({ min: 1, max: 40 }), fc.nat(3_000))
        .map(([period, count]) => Uint8Array.from({ length: count }, (_, i) => ((i % period) * 37) & 255)),
      fc
        .nat(3_000)
        .map((count) => new Uint8Array(Float32Array.from({ length: count }, (_, i) => (i * i) % 977).buffer)),
      fc
        .nat(400)
        .map((count) => new TextEncoder().encode(Array.from({ length: count }, (_, i) => `member ${i % 31}`).join())),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

/** Two blocks, each after its lengths. */
function hadoopLz4(bytes: Uint8Array): Uint8Array {
  const half = bytes.length >> 1;
  return Uint8Array.from(
    [bytes.subarray(0, half), bytes.subarray(half)].flatMap((part) => {
      const block = lz4Block(part);
      const lengths = new DataView(new ArrayBuffer(8));
      lengths.setUint32(0, part.length);
      lengths.setUint32(4, block.length);
      return [...new Uint8Array(lengths.buffer), ...block];
    }),
  );
}

const ENCODERS: [Codec, (bytes: Uint8Array) => Uint8Array][] = [
  ['ZSTD', (bytes) => encodeZstd(bytes)],
  ['LZ4_RAW', lz4Block],
  ['LZ4', lz4Block],
  ['LZ4', hadoopLz4],
];

describe.each(ENCODERS)('kernels of %s', (codec, encode) => {
  test('give the bytes that were compressed', () => {
    fc.assert(
      fc.property(contents, (bytes) => {
        expect(isSame(byKernel(codec, encode(bytes), bytes.length), bytes)).toBe(true);
      }),
      { numRuns: isFullCheck ? 60 : 20, seed: SEED },
    );
  });

  test('give what is given without them, or nothing of damaged Zstandard, whatever is changed', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    let valid = 0;
    fc.assert(
      fc.property(contents, changes, (bytes, mutations) => {
        const stored = encode(bytes).slice();
        for (const [at, value] of mutations) stored[at % stored.length] = value;
        const found = byKernel(codec, stored, bytes.length);
        if (found !== undefined) valid++;
        // fzstd overlooks most damage.
        else if (codec === 'ZSTD') return;
        expect(isSame(found, withoutKernels(codec, stored, bytes.length))).toBe(true);
      }),
      { numRuns: isFullCheck ? 120 : 40, seed: SEED },
    );
    expect(valid).toBeGreaterThan(3);
  });

  test('give nothing of bytes that are cut, or become more or fewer', () => {
    const bytes = new TextEncoder().encode(Array.from({ length: 200 }, (_, i) => `rain ${(i * i) % 91}`).join());
    const stored = encode(bytes);
    for (let length = 0; length < stored.length; length++) {
      expect(isSame(byKernel(codec, stored.subarray(0, length), bytes.length), undefined)).toBe(true);
    }
    expect(byKernel(codec, stored, bytes.length - 1)).toBeUndefined();
    expect(byKernel(codec, stored, bytes.length + 1)).toBeUndefined();
  });
});

/**
 * Frames of all kinds of bytes and lengths, one after the other: u32 lengths of the bytes and of the frame, then both.
 */
const WRITE = `
import sys, random, struct, zlib, zstandard, lz4.block
r = random.Random(3)
floats = lambda n: b''.join(struct.pack('<f', round(r.gammavariate(1, 3), 1)) for _ in range(n // 4 + 1))[:n]
kinds = [
    lambda n: r.randbytes(n),
    lambda n: b' '.join(b'member %d of %s' % (i * 7919 % 977, (b'rain', b'snow', b'wind')[i % 3]) for i in range(n // 12 + 2))[:n],
    floats,
    lambda n: bytes(n),
    lambda n: (r.randbytes(3000) * (n // 3000 + 1))[:n],
    lambda n: b''.join(bytes([r.randrange(5)]) * r.randrange(1, 9) for _ in range(n // 3 + 1))[:n],
]
def write(path, frames):
    with open(path, 'wb') as out:
        for data, frame in frames: out.write(struct.pack('<II', len(data), len(frame)) + data + frame)
def zstd():
    for kind in kinds:
        for n in (0, 1, 100, 65536, 1 << 20):
            data = kind(n)
            for level in (1, 3, 9, 19, 22) if n < 1 << 20 else (1, 3):
                for checked, sized in ((False, True), (True, True), (True, False)):
                    yield data, zstandard.ZstdCompressor(level=level, write_checksum=checked, write_content_size=sized).compress(data)
    data = kinds[1](50000)
    skipped = struct.pack('<II', 0x184D2A53, 5) + b'12345'
    one = zstandard.ZstdCompressor(level=3).compress
    yield data * 2 + b'rain', skipped + one(data) + one(data) + skipped + one(b'rain') + struct.pack('<II', 0x184D2A50, 0)
    stream = zstandard.ZstdCompressor(level=5).compressobj()
    parts = [kinds[i % 6](i * 997) for i in range(12)]
    pieces = [stream.compress(p) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) for p in parts] + [stream.flush()]
    yield b''.join(parts), b''.join(pieces)
def blocks():
    for kind in kinds:
        for n in (0, 1, 100, 65536, 1 << 20):
            data = kind(n)
            for how in ({}, {'mode': 'high_compression', 'compression': 12}):
                yield data, lz4.block.compress(data, store_size=False, **how)
def damaged():
    for kind in kinds:
        for n in (1, 100, 5000):
            data = kind(n)
            for level, checked in ((1, False), (3, True), (9, False), (19, False)):
                frame = zstandard.ZstdCompressor(level=level, write_checksum=checked).compress(data)
                for _ in range(25):
                    changed = bytearray(frame)
                    for _ in range(r.randrange(1, 4)): changed[r.randrange(len(frame))] = r.randrange(256)
                    try:
                        fits = zstandard.frame_content_size(bytes(changed)) in (-1, n)
                        found = fits and zstandard.ZstdDecompressor().decompress(bytes(changed), max_output_size=n, allow_extra_data=False)
                    except zstandard.ZstdError: found = b''
                    is_valid = found is not False and len(found) == n
                    yield (found if is_valid else data) + bytes([is_valid]), bytes(changed)
write(sys.argv[1] + '/ZSTD', zstd())
write(sys.argv[1] + '/damaged', damaged())
write(sys.argv[1] + '/LZ4_RAW', blocks())
`;

import { isFullCheck } from '../../full-check.js';

const isThere = hasPython('zstandard', 'lz4.block');
const folder = mkdtempSync(join(tmpdir(), 'plumecast-codecs-'));
beforeAll(() => {
  if (isThere) python(WRITE, { args: [folder] });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!isThere).each<[Codec, number]>([
  ['ZSTD', 390],
  ['LZ4_RAW', 60],
])(
  'kernels of %s give the bytes that other programs compressed',
  (codec, count) => {
    const file = readFileSync(join(folder, codec));
    let frames = 0;
    for (let at = 0; at < file.length; frames++) {
      const [size, stored] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
      const data = file.subarray(at + 8, at + 8 + size);
      at += 8 + size + stored;
      expect(isSame(byKernel(codec, file.subarray(at - stored, at), size), data), `${codec} ${frames}`).toBe(true);
    }
    expect(frames).toBeGreaterThanOrEqual(count);
  },
  60_000,
);

test.skipIf(!isThere)('kernels of ZSTD give nothing else of damaged frames than the library of Zstandard does', () => {
  const file = readFileSync(join(folder, 'damaged'));
  const found = { same: 0, rejectedByBoth: 0, rejectedByKernels: 0 };
  for (let at = 0; at < file.length; ) {
    const [size, length] = [file.readUInt32LE(at) - 1, file.readUInt32LE(at + 4)];
    const data = file.subarray(at + 8, at + 8 + size);
    const isValid = file[at + 8 + size] === 1;
    at += 9 + size + length;
    const own = byKernel('ZSTD', file.subarray(at - length, at), size);
    if (own === undefined) found[isValid ? 'rejectedByKernels' : 'rejectedByBoth']++;
    else expect([isValid, isSame(own, data)]).toEqual([true, true]);
    if (own !== undefined) found.same++;
  }
  expect(found.same).toBeGreaterThan(100);
  expect(found.rejectedByBoth).toBeGreaterThan(100);
  expect(found.rejectedByKernels).toBeLessThan(found.same / 20);
});
