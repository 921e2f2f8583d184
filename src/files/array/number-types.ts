import type { ArrayType } from './array-file.js';

/** The types of arrays of numbers. */
export type NumberType = Exclude<ArrayType, 'text'>;

/** The typed array of each type of numbers. */
export const NUMBER_ARRAYS = /* @__PURE__ */ Object.freeze({
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
});

/** Bytes of one element; 0 for texts, which have no fixed length. */
export function elementBytes(type: ArrayType): number {
  return type === 'text' ? 0 : NUMBER_ARRAYS[type].BYTES_PER_ELEMENT;
}

/** Whether a name is a type of numbers. */
export function isNumberType(name: string): name is NumberType {
  return Object.hasOwn(NUMBER_ARRAYS, name);
}
