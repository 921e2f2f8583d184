import type { ErrorParts, FormatError } from '../../../errors.js';
import { messageError } from '../message-error.js';
import type { MessagePlace } from '../messages.js';

/** What is known of a field without its bitmap and packed values. */
export interface FieldHead {
  /** Where the message lies, for errors. */
  readonly place: MessagePlace;
  /** The number of points of the grid: `countPoints`. */
  readonly points: number;
  readonly section5: Uint8Array;
  /** As in `GribField`: 0 where section 6 holds a bitmap, 255 where each point has a value. */
  readonly bitmapIndicator: number;
}

/** What all templates of section 5 say: how many values are stored, and how their numbers become values. */
export interface Packing {
  readonly template: number;
  /** The number of values stored: one for each point that the bitmap does not leave out. */
  readonly count: number;
  /** A value is (number * `binary` + `reference`) * `decimal`. */
  readonly reference: number;
  readonly binary: number;
  readonly decimal: number;
  /** The bits of a number; of complex packing those of a group's reference. */
  readonly bits: number;
}

/**
 * More points than any grid of today has; a constant field needs no bytes for its points, so that there must be a
 * limit.
 */
export const MAX_POINTS = 134_217_728;
/** Numbers of more than this are not scaled beyond what float64 holds. */
const MAX_NUMBER = 2 ** 64;
export const MAX_BITS = 32;

/** What is wrong with a section of a field. */
export type FaultParts = Omit<ErrorParts, 'subject'>;

/** Makes the FormatError for what is wrong with a section. */
export type Fault = (parts: FaultParts) => FormatError;

/** The FormatError for what is wrong with a section of a field. */
export function fieldError(field: FieldHead, section: number, parts: FaultParts): FormatError {
  return messageError(field.place, section, parts);
}

/** A view of section 5. Throws FormatError unless it has the `bytes` of its template. */
export function section5View(field: FieldHead, bytes: number): DataView {
  const { section5 } = field;
  if (section5.length < bytes) {
    const allowed = `at least ${bytes} bytes for its template`;
    throw fieldError(field, 5, { problem: 'is too short', received: section5.length, allowed });
  }
  return new DataView(section5.buffer, section5.byteOffset, section5.byteLength);
}

/** Reads octets 6 to 20 of section 5, which all templates of packed integers share. Throws FormatError. */
export function readPacking(field: FieldHead): Packing {
  const view = section5View(field, 20);
  const bits = view.getUint8(19);
  if (bits > MAX_BITS)
    throw fieldError(field, 5, { problem: 'has too many bits per value', received: bits, allowed: `0 to ${MAX_BITS}` });
  const fault: Fault = (parts) => fieldError(field, 5, parts);
  const scale = readScale(view.getFloat32(11), signed16(view, 15), signed16(view, 17), fault);
  return { template: view.getUint16(9), count: view.getUint32(5), ...scale, bits };
}

/**
 * How numbers become values, by their reference value and scale factors. Throws what `fault` makes for infinite values.
 */
export function readScale(
  reference: number,
  binaryFactor: number,
  decimalFactor: number,
  fault: Fault,
): Pick<Packing, 'reference' | 'binary' | 'decimal'> {
  const binary = power(2, binaryFactor);
  const decimal = power(10, -decimalFactor);
  const largest = (Math.abs(reference) + MAX_NUMBER * binary) * decimal;
  if (Number.isFinite(largest)) return { reference, binary, decimal };
  throw fault({
    problem: 'has a reference value or scale factors that numbers of 64 bits cannot hold',
    received: [reference, binaryFactor, decimalFactor],
    allowed: 'finite values',
  });
}

/** The integer at a place, whose highest bit is its sign. */
function signed16(view: DataView, at: number): number {
  const number = view.getUint16(at);
  return number & 0x8000 ? -(number & 0x7fff) : number;
}

/** A power, with the roundings of ecCodes, which multiplies or divides step by step. */
function power(base: number, exponent: number): number {
  let result = 1;
  for (let i = 0; i < exponent && result < Number.POSITIVE_INFINITY; i++) result *= base;
  for (let i = 0; i > exponent && result > 0; i--) result /= base;
  return result;
}
