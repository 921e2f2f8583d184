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

export type NumberType = keyof typeof NUMBER_ARRAYS;

export type NumberArrayConstructor = (typeof NUMBER_ARRAYS)[NumberType];

/** An array of numbers of any type. */
export type NumberArray = NumberArrayConstructor['prototype'];

/** Whether a name is a type of numbers. */
export function isNumberType(name: string): name is NumberType {
  return Object.hasOwn(NUMBER_ARRAYS, name);
}
