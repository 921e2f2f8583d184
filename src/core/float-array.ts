/** The types that values are computed from and rounded to. */
export type FloatType = 'float32' | 'float64';

export type FloatArray = Float32Array | Float64Array;

/** Bytes of one value. */
export function valueBytes(type: FloatType): 4 | 8 {
  return type === 'float32' ? 4 : 8;
}

/** An array for `length` results of the given type. */
export function floatArray(type: FloatType, length: number): FloatArray {
  return type === 'float32' ? new Float32Array(length) : new Float64Array(length);
}
