import { THRIFT } from './thrift-cursor.js';

const encoder = new TextEncoder();

/** Writes the compact protocol of Thrift: fields of a struct in ascending order of their ids. */
export class ThriftBytes {
  #bytes = new Uint8Array(256);
  #length = 0;
  #lastId = 0;

  /** The bytes of the fields that `write` writes, as one struct. */
  static struct(write: (into: ThriftBytes) => void): Uint8Array {
    const into = new ThriftBytes();
    into.#struct(() => write(into));
    return into.#bytes.subarray(0, into.#length);
  }

  i32(id: number, value: number): void {
    this.#field(id, THRIFT.i32);
    this.#zigzag(value);
  }

  /** A number of 64 bits; `value` is a safe integer. */
  i64(id: number, value: number): void {
    this.#field(id, THRIFT.i64);
    this.#zigzag(value);
  }

  bool(id: number, value: boolean): void {
    this.#field(id, value ? THRIFT.true : THRIFT.false);
  }

  binary(id: number, value: string | Uint8Array): void {
    this.#field(id, THRIFT.binary);
    this.#binary(value);
  }

  struct(id: number, write: () => void): void {
    this.#field(id, THRIFT.struct);
    this.#struct(write);
  }

  structs<T>(id: number, items: readonly T[], write: (item: T) => void): void {
    this.#list(id, THRIFT.struct, items.length);
    for (const item of items) this.#struct(() => write(item));
  }

  numbers(id: number, items: readonly number[]): void {
    this.#list(id, THRIFT.i32, items.length);
    for (const item of items) this.#zigzag(item);
  }

  texts(id: number, items: readonly string[]): void {
    this.#list(id, THRIFT.binary, items.length);
    for (const item of items) this.#binary(item);
  }

  #struct(write: () => void): void {
    const outer = this.#lastId;
    this.#lastId = 0;
    write();
    this.#byte(0);
    this.#lastId = outer;
  }

  #field(id: number, type: number): void {
    const step = id - this.#lastId;
    this.#lastId = id;
    if (step > 0 && step < 16) this.#byte((step << 4) | type);
    else {
      this.#byte(type);
      this.#zigzag(id);
    }
  }

  #list(id: number, type: number, count: number): void {
    this.#field(id, THRIFT.list);
    this.#byte((Math.min(count, 15) << 4) | type);
    if (count >= 15) this.#varint(count);
  }

  #binary(value: string | Uint8Array): void {
    const bytes = typeof value === 'string' ? encoder.encode(value) : value;
    this.#varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #zigzag(value: number): void {
    this.#varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  #varint(given: number): void {
    let value = given;
    for (; value > 127; value = Math.floor(value / 128)) this.#byte((value % 128) | 128);
    this.#byte(value);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
