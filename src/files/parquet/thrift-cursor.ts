/** Types of the compact protocol of Thrift that Parquet uses. */
export const THRIFT = { true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, struct: 12 };

/** The structs of a footer are not nested this deep. */
const MAX_DEPTH = 32;
const MAX_I32_BYTES = 5;
const MAX_I64_BYTES = 10;
/** Numbers of so many bytes have fewer bits than a double has. */
const EXACT_BYTES = 7;

/**
 * Reads the compact protocol of Thrift. Throws a RangeError for a count or length that exceeds its bytes, a number of
 * too many bytes, and structs that are nested too deep.
 */
export class ThriftCursor {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Calls `visit` for each field of a struct; it reads or skips the field's value. */
  fields(visit: (id: number, type: number) => void): void {
    for (let id = 0; ; ) {
      const header = this.#byte();
      const type = header & 15;
      if (type === 0) return;
      id = header >> 4 === 0 ? this.#zigzag() : id + (header >> 4);
      visit(id, type);
    }
  }

  i32(type: number): number {
    if (type !== THRIFT.i32) throw new RangeError(`type ${type} where a number is expected`);
    return this.#zigzag();
  }

  /** A number of 64 bits. Throws a RangeError if it is not a safe integer. */
  i64(type: number): number {
    if (type !== THRIFT.i64) throw new RangeError(`type ${type} where a number is expected`);
    const number = this.#long();
    if (!Number.isSafeInteger(number)) throw new RangeError(`a number of ${number}`);
    return number;
  }

  /** A number of any width, rounded if it is not a safe integer. */
  integer(type: number): number {
    if (type === THRIFT.i64) return this.#long();
    return this.i32(type === THRIFT.i16 ? THRIFT.i32 : type);
  }

  /** The fields of a struct, as `fields` does. */
  struct(type: number, visit: (id: number, type: number) => void): void {
    if (type !== THRIFT.struct) throw new RangeError(`type ${type} where a struct is expected`);
    this.fields(visit);
  }

  /** Where each text of a list begins and ends, in turn. */
  spans(type: number): number[] {
    const { count, element } = this.#list(type);
    if (element !== THRIFT.binary) throw new RangeError(`type ${element} where a text is expected`);
    const spans: number[] = [];
    for (let i = 0; i < count; i++) {
      const length = this.#varint();
      this.#advance(length);
      spans.push(this.at - length, this.at);
    }
    return spans;
  }

  /** Calls `visit` for each struct of a list. */
  structs(type: number, visit: () => void): void {
    const { count, element } = this.#list(type);
    if (element !== THRIFT.struct) throw new RangeError(`type ${element} where a struct is expected`);
    for (let i = 0; i < count; i++) visit();
  }

  /** Skips a value. */
  skip(type: number, depth = 0): void {
    if (depth > MAX_DEPTH) throw new RangeError(`structs nested ${depth} deep`);
    if (type === THRIFT.true || type === THRIFT.false) return;
    if (type === THRIFT.byte) this.#byte();
    else if (type === THRIFT.i16 || type === THRIFT.i32) this.#skipVarint(MAX_I32_BYTES);
    else if (type === THRIFT.i64) this.#skipVarint(MAX_I64_BYTES);
    else if (type === THRIFT.double) this.#advance(8);
    else if (type === THRIFT.binary) this.#advance(this.#varint());
    else if (type === THRIFT.struct) this.fields((_, field) => this.skip(field, depth + 1));
    else {
      const { count, element } = this.#list(type);
      const isBoolean = element === THRIFT.true || element === THRIFT.false;
      for (let i = 0; i < count; i++) this.skip(isBoolean ? THRIFT.byte : element, depth + 1);
    }
  }

  /** Each element has at least one byte, so a list cannot have more elements than there are bytes. */
  #list(type: number): { count: number; element: number } {
    if (type !== THRIFT.list) throw new RangeError(`an unknown type ${type}`);
    const header = this.#byte();
    const count = header >> 4 === 15 ? this.#varint() : header >> 4;
    if (count > this.bytes.length - this.at) {
      throw new RangeError(`a list of ${count} elements in ${this.bytes.length - this.at} bytes`);
    }
    return { count, element: header & 15 };
  }

  #long(): number {
    const start = this.at;
    this.#skipVarint(MAX_I64_BYTES);
    if (this.at - start <= EXACT_BYTES) {
      let value = 0;
      for (let at = this.at - 1; at >= start; at--) value = value * 128 + (this.bytes[at] & 127);
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    let value = 0n;
    for (let at = this.at - 1; at >= start; at--) value = (value << 7n) | BigInt(this.bytes[at] & 127);
    return Number((value >> 1n) ^ -(value & 1n));
  }

  #zigzag(): number {
    const value = this.#varint();
    return (value >>> 1) ^ -(value & 1);
  }

  #varint(): number {
    const start = this.at;
    this.#skipVarint(MAX_I32_BYTES);
    let value = 0;
    for (let at = this.at - 1; at >= start; at--) value = (value << 7) | (this.bytes[at] & 127);
    return value >>> 0;
  }

  #skipVarint(maxBytes: number): void {
    for (let length = 1; this.#byte() > 127; length++) {
      if (length === maxBytes) throw new RangeError(`a number of more than ${maxBytes} bytes`);
    }
  }

  #byte(): number {
    this.#advance(1);
    return this.bytes[this.at - 1];
  }

  #advance(count: number): void {
    if (count > this.bytes.length - this.at) throw new RangeError(`ends ${count} bytes before a value does`);
    this.at += count;
  }
}
