import { BitReader, BitWriter } from './bit-writer.js';
import { type Scale, section5, signed, uint } from './grib-message.js';

/** A group as stored: its numbers are less its reference. */
export interface Group {
  readonly reference: number;
  readonly width: number;
  readonly numbers: readonly number[];
}

/** How groups are stored (templates 5.2 and 5.3). */
export interface ComplexLayout {
  readonly missing: number;
  readonly referenceBits: number;
  readonly smallestWidth: number;
  readonly widthBits: number;
  readonly smallestLength: number;
  readonly lengthStep: number;
  readonly lengthBits: number;
  /** 0 without spatial differencing; the first numbers, the smallest difference, and their bytes. */
  readonly order: number;
  readonly first: readonly number[];
  readonly minimum: number;
  readonly bytes: number;
}

/** Sections 5 and 7 of groups. */
export function writeComplex(groups: readonly Group[], layout: ComplexLayout, scale: Scale) {
  const { smallestWidth, widthBits, smallestLength, lengthStep, lengthBits, order, bytes } = layout;
  const count = groups.reduce((sum, { numbers }) => sum + numbers.length, 0);
  const rest = [
    ...[1, layout.missing, ...uint(0, 8), ...uint(groups.length, 4), smallestWidth, widthBits],
    ...[...uint(smallestLength, 4), lengthStep, ...uint(groups.at(-1)?.numbers.length ?? 0, 4), lengthBits],
    ...(order === 0 ? [] : [order, bytes]),
  ];
  const bits = new BitWriter();
  for (const byte of order === 0 ? [] : layout.first.slice(0, order).flatMap((value) => uint(value, bytes))) {
    bits.number(byte, 8);
  }
  if (order > 0) for (const byte of signed(layout.minimum, bytes)) bits.number(byte, 8);
  for (const { reference } of groups) bits.number(reference, layout.referenceBits);
  bits.align();
  for (const { width } of groups) bits.number(width - smallestWidth, widthBits);
  bits.align();
  groups.forEach(({ numbers }, i) => {
    bits.number(i === groups.length - 1 ? 0 : (numbers.length - smallestLength) / lengthStep, lengthBits);
  });
  bits.align();
  for (const { width, numbers } of groups) for (const number of numbers) bits.number(number, width);
  return { section5: section5(order === 0 ? 2 : 3, count, scale, layout.referenceBits, rest), data: bits.bytes() };
}

/**
 * The slow twin: packed integers of sections 5 and 7, undefined where they are missing. Throws RangeError where these
 * do not fit together. Exact below 2^53.
 */
export function readComplex(section: Uint8Array, data: Uint8Array): (number | undefined)[] {
  const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
  const [count, template, referenceBits] = [view.getUint32(5), view.getUint16(9), view.getUint8(19)];
  const missing = view.getUint8(22);
  const groups = view.getUint32(31);
  const order = template === 3 ? view.getUint8(47) : 0;
  const reader = new BitReader(data);
  const size = template === 3 ? 8 * view.getUint8(48) : 0;
  const first = Array.from({ length: order }, () => reader.number(size));
  const isNegative = order > 0 && size > 0 && reader.number(1) === 1;
  const minimum = order > 0 && size > 0 ? (isNegative ? -1 : 1) * reader.number(size - 1) : 0;
  const list = (width: number) => {
    const numbers = Array.from({ length: groups }, () => reader.number(width));
    reader.align();
    return numbers;
  };
  const references = list(referenceBits);
  const widths = list(view.getUint8(36)).map((width) => width + view.getUint8(35));
  const lengths = list(view.getUint8(46)).map((length) => length * view.getUint8(41) + view.getUint32(37));
  lengths[groups - 1] = view.getUint32(42);
  if (lengths.reduce((sum, length) => sum + length, 0) !== count) throw new RangeError('other lengths');
  if (widths.some((width) => width > 32)) throw new RangeError('too wide');
  const values = references.flatMap((reference, group) =>
    Array.from({ length: lengths[group] }, () => {
      const number = reader.number(widths[group]);
      const [stored, bits] = widths[group] === 0 ? [reference, referenceBits] : [number, widths[group]];
      return stored >= 2 ** bits - missing ? undefined : number + reference;
    }),
  );
  const known: number[] = [];
  return values.map((value) => {
    if (value === undefined || order === 0) return missing > 0 || value !== undefined ? value : undefined;
    const n = known.length;
    if (n < order) known.push(first[n]);
    else known.push(value + minimum + (order === 1 ? known[n - 1] : 2 * known[n - 1] - known[n - 2]));
    return known[n];
  });
}
