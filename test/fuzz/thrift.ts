/** An integer, a size or a length in a struct of Thrift's compact protocol. */
export interface ThriftNumber {
  /** The numbers of the fields and the indices of lists that lead to it, such as `4/0/1/2/3/9`. */
  readonly path: string;
  readonly at: number;
  readonly width: number;
  readonly value: bigint;
  readonly isZigzag: boolean;
}

const TYPE = { byte: 3, i16: 4, i64: 6, double: 7, binary: 8, list: 9, set: 10, struct: 12 };

/** Finds the numbers of the struct at `at`, and where it ends. Throws RangeError where it is none. */
export function thriftNumbers(bytes: Uint8Array, at: number): { numbers: ThriftNumber[]; end: number } {
  const numbers: ThriftNumber[] = [];
  let next = at;

  const byte = () => {
    if (next >= bytes.length) throw new RangeError('the struct is cut');
    return bytes[next++];
  };
  const skip = (count: number) => {
    next += count;
  };
  const number = (path: string, isZigzag: boolean) => {
    const start = next;
    let raw = 0n;
    for (let shift = 0n, last = 0x80; last >= 0x80; shift += 7n) {
      last = byte();
      raw |= BigInt(last & 0x7f) << shift;
    }
    const value = isZigzag ? (raw >> 1n) ^ -(raw & 1n) : raw;
    numbers.push({ path, at: start, width: next - start, value, isZigzag });
    return Number(value);
  };
  const value = (type: number, path: string) => {
    if (type === TYPE.struct) struct(`${path}/`);
    else if (type === TYPE.list || type === TYPE.set) list(path);
    else if (type === TYPE.binary) skip(number(`${path}#`, false));
    else if (type === TYPE.double) skip(8);
    else if (type === TYPE.byte) skip(1);
    else if (type >= TYPE.i16 && type <= TYPE.i64) number(path, true);
    else if (type > 2) throw new RangeError(`no type of Thrift: ${type}`);
  };
  const list = (path: string) => {
    const head = byte();
    const count = head >> 4 === 15 ? number(`${path}#`, false) : head >> 4;
    for (let i = 0; i < count; i++) {
      if ((head & 15) <= 2) skip(1);
      else value(head & 15, `${path}/${i}`);
    }
  };
  const struct = (path: string) => {
    for (let field = 0; ; ) {
      const head = byte();
      if (head === 0) return;
      if (head >> 4 === 0) field = number(`${path}id`, true);
      else field += head >> 4;
      value(head & 15, `${path}${field}`);
    }
  };
  struct('');
  return { numbers, end: next };
}

/** The bytes of a varint. */
export function varint(value: bigint, isZigzag: boolean): Uint8Array {
  let left = BigInt.asUintN(64, isZigzag ? (value << 1n) ^ (value >> 63n) : value);
  const bytes: number[] = [];
  do {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Uint8Array.from(bytes);
}
