import type { Attributes } from '../array/array-file.js';
import type { StoredType } from './stored-type.js';

/** A step between elements and stored bytes, in terms of Zarr v3. */
export interface CodecMetadata {
  readonly name: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** The metadata of an array in a store of either version of Zarr. */
export interface ArrayMetadata {
  /** From the root of the store, without a slash before it; empty for the root itself. */
  readonly path: string;
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly stored: StoredType;
  /** Undefined if they have no names. */
  readonly dimensions: readonly string[] | undefined;
  readonly attributes: Attributes;
  /** The value of elements that are in no chunk; undefined if not stated. */
  readonly fill: number | string | undefined;
  /** In the order in which the writer applied them. */
  readonly codecs: readonly CodecMetadata[];
  /** The key of a chunk within the array, from its place in the grid of chunks. */
  chunkKey(place: readonly number[]): string;
}
