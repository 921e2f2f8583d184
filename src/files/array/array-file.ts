import { NUMBER_ARRAYS, type NumberArray, type NumberType } from '../../core/number-arrays.js';
import type { GridProjection } from '../../ensemble/grid.js';
import { DataError } from '../../errors.js';

/** The value of an attribute of a file or an array: a text, a number, or a list of either. */
export type AttributeValue = string | number | readonly string[] | readonly number[];

export type Attributes = ReadonlyMap<string, AttributeValue | UnreadAttribute>;

/**
 * An attribute whose value is of a kind that is not read, such as a compound of HDF5 or an object of JSON. It may be
 * listed; who needs its value throws `fault`.
 */
export class UnreadAttribute {
  readonly #place: { readonly source: string; readonly column?: string };
  readonly #content: string;

  /** `content` is what people are shown in place of the value; `place` is where it is. */
  constructor(content: string, place: { readonly source: string; readonly column?: string }) {
    this.#content = content;
    this.#place = place;
  }

  /** The error for the attribute where its value is needed. */
  fault(name: string, allowed: string): DataError {
    const problem = `the attribute ${name} cannot be used`;
    return new DataError({ ...this.#place, problem, received: this.#content, allowed });
  }

  toString(): string {
    return this.#content;
  }
}

/**
 * The types of the elements of an array: `int8`, `int16`, `int32`, `int64`, the same unsigned as `uint8` to `uint64`,
 * `float32`, `float64`, and `text` for strings of any length.
 */
export type ArrayType = NumberType | 'text';

/** Values of an array in memory: the typed array that belongs to its type, such as BigInt64Array for `int64`. */
export type ArrayValues = NumberArray;

/** Bytes of one element; 0 for texts, which have no fixed length. */
export function elementBytes(type: ArrayType): number {
  return type === 'text' ? 0 : NUMBER_ARRAYS[type].BYTES_PER_ELEMENT;
}

/** A box within an array: its first element and its size along each dimension. */
export interface Box {
  readonly start: readonly number[];
  readonly count: readonly number[];
}

/**
 * A file, or a store, of named arrays with dimensions and attributes, opened for reading: what NetCDF, HDF5, Zarr and
 * GRIB have in common. Readers give arrays exactly as they are stored; what they mean (units, calendars, packing,
 * members) is decided elsewhere, by the CF conventions. Any object of this form can be used, so that you can read other
 * formats.
 */
export interface ArrayFile {
  /** The name of the format for people: `NetCDF4`. */
  readonly format: string;
  /** The name of the file or store in messages. */
  readonly source: string;
  readonly attributes: Attributes;
  /** In the order of the file; those in groups by their path, `group/name`. */
  readonly arrays: ReadonlyMap<string, StoredArray>;
  /** What was found when it was opened that people should know: damaged parts, parts that are not read. */
  readonly notices?: readonly string[];
  /** What was found that is usual, and should be known, such as bytes that were skipped. */
  readonly notes?: readonly string[];
  /** Whether it is an archive that grows run by run, the newest of which may not be complete yet. */
  readonly isArchive?: boolean;
  /** Where arrays join runs of several times, as one series or as members: each of them alone. */
  readonly runs?: JoinedRuns;
  /** Where it is made of slices of time: the names of the files all of whose times are from one to another, in seconds. */
  filesWithin?(from: number, to: number): readonly string[];
  close(): Promise<void>;
}

/** Runs that arrays of a file join. */
export interface JoinedRuns {
  /** The times at which they begin, in seconds since 1970-01-01 UTC, ascending. */
  readonly seconds: readonly number[];
  /** The file with the values of one run alone. */
  select(seconds: number): Promise<ArrayFile>;
}

/** An array of a file; its values are read on request. */
export interface StoredArray {
  readonly name: string;
  readonly type: ArrayType;
  /** The names of its dimensions, the slowest first; arrays that share a dimension use the same name for it. */
  readonly dimensions: readonly string[];
  /** The length of each dimension; an empty list for a single value. */
  readonly shape: readonly number[];
  readonly attributes: Attributes;
  /**
   * The shape of the chunks, if the array is stored in chunks: a chunk can only be read in full, unless there is a
   * `chunkPart`.
   */
  readonly chunk?: readonly number[];
  /**
   * The shape of the smallest parts of a chunk, such as rows, if they can be read apart: to read a chunk in parts, one
   * after the other, costs little more than to read it in full.
   */
  readonly chunkPart?: readonly number[];
  /**
   * The names of the filters, or codecs, that chunks were stored with, in the order in which they were applied; for
   * people.
   */
  readonly filters?: readonly string[];
  /** Of latitudes that are computed from rows and columns on a plane: its projection. */
  readonly projection?: GridProjection;
  /**
   * Where it holds several runs that nothing says belong together: in `series`, one after the other in time, or `apart`,
   * with steps that have no common axis, so that one has to be selected. See `ArrayFile.runs`.
   */
  readonly severalRuns?: 'series' | 'apart';
  /** What people should know who use its values: which of them are missing. */
  readonly notices?: readonly string[];
  /** Whether values are decoded on the calling thread as they are read, so that several reads at once gain nothing. */
  readonly readsInTurn?: boolean;
  /** Of a file that is elsewhere: brings what boxes that will be read are stored as, together. */
  fetch?(boxes: readonly Box[]): Promise<void>;
  /** Whether nothing of a box is stored, where a reader knows that without reading. */
  isAbsent?(box: Box): boolean;
  /** Whether values were read, and not one of them was ever written. */
  readonly isUnwritten?: boolean;
  /**
   * Where reads took chunks that are not in the store as missing: the value that these have if their writer left out what
   * is all of this value, unless it stands for missing ones.
   */
  readonly absentValue?: number | undefined;
  /** Where several files make it up: the names of files of which all values that were read are missing, while others have some. */
  filesWithoutValues?(): readonly string[];
  /**
   * Reads a box into the first elements of `into`, which has the type of the array: the last dimension varies fastest.
   * Returns the boxes within it that were never written or are not in the store; what `into` has there means nothing.
   * Not for texts. Throws FormatError where what is stored is cut, damaged or filtered in a way that is not read, and
   * FileError where it cannot be had.
   */
  read(box: Box, into: ArrayValues): Promise<readonly Box[]>;
  /** All values of an array of texts, the last dimension fastest. */
  readTexts(): Promise<readonly string[]>;
}

const UTF8 = 'utf-8';
const LATIN1 = 'windows-1252';

/** The text of bytes in a file: UTF-8, or else Windows-1252; NULs at its end are removed. */
export function storedText(bytes: Uint8Array): string {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length--;
  const text = bytes.slice(0, length);
  try {
    return new TextDecoder(UTF8, { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    return new TextDecoder(LATIN1).decode(text);
  }
}

/** The bytes of values, as a view. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayValues): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
