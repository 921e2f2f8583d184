/*
 * A writer of GRIB2 messages with one value for all points, for tests of what is above values.
 */

import { joined } from '../../reference/grib-message.js';

/** A field of a message. */
export interface TestField {
  readonly discipline?: number;
  readonly category?: number;
  readonly number?: number;
  readonly centre?: number;
  /** ISO 8601, UTC. */
  readonly reference?: string;
  /** Hours: the time of an instant, or the start of an interval. */
  readonly step?: number;
  /** Hours of the end of an interval. */
  readonly end?: number;
  /** Code table 4.10: 1 for amounts. */
  readonly process?: number;
  /** Undefined for a field that is of no ensemble. */
  readonly member?: number;
  readonly memberType?: number;
  /** Code table 4.7, for what was computed from all members. */
  readonly derived?: number;
  /** The product definition template, where it is another than these fields have. */
  readonly template?: number;
  /** Code table 4.5 and the value in units or tenths of them: 103 and 2 for 2 m. */
  readonly surface?: number;
  readonly level?: number;
  readonly rows?: number;
  readonly columns?: number;
  readonly value: number;
  /** Bits of each packed value, which are zeros: 8, 16, 24 or 32. Default: none, as all points have one value. */
  readonly bits?: number;
  /** Whether a bitmap says that all points are missing. */
  readonly isMissing?: boolean;
  /** A codestream of JPEG 2000 with numbers of 8 bits, to which `value` is added. */
  readonly image?: Uint8Array;
}

/** Temperature at 2 m. */
export const T2M = { category: 0, number: 0, surface: 103, level: 2 };
/** Total precipitation, an amount. */
export const RAIN = { category: 1, number: 8, surface: 1, level: 0, process: 1 };

const MISSING = 255;

/** The bytes of messages of one field each. */
export function gribFile(fields: readonly TestField[]): Uint8Array {
  return joined(...fields.map((field) => gribMessage([field])));
}

/** The bytes of a message of several fields, of one reference time and centre. */
export function gribMessage(fields: readonly TestField[]): Uint8Array {
  const [field] = fields;
  const body = joined(
    section(1, identification(field)),
    ...fields.flatMap((each) => [section(3, grid(each)), section(4, product(each)), ...values(each)]),
  );
  const length = number(16 + body.length + 4, 8);
  return joined([...text('GRIB'), 0, 0, field.discipline ?? 0, 2, ...length], body, text('7777'));
}

function section(index: number, content: readonly number[]): number[] {
  return [...number(content.length + 5, 4), index, ...content];
}

function identification({ centre = 7, reference = '2026-03-02T00:00Z' }: TestField): number[] {
  return [...number(centre, 2), 0, 0, 28, 1, 1, ...date(Date.parse(reference)), 0, 1];
}

function date(milliseconds: number): number[] {
  const at = new Date(milliseconds);
  const rest = [at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()];
  return [...number(at.getUTCFullYear(), 2), ...rest];
}

/** A grid of whole degrees that ends at 50 degrees north and begins at 10 degrees east. */
function grid({ rows = 1, columns = 2 }: TestField): number[] {
  const angles = (...degrees: number[]) => degrees.flatMap((degree) => number(degree * 1e6, 4));
  return [
    ...[0, ...number(rows * columns, 4), 0, 0, 0, 0],
    ...[6, ...Array(15).fill(0), ...number(columns, 4), ...number(rows, 4), ...number(0, 8)],
    ...[...angles(49 + rows, 10), 48, ...angles(50, 9 + columns, 1, 1), 0],
  ];
}

function product(field: TestField): number[] {
  const { category = 0, number: parameter = 0, step = 0, end, process, member, derived } = field;
  const kind = member !== undefined ? 1 : derived !== undefined ? 2 : 0;
  const template = field.template ?? (process === undefined ? [0, 1, 2][kind] : [8, 11, 12][kind]);
  const { surface = 1, level = 0, memberType = 3, reference = '2026-03-02T00:00Z' } = field;
  const last = Date.parse(reference) + 3_600_000 * (end ?? step);
  return [
    ...[0, 0, ...number(template, 2), category, parameter, 2, 0, 0, 0, 0, 0, 1, ...number(step, 4)],
    ...[surface, ...scaled(level), MISSING, 0, 0, 0, 0, 0],
    ...(member !== undefined ? [memberType, member, 30] : derived !== undefined ? [derived, 30] : []),
    ...(process === undefined ? [] : [...date(last), 1, 0, 0, 0, 0]),
    ...(process === undefined ? [] : [process, 2, 1, ...number((end ?? step) - step, 4), 1, 0, 0, 0, 0]),
  ];
}

/** A number of tenths at most as its decimal scale and its scaled value. */
function scaled(value: number): number[] {
  const scale = Number.isInteger(value) ? 0 : 1;
  return [scale, ...number(Math.round(value * 10 ** scale), 4)];
}

/** Sections 5 to 7 of a field whose values are all the same. */
function values({ rows = 1, columns = 2, value, bits = 0, image, isMissing }: TestField): number[][] {
  const reference = new Uint8Array(new Float32Array([value]).buffer).reverse();
  if (image !== undefined) {
    const packing = [...number(rows * columns, 4), 0, 40, ...reference, 0, 0, 0, 0, 8, 0, 0, MISSING];
    return [section(5, packing), section(6, [MISSING]), section(7, [...image])];
  }
  if (isMissing) {
    const bitmap = Array(Math.ceil((rows * columns) / 8)).fill(0);
    return [
      section(5, [...number(0, 4), 0, 0, ...reference, 0, 0, 0, 0, bits, 0]),
      section(6, [0, ...bitmap]),
      section(7, []),
    ];
  }
  return [
    section(5, [...number(rows * columns, 4), 0, 0, ...reference, 0, 0, 0, 0, bits, 0]),
    ...[section(6, [MISSING]), section(7, Array((rows * columns * bits) / 8).fill(0))],
  ];
}

function text(letters: string): number[] {
  return Array.from(letters, (letter) => letter.charCodeAt(0));
}

function number(value: number, bytes: number): number[] {
  const digits: number[] = [];
  for (let rest = value, i = 0; i < bytes; i++, rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return digits;
}
