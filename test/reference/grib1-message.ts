import { BitWriter } from './bit-writer.js';
import type { Group } from './grib-complex.js';
import { joined, type Scale, signed, uint } from './grib-message.js';

/** Kinds of second-order packing, by the flags of octet 14. */
export const SECOND_ORDER = { rows: 0x10, constantWidth: 0x20, differentWidths: 0x30, extended: 0x18 } as const;

/** Differences of general extended packing: the numbers before the groups, the smallest difference, and their bits. */
export interface Differences {
  readonly first: readonly number[];
  readonly minimum: number;
  readonly bits: number;
}

const GRID = { rows: 1, columns: 1, scanningMode: 0 };

/** Section 2 of a regular grid from the equator to the north, with points at each degree or hundredth of one. */
function gridSection(columns: number, rows: number, scanningMode: number): Uint8Array {
  const step = columns > 300 ? 10 : 1000;
  const [south, east] = [uint(0, 3), uint(0, 3)];
  const [north, west] = [uint(step * (rows - 1), 3), uint(step * (columns - 1), 3)];
  const directions = scanningMode & 0x40 ? [south, east, [128], north, west] : [north, east, [128], south, west];
  const head = [[0, 255, 0], uint(columns, 2), uint(rows, 2)];
  return joined(uint(32, 3), ...head, ...directions, uint(step, 2), uint(step, 2), [scanningMode], uint(0, 4));
}

/** What section 1 says; by default a temperature at 2 m of NCEP on 1 May 2024, 6 hours from 00 UTC on. */
export interface Product1 {
  readonly table?: number;
  readonly centre?: number;
  readonly subCentre?: number;
  readonly parameter?: number;
  /** Octets 10 to 12. */
  readonly level?: readonly number[];
  /** Octets 18 to 21: the unit of time, P1, P2, and the time range indicator. */
  readonly times?: readonly number[];
  /** The number of forecasts in an average. */
  readonly count?: number;
  /** Octets 41 and following. */
  readonly local?: readonly number[];
}

function productSection(flags: number, decimal: number, product: Product1): Uint8Array {
  const { table = 2, centre = 7, subCentre = 0, parameter = 11, level = [105, 0, 2], local = [] } = product;
  const { times = [1, 6, 0, 0], count = 0 } = product;
  const head = [table, centre, 0, 255, flags, parameter, ...level, 24, 5, 1, 0, 0];
  const rest = [...times, ...uint(count, 2), 0, 21, subCentre, ...signed(decimal, 2)];
  const extension = local.length === 0 ? [] : [...uint(0, 12), ...local];
  return joined(uint(28 + extension.length, 3), head, rest, extension);
}

/** A number in the format of IBM's machines. */
function ibm(value: number): number[] {
  if (value === 0) return [0, 0, 0, 0];
  let [exponent, fraction] = [64, Math.abs(value)];
  for (; fraction >= 1; exponent++) fraction /= 16;
  for (; fraction < 1 / 16; exponent--) fraction *= 16;
  return [(value < 0 ? 128 : 0) + exponent, ...uint(Math.round(fraction * 2 ** 24), 3)];
}

/** What a message has beside its section 4. */
interface MessageParts {
  readonly rows?: number;
  readonly columns?: number;
  readonly scanningMode?: number;
  readonly decimal?: number;
  readonly product?: Product1;
  /** For each point whether it has a value. */
  readonly bitmap?: readonly boolean[];
}

/** A message of edition 1 with a regular grid. */
export function grib1Message(section4: Uint8Array, parts: MessageParts): Uint8Array {
  const { rows, columns, scanningMode } = { ...GRID, ...parts };
  const bits = new BitWriter();
  for (const has of parts.bitmap ?? []) bits.number(has ? 1 : 0, 1);
  const bytes = bits.bytes();
  const unused = 8 * bytes.length - (parts.bitmap?.length ?? 0);
  const bitmap = parts.bitmap === undefined ? [] : joined(uint(bytes.length + 6, 3), [unused, 0, 0], bytes);
  const product = productSection(parts.bitmap === undefined ? 128 : 192, parts.decimal ?? 0, parts.product ?? {});
  const body = joined(product, gridSection(columns, rows, scanningMode), bitmap, section4);
  return joined([71, 82, 73, 66], uint(body.length + 12, 3), [1], body, [55, 55, 55, 55]);
}

/** Section 4 with a head of 11 octets, and more. */
function dataSection(flags: number, { reference, binary }: Scale, bits: number, ...rest: ArrayLike<number>[]) {
  const body = joined([flags], signed(binary, 2), ibm(reference), [bits], ...rest);
  return joined(uint(body.length + 3, 3), body);
}

/** Section 4 of simple packing. */
export function simpleSection(numbers: readonly number[], bits: number, scale: Scale): Uint8Array {
  const writer = new BitWriter();
  for (const number of numbers) writer.number(number, bits);
  return dataSection(0, scale, bits, writer.bytes());
}

/** Section 4 of second-order packing; groups of `constantWidth` have the width of the first one. */
export function secondOrderSection(
  kind: keyof typeof SECOND_ORDER,
  groups: readonly Group[],
  referenceBits: number,
  scale: Scale,
  { first, minimum, bits }: Differences = { first: [], minimum: 0, bits: 0 },
  boustrophedonic = false,
): Uint8Array {
  const writer = new BitWriter();
  const count = groups.reduce((sum, { numbers }) => sum + numbers.length, 0);
  if (kind === 'extended') {
    writer.number(8, 8).number(12, 8).number(0, 16);
    if (first.length > 0) writer.number(bits, 8);
    for (const number of first) writer.number(number, bits);
    if (first.length > 0) writer.number(minimum < 0 ? 1 : 0, 1).number(Math.abs(minimum), bits - 1);
    writer.align();
    for (const { width } of groups) writer.number(width, 8);
    for (const { numbers } of groups) writer.number(numbers.length, 12);
    writer.align();
  } else {
    for (const { width } of kind === 'constantWidth' ? groups.slice(0, 1) : groups) writer.number(width, 8);
    if (kind !== 'rows') {
      for (const { numbers } of groups) for (const i of numbers.keys()) writer.number(i === 0 ? 1 : 0, 1);
      writer.align();
    }
  }
  for (const { reference } of groups) writer.number(reference, referenceBits);
  writer.align();
  for (const { width, numbers } of groups) for (const number of numbers) writer.number(number, width);
  const flags = SECOND_ORDER[kind] + first.length + (boustrophedonic ? 4 : 0);
  const counts = [...uint(groups.length % 65_536, 2), ...uint(count % 65_536, 2), groups.length >> 16];
  return dataSection(0x50, scale, referenceBits, [0, 0, flags, 0, 0], counts, writer.bytes());
}

/** The slow twin: the numbers that groups stand for, with differences summed up. */
export function secondOrderNumbers(groups: readonly Group[], differences?: Differences): number[] {
  const numbers = groups.flatMap((group) => group.numbers.map((number) => group.reference + number));
  const all = [...(differences?.first ?? [])];
  const order = all.length;
  for (const number of numbers) {
    const [last = 0, before = 0, third = 0] = [all.at(-1), all.at(-2), all.at(-3)];
    const expected = [0, last, 2 * last - before, 3 * (last - before) + third][order];
    all.push(order === 0 ? number : number + (differences?.minimum ?? 0) + expected);
  }
  return all;
}
