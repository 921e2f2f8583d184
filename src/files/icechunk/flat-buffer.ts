/*
 * A FlatBuffer (flatbuffers.dev, "FlatBuffers binary format"), all numbers with the lowest byte first:
 *
 *   uint32              from the start of the buffer to the root table
 *   table    int32      from its vtable to the table; then the fields: numbers and structs in place, others as the uint32
 *                       from the field to what it holds
 *   vtable   uint16     its bytes; uint16 the bytes of the table; then for each field the uint16 from the table to it, 0
 *                       where it is not there
 *   vector   uint32     its length, then the elements: numbers and structs in place, tables by the uint32 from the element
 *   string              a vector of bytes of UTF-8
 *
 * Nothing is believed: what lies outside the buffer is a RangeError, of DataView or of this module. Offsets only lead
 * forward, so that nothing contains itself.
 */

const NUMBER_BYTES = 4;

/** The bytes before the fields of a vtable. */
const VTABLE_HEADER = 4;

/** A table of a FlatBuffer. Fields are named by their index in the schema. Methods throw RangeError for damage. */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #vtable: number;
  readonly #vtableBytes: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#vtable = at - view.getInt32(at, true);
    this.#vtableBytes = view.getUint16(this.#vtable, true);
  }

  /** The root table of a buffer. */
  static root({ buffer, byteOffset, length }: Uint8Array): FlatTable {
    const view = new DataView(buffer, byteOffset, length);
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** The bytes of the whole buffer. */
  get bufferBytes(): number {
    return this.#view.byteLength;
  }

  /** An unsigned byte; 0 where it is not there. */
  uint8(field: number): number {
    const at = this.#find(field);
    return at === undefined ? 0 : this.#view.getUint8(at);
  }

  /** An unsigned number of four bytes; 0 where it is not there. */
  uint32(field: number): number {
    const at = this.#find(field);
    return at === undefined ? 0 : this.#view.getUint32(at, true);
  }

  /** An unsigned number of eight bytes, that must be exact; 0 where it is not there. */
  uint64(field: number): number {
    const at = this.#find(field);
    return at === undefined ? 0 : exact(this.#view.getBigUint64(at, true));
  }

  /** The bytes of a struct; undefined where it is not there. */
  struct(field: number, bytes: number): Uint8Array | undefined {
    const at = this.#find(field);
    return at === undefined ? undefined : this.#bytes(at, bytes);
  }

  /** The bytes of each struct of a vector; none where it is not there. */
  structs(field: number, bytes: number): Uint8Array[] {
    const { at, length } = this.vector(field, bytes) ?? { at: 0, length: 0 };
    return Array.from({ length }, (_, i) => this.#bytes(at + bytes * i, bytes));
  }

  /** The bytes of a vector of bytes, or of a string; undefined where it is not there. */
  bytes(field: number): Uint8Array | undefined {
    const vector = this.vector(field, 1);
    return vector && this.#bytes(vector.at, vector.length);
  }

  /** A text, as UTF-8; undefined where it is not there. */
  text(field: number): string | undefined {
    const bytes = this.bytes(field);
    return bytes && new TextDecoder().decode(bytes);
  }

  /**
   * The unsigned numbers of four bytes of a vector, or of one of structs of such numbers; none where it is not there.
   * More than `max` elements are a RangeError.
   */
  uint32s(field: number, max: number, perElement = 1): number[] {
    const { at, length } = this.vector(field, NUMBER_BYTES * perElement) ?? { at: 0, length: 0 };
    if (length > max) throw new RangeError(`${length} numbers, not ${max}`);
    const number = (_: unknown, i: number) => this.#view.getUint32(at + NUMBER_BYTES * i, true);
    return Array.from({ length: length * perElement }, number);
  }

  /** A table; undefined where it is not there. */
  table(field: number): FlatTable | undefined {
    const at = this.#find(field);
    return at === undefined ? undefined : this.#tableAt(at);
  }

  /** The tables of a vector, read on request; none where it is not there. */
  tables(field: number): FlatTables {
    const { at, length } = this.vector(field, NUMBER_BYTES) ?? { at: 0, length: 0 };
    return { length, get: (index) => this.#tableAt(at + NUMBER_BYTES * index) };
  }

  /** The place of the first element of a vector, and its length; undefined where it is not there. */
  vector(field: number, elementBytes: number): { readonly at: number; readonly length: number } | undefined {
    const at = this.#find(field);
    if (at === undefined) return undefined;
    const start = at + this.#view.getUint32(at, true);
    const length = this.#view.getUint32(start, true);
    this.#bytes(start + NUMBER_BYTES, length * elementBytes);
    return { at: start + NUMBER_BYTES, length };
  }

  #tableAt(at: number): FlatTable {
    return new FlatTable(this.#view, at + this.#view.getUint32(at, true));
  }

  /** The place of a field; undefined where it is not there. */
  #find(field: number): number | undefined {
    const entry = VTABLE_HEADER + 2 * field;
    if (entry + 2 > this.#vtableBytes) return undefined;
    const offset = this.#view.getUint16(this.#vtable + entry, true);
    return offset === 0 ? undefined : this.#at + offset;
  }

  #bytes(at: number, length: number): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.#view;
    if (at + length > byteLength) throw new RangeError(`${length} bytes from ${at} on, in ${byteLength}`);
    return new Uint8Array(buffer, byteOffset + at, length);
  }
}

/** The tables of a vector. */
export interface FlatTables {
  readonly length: number;
  get(index: number): FlatTable;
}

/** A field that must be there. Throws RangeError where it is not. */
export function needed<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new RangeError(`no ${name}`);
  return value;
}

/** A number of 64 bits that floats represent exactly. Throws RangeError for a larger one. */
function exact(number: bigint): number {
  if (number <= Number.MAX_SAFE_INTEGER) return Number(number);
  throw new RangeError(`a number of ${number}`);
}
