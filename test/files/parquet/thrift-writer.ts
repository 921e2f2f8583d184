/** A value in the compact protocol of Thrift: its type there, and its bytes. */
export interface ThriftValue {
  readonly type: number;
  readonly bytes: readonly number[];
}

type Fields = Readonly<Record<number, ThriftValue | undefined>>;

export function varint(value: number | bigint): number[] {
  const bytes: number[] = [];
  let left = BigInt(value);
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return [...bytes, Number(left)];
}

const zigzag = (value: number | bigint) => {
  const big = BigInt(value);
  return varint(big < 0n ? -big * 2n - 1n : big * 2n);
};

export const i32 = (value: number): ThriftValue => ({ type: 5, bytes: zigzag(value) });
export const i64 = (value: number | bigint): ThriftValue => ({ type: 6, bytes: zigzag(value) });
export const bool = (value: boolean): ThriftValue => ({ type: value ? 1 : 2, bytes: [] });
export const text = (value: string): ThriftValue => {
  const bytes = [...new TextEncoder().encode(value)];
  return { type: 8, bytes: [...varint(bytes.length), ...bytes] };
};

/** A struct by the ids of its fields. */
export function struct(fields: Fields): ThriftValue {
  const bytes: number[] = [];
  for (const [id, value] of Object.entries(fields)) {
    // Each header has the id itself behind it, not its distance to the one before.
    if (value !== undefined) bytes.push(value.type, ...zigzag(Number(id)), ...value.bytes);
  }
  return { type: 12, bytes: [...bytes, 0] };
}

/** A list, which may say another count than it has. */
export function list(values: readonly ThriftValue[], count = values.length, type = values[0]?.type ?? 12): ThriftValue {
  return { type: 9, bytes: [0xf0 | type, ...varint(count), ...values.flatMap(({ bytes }) => bytes)] };
}
