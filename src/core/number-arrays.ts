/** The types that values are computed from and rounded to. */
export type FloatType = 'float32' | 'float64';

export type FloatArray = Float32Array | Float64Array;

/** Whether a value is an array of floats. */
export function isFloatArray(value: unknown): value is FloatArray {
  return value instanceof Float32Array || value instanceof Float64Array;
}

/** How the name of a kernel for values of a type ends. */
export function typeSuffix(type: FloatType): 'F32' | 'F64' {
  return type === 'float32' ? 'F32' : 'F64';
}

/** Bytes of one value. */
export function valueBytes(type: FloatType): 4 | 8 {
  return type === 'float32' ? 4 : 8;
}

/** An array for `length` results of the given type. */
export function floatArray(type: FloatType, length: number): FloatArray {
  return new (type === 'float32' ? Float32Array : Float64Array)(length);
}

/** Joins arrays: float32 if all are, else float64. A single array is returned as it is. */
export function concatenate(parts: readonly FloatArray[]): FloatArray {
  const single = parts.every((part) => part instanceof Float32Array);
  return joinArrays(parts, (length) => floatArray(single ? 'float32' : 'float64', length));
}

/** Joins arrays in a new one, which `create` makes. A single array is returned as it is. */
export function joinArrays<Part extends FloatArray | Int32Array>(
  parts: readonly Part[],
  create: (length: number) => Part,
): Part {
  if (parts.length === 1) return parts[0];
  const joined = create(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

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
