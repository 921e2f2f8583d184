import type { ArrayType, ArrayValues, AttributeValue, Box } from '../array/array-file.js';

/** The content of a NetCDF file to write. */
export interface NetcdfContent {
  /** The length of each dimension, by its name, in the order of the file. */
  readonly dimensions: ReadonlyMap<string, number>;
  /** The dimension that other programs may append to, such as time; it must have coordinates. Default: none. */
  readonly unlimited?: string;
  /** The attributes of the file itself. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** An array with the name of a dimension, and only that dimension, holds its coordinates. */
  readonly arrays: readonly NetcdfArray[];
}

/** An array of a NetCDF file to write. */
export interface NetcdfArray {
  readonly name: string;
  readonly type: ArrayType;
  /** Names of dimensions, the slowest first; an empty list for a single value. */
  readonly dimensions: readonly string[];
  /** Whole numbers become int32 where they fit, other numbers float64; `_FillValue` is `fillValue`. */
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** The number for missing values, and for values that are in no box. */
  readonly fillValue?: number;
  /** The shape of its chunks; by default they have about 1 MiB of values. */
  readonly chunk?: readonly number[];
  /**
   * All values, the last dimension fastest; or boxes of them, each value once; the next box is requested when the
   * previous one is written.
   */
  readonly values: ArrayValues | readonly string[] | AsyncIterable<ValueBox> | Iterable<ValueBox>;
}

/** Values of a part of an array, the last dimension fastest; valid until the next box is requested. */
export interface ValueBox extends Box {
  readonly values: ArrayValues;
}
