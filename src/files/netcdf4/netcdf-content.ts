import type { ArrayType, ArrayValues, Attributes, Box } from '../array/array-file.js';

/** What a NetCDF file is to hold. */
export interface NetcdfContent {
  /** The length of each dimension, by its name, in the order of the file. */
  readonly dimensions: ReadonlyMap<string, number>;
  /** The dimension that other programs may append to, as to time; it must have coordinates. Default: none. */
  readonly unlimited?: string;
  /** Of the file as a whole. */
  readonly attributes: Attributes;
  /** An array of the name of a dimension, and along it, holds its coordinates. */
  readonly arrays: readonly NetcdfArray[];
}

/** An array of a NetCDF file to be. */
export interface NetcdfArray {
  readonly name: string;
  readonly type: ArrayType;
  /** Names of dimensions, from the one that varies slowest; none for a single value. */
  readonly dimensions: readonly string[];
  /** Whole numbers become int32 where they fit, other numbers float64; `_FillValue` is `fillValue`. */
  readonly attributes: Attributes;
  /** What stands for missing values and for those that no box has. */
  readonly fillValue?: number;
  /** The shape of the pieces it is stored in; by default they have about 1 MiB of values. */
  readonly chunk?: readonly number[];
  /**
   * All values, the last dimension fastest; or boxes of them, each value once, asked for when those before are written.
   */
  readonly values: ArrayValues | readonly string[] | AsyncIterable<ValueBox> | Iterable<ValueBox>;
}

/** Values of a part of an array, the last dimension fastest; good until the next box is asked for. */
export interface ValueBox extends Box {
  readonly values: ArrayValues;
}
