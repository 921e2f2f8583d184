import { zlibSync } from 'fflate';

/** An image whose pixels are indices of colours. */
export interface IndexedImage {
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly pixels: Uint8Array;
  /** `#rrggbb`, or `none` for pixels that are transparent; at most 256. */
  readonly colours: readonly string[];
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/** Encodes an image as PNG (ISO 15948) with a palette. */
export function encodePng({ width, height, pixels, colours }: IndexedImage): Uint8Array {
  const size = new Uint8Array(13);
  const view = new DataView(size.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Four or eight bits for each pixel, of a palette.
  const perByte = colours.length <= 16 ? 2 : 1;
  size.set([8 / perByte, 3], 8);
  const palette = colours.flatMap((colour) =>
    colour === 'none' ? [0, 0, 0] : [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)),
  );
  // Each row begins with the number of its filter, 0: none.
  const length = Math.ceil(width / perByte) + 1;
  const rows = new Uint8Array(height * length);
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(y * width, (y + 1) * width);
    if (perByte === 1) rows.set(row, y * length + 1);
    else for (let x = 0; x < width; x++) rows[y * length + 1 + (x >> 1)] |= x & 1 ? row[x] : row[x] << 4;
  }
  const parts = [
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', size),
    chunk('PLTE', Uint8Array.from(palette)),
    chunk(
      'tRNS',
      Uint8Array.from(colours, (colour) => (colour === 'none' ? 0 : 255)),
    ),
    chunk('IDAT', zlibSync(rows, { level: 6 })),
    chunk('IEND', new Uint8Array()),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = name.charCodeAt(i);
  bytes.set(content, 8);
  view.setUint32(8 + content.length, checksum(bytes.subarray(4, 8 + content.length)));
  return bytes;
}

/** CRC-32, bit by bit: what is encoded is short. */
export function checksum(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** The text of a data URL with a PNG. */
export function pngUrl(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `data:image/png;base64,${btoa(text)}`;
}
