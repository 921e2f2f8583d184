import type { NumberType } from '../../core/number-types.js';
import type { ArrayValues, Box } from '../array/array-file.js';
import { elements } from '../array/box.js';
import type { RandomAccess } from '../array/random-access.js';
import { readStrided } from '../array/read-strided.js';
import { type ContiguousLayout, type Layout, readLayout } from '../hdf5/read-layout.js';
import { bytesOf } from './element-types.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import { OwnChunks } from './own-chunks.js';
import type { StoredPart } from './read-box.js';

/** Values of a dataset that are read here, not by the HDF5 library. */
export interface OwnValues {
  /**
   * Reads what it can of `stored`, a box within `box`, to `into`, which has the size of `box`; returns the boxes that it
   * left to the library. Throws FormatError and FileError.
   */
  read(stored: Box, box: Box, into: ArrayValues): Promise<readonly Box[]>;
}

/** Reads how the values of a dataset are stored; undefined where only HDF5 knows. */
export async function storedLayout(
  file: Hdf5Handle,
  access: RandomAccess,
  { path, subject }: StoredPart,
): Promise<Layout | undefined> {
  // The address of the dataset's header.
  const reference = file.query(subject, (library, id) => library.create_object_reference(id, path));
  if (reference.length !== 8) return undefined;
  return readLayout(access, Number(new DataView(Uint8Array.from(reference).buffer).getBigUint64(0, true)));
}

/**
 * Opens the values of a dataset of little-endian numbers: chunks that are decoded here, or one run of bytes, which is
 * read to its final place without the library's copies. Undefined where only HDF5 knows how to read them. Throws
 * FormatError if the index of chunks is damaged.
 */
export async function openOwnValues(
  file: Hdf5Handle,
  access: RandomAccess,
  part: StoredPart,
  type: NumberType,
  layout: Layout | undefined,
): Promise<OwnValues | undefined> {
  if (layout?.kind === 'chunked') return OwnChunks.open(file, access, part, type, layout);
  return layout?.kind === 'contiguous' ? ownRun(access, part, layout) : undefined;
}

/** Values that are one run of bytes; undefined if the run has another length than the dataset. */
function ownRun(
  access: RandomAccess,
  { shape, elementBytes }: StoredPart,
  { at, bytes }: ContiguousLayout,
): OwnValues | undefined {
  if (bytes !== elements(shape) * elementBytes) return undefined;
  const strides = shape.map((_, d) => elements(shape.slice(d + 1)) * elementBytes);
  const values = { access, width: elementBytes, swap: undefined };
  return {
    async read(stored, box, into) {
      if (stored.count.join() !== box.count.join()) return [stored];
      await readStrided(
        values,
        { begin: at, strides },
        box,
        bytesOf(into).subarray(0, elements(box.count) * elementBytes),
      );
      return [];
    },
  };
}
