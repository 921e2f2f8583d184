import { ByteWriter } from './byte-writer.js';

/** A type of elements, as a file describes it. */
export interface Datatype {
  /** Bytes of an element. */
  readonly size: number;
  /** The datatype message (HDF5 file format specification, IV.A.2.d). */
  readonly message: Uint8Array;
}

const CLASS = { integer: 0, float: 1, text: 3, compound: 6, reference: 7, variableLength: 9 };
const UTF_8 = 1;
const SIGNED = 0x08;
const VERSION_1 = 0x10;

/** A little-endian integer of 1, 2, 4 or 8 bytes. */
export function integerType(size: number, signed: boolean): Datatype {
  return datatype(CLASS.integer, signed ? SIGNED : 0, size, (out) => out.uint16(0).uint16(8 * size));
}

/** A little-endian IEEE number of 4 or 8 bytes. */
export function floatType(size: 4 | 8): Datatype {
  const [exponent, mantissa, bias] = size === 4 ? [8, 23, 127] : [11, 52, 1023];
  const impliedBit = 0x20;
  const signAt = (8 * size - 1) << 8;
  return datatype(CLASS.float, impliedBit | signAt, size, (out) =>
    out
      .uint16(0)
      .uint16(8 * size)
      .uint8(mantissa)
      .uint8(exponent)
      .uint8(0)
      .uint8(mantissa)
      .uint32(bias),
  );
}

/** A text of `size` bytes of UTF-8; shorter texts end with a zero. */
export function fixedTextType(size: number): Datatype {
  return datatype(CLASS.text, UTF_8 << 4, size);
}

/** A text of any length, in UTF-8. */
export function textType(): Datatype {
  const isText = 1;
  return datatype(CLASS.variableLength, isText | (UTF_8 << 8), 16, (out) => out.bytes(integerType(1, false).message));
}

/** The address of an object of the file. */
export function referenceType(): Datatype {
  return datatype(CLASS.reference, 0, 8);
}

/** A list of `base` of any length. */
export function listType(base: Datatype): Datatype {
  return datatype(CLASS.variableLength, 0, 16, (out) => out.bytes(base.message));
}

/** A record of `size` bytes whose members begin at the given bytes. */
export function recordType(size: number, members: readonly { name: string; at: number; type: Datatype }[]): Datatype {
  return datatype(CLASS.compound, members.length, size, (out) => {
    for (const { name, at, type } of members) {
      const paddedName = Math.ceil((name.length + 1) / 8) * 8;
      out.text(name.padEnd(paddedName, '\0')).uint32(at).zeros(28).bytes(type.message);
    }
  });
}

function datatype(
  kind: number,
  bits: number,
  size: number,
  properties: (out: ByteWriter) => void = () => {},
): Datatype {
  const out = new ByteWriter();
  out
    .uint8(VERSION_1 | kind)
    .uint16(bits & 0xffff)
    .uint8(bits >> 16)
    .uint32(size);
  properties(out);
  return { size, message: out.written() };
}
