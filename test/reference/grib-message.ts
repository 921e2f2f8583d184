import { BitWriter } from './bit-writer.js';

/** The scale of packed numbers, as section 5 has it. */
export interface Scale {
  readonly reference: number;
  readonly binary: number;
  readonly decimal: number;
}

export const UNSCALED: Scale = { reference: 0, binary: 0, decimal: 0 };

/** Bytes one after the other. */
export function joined(...parts: readonly ArrayLike<number>[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Big-endian bytes of a number. */
export function uint(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** (bytes - 1 - i)) % 256);
}

/** An integer whose highest bit is its sign. */
export function signed(value: number, bytes: number): number[] {
  return uint(value < 0 ? 2 ** (8 * bytes - 1) - value : value, bytes);
}

function float32(value: number): number[] {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value);
  return [...bytes];
}

/** A section with its length and number. */
export function section(number: number, ...body: readonly ArrayLike<number>[]): Uint8Array {
  const content = joined(...body);
  return joined(uint(content.length + 5, 4), [number], content);
}

/** Section 1 of a message of ECMWF, of a day in 2024. */
export const SECTION_1 = section(1, uint(98, 2), uint(0, 2), [5, 0, 1], uint(2024, 2), [5, 1, 0, 0, 0], [0, 1]);

/** Section 3 of a row of so many points on a regular grid. */
export function section3(points: number): Uint8Array {
  const grid = [uint(points, 4), uint(1, 4), uint(0, 8), uint(0, 4), uint(0, 4), [48], uint(0, 4), uint(1000, 4)];
  return section(
    3,
    [0],
    uint(points, 4),
    [0, 0],
    uint(0, 2),
    [6],
    uint(0, 15),
    ...grid,
    uint(1000, 4),
    uint(0, 4),
    [0],
  );
}

/** Section 4 of a temperature at 2 m (template 4.0). */
export const SECTION_4 = section(4, uint(0, 2), uint(0, 2), [0, 0, 2, 0, 128], uint(0, 3), [1], uint(0, 4), [
  ...[103, 0],
  ...uint(2, 4),
  ...[255, 0, 0, 0, 0, 0],
]);

/** Section 5: the part that all templates of packed integers have, and the rest. */
export function section5(
  template: number,
  count: number,
  { reference, binary, decimal }: Scale,
  bits: number,
  rest: number[],
) {
  const scale = [...float32(reference), ...signed(binary, 2), ...signed(decimal, 2)];
  return section(5, uint(count, 4), uint(template, 2), scale, [bits, 0], rest);
}

/** Section 6 without a bitmap. */
export const NO_BITMAP = section(6, [255]);

/** Section 6 with the bits of points that have values. */
export function bitmapSection(has: readonly boolean[]): Uint8Array {
  const bits = new BitWriter();
  for (const each of has) bits.number(each ? 1 : 0, 1);
  return section(6, [0], bits.bytes());
}

/** A message of edition 2 of these sections, 1 to 7. */
export function message(...sections: readonly Uint8Array[]): Uint8Array {
  const body = joined(...sections);
  return joined([0x47, 0x52, 0x49, 0x42, 0, 0, 0, 2], uint(body.length + 20, 8), body, [0x37, 0x37, 0x37, 0x37]);
}

/** A message of one field without a bitmap, a row of points. */
export function fieldMessage(points: number, packing: Uint8Array, data: ArrayLike<number>): Uint8Array {
  return message(SECTION_1, section3(points), SECTION_4, packing, NO_BITMAP, section(7, data));
}
