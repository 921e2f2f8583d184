import type { Attributes } from '../array/array-file.js';
import type { StoredType } from './stored-type.js';

/** A step between elements and stored bytes, in the terms of Zarr v3. */
export interface CodecMetadata {
  readonly name: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** What a store says of an array, whichever version of Zarr it has. */
export interface ArrayMetadata {
  /** From the root of the store, without a slash before it; empty for the root itself. */
  readonly path: string;
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly stored: StoredType;
  /** Undefined where they have no names. */
  readonly dimensions: readonly string[] | undefined;
  readonly attributes: Attributes;
  /** What elements are that are in no chunk; undefined where nothing is said. */
  readonly fill: number | string | undefined;
  /** In the order in which they are applied when written. */
  readonly codecs: readonly CodecMetadata[];
  /** The key of a chunk within the array, by its place in the grid of chunks. */
  chunkKey(place: readonly number[]): string;
}
