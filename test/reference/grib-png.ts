import { crc32 } from '../../src/files/codecs/crc.js';
import { BitWriter } from './bit-writer.js';
import { joined, uint } from './grib-message.js';

/** What a PNG image is written as. */
export interface PngLayout {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 is grey, 2 RGB, 6 RGBA. */
  readonly colour: number;
  /** The filter of each row, 0 to 4, over and over. */
  readonly filters: readonly number[];
  /** Bytes of each IDAT chunk. */
  readonly chunkBytes: number;
  readonly interlace?: number;
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 6: 4 };

/** The bits of a pixel. */
export function pixelBits({ depth, colour }: Pick<PngLayout, 'depth' | 'colour'>): number {
  return depth * CHANNELS[colour];
}

/** A PNG image of numbers, with its rows filtered by the formulas of the specification, and without compression. */
export function writePng(numbers: readonly number[], layout: PngLayout): Uint8Array {
  const { width, height, depth, colour, filters, chunkBytes, interlace = 0 } = layout;
  const bits = pixelBits(layout);
  const step = Math.max(1, bits / 8);
  const rows = Array.from({ length: height }, (_, y) => {
    const writer = new BitWriter();
    for (const number of numbers.slice(y * width, (y + 1) * width)) writer.number(number, bits);
    return writer.bytes();
  });
  const filtered = rows.map((row, y) => {
    const filter = filters[y % filters.length];
    const at = (line: Uint8Array | undefined, i: number) => (i < 0 ? 0 : (line?.[i] ?? 0));
    return joined(
      [filter],
      row.map((byte, i) => byte - predicted(filter, at(row, i - step), at(rows[y - 1], i), at(rows[y - 1], i - step))),
    );
  });
  const stream = stored(joined(...filtered));
  const parts: Uint8Array[] = [];
  for (let at = 0; at < stream.length; at += chunkBytes)
    parts.push(chunk('IDAT', stream.subarray(at, at + chunkBytes)));
  const header = chunk('IHDR', [...uint(width, 4), ...uint(height, 4), depth, colour, 0, 0, interlace]);
  const comment = chunk('tEXt', [65, 0, 66]);
  return joined([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], header, comment, ...parts, chunk('IEND', []));
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 4) {
    const estimate = left + above - corner;
    const [first, second, third] = [left, above, corner].map((value) => Math.abs(estimate - value));
    return first <= second && first <= third ? left : second <= third ? above : corner;
  }
  return [0, left, above, Math.floor((left + above) / 2)][filter];
}

/** A chunk with its checksum. */
export function chunk(type: string, content: ArrayLike<number>): Uint8Array {
  const checked = joined(
    Array.from(type, (letter) => letter.charCodeAt(0)),
    content,
  );
  return joined(uint(content.length, 4), checked, uint(crc32(checked), 4));
}

/** A stream of zlib whose blocks are stored as they are (RFC 1950 and 1951). */
function stored(bytes: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 65_535) {
    const block = bytes.subarray(at, at + 65_535);
    const isLast = at + 65_535 >= bytes.length;
    const lengths = [block.length, 65_535 - block.length].flatMap((length) => [length & 255, length >> 8]);
    blocks.push(joined([isLast ? 1 : 0], lengths, block));
  }
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return joined([0x78, 0x01], ...blocks, uint(b * 65_536 + a, 4));
}
