import type { GroupValues } from './group-column.js';
import { CONVERTED, type ParquetElement, STORED } from './parquet-schema.js';

/** What readers skip row groups by (Statistics in parquet.thrift); no bounds where there is nothing to compare. */
export interface Statistics {
  readonly nulls: number;
  readonly least?: Uint8Array;
  readonly most?: Uint8Array;
}

/** Longer texts are no bounds: they would be stored in the footer once more. */
const MAX_TEXT_BYTES = 64;

/**
 * The statistics of a column in a row group. NaN is in no bounds, a least value of 0 is stored as -0, and a greatest
 * one as +0, as parquet.thrift has it.
 */
export function columnStatistics({ type, converted }: ParquetElement, group: GroupValues): Statistics {
  const { values, texts, rows } = group;
  const nulls = rows - values.length;
  // The order of points says nothing.
  if (type === STORED.bytes && converted !== CONVERTED.text) return { nulls };
  if (type === STORED.bytes) {
    const [least, most] = [bound(texts, -1), bound(texts, 1)];
    const isShort = least !== undefined && most !== undefined && Math.max(least.length, most.length) <= MAX_TEXT_BYTES;
    return isShort ? { nulls, least, most } : { nulls };
  }
  const compared =
    converted === CONVERTED.uint32
      ? new Uint32Array(values.buffer as ArrayBuffer, values.byteOffset, values.length)
      : converted === CONVERTED.uint64
        ? new BigUint64Array(values.buffer as ArrayBuffer, values.byteOffset, values.length)
        : values;
  const bounds = boundsOf(compared as ArrayLike<number>);
  if (bounds === undefined) return { nulls };
  const [least, most] = bounds;
  const bytes = (value: number) => {
    const one = new (compared.constructor as Float64ArrayConstructor)(1);
    one[0] = value;
    return new Uint8Array(one.buffer, 0, type === STORED.boolean ? 1 : one.BYTES_PER_ELEMENT);
  };
  const isFloat = type === STORED.float || type === STORED.double;
  return {
    nulls,
    least: bytes(isFloat && least === 0 ? -0 : least),
    most: bytes(isFloat && most === 0 ? 0 : most),
  };
}

/** The least and the greatest value that are not NaN. */
function boundsOf(values: ArrayLike<number>): [number, number] | undefined {
  let first = 0;
  while (first < values.length && Number.isNaN(values[first])) first++;
  if (first === values.length) return undefined;
  let [least, most] = [values[first], values[first]];
  for (let i = first; i < values.length; i++) {
    const value = values[i];
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  return [least, most];
}

/** The text that comes first, or last for `sign` 1, by its bytes. */
function bound(texts: readonly Uint8Array[], sign: number): Uint8Array | undefined {
  let found = texts[0];
  for (const text of texts) if (sign * compareBytes(text, found) > 0) found = text;
  return found;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
