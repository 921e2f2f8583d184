import type { PlaceIndex } from '../../../ensemble/nearest-place.js';
import type { Axis, Dataset } from '../dataset.js';

/** What a dataset reads a variable from. */
interface CellReader {
  read(cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void>;
}

/** One part of a store in a folder: a file a variable, all of the same places. */
export class FolderDataset implements Dataset {
  readonly #readers: ReadonlyMap<string, CellReader>;

  constructor(
    readonly revision: string,
    readonly places: PlaceIndex,
    readonly variables: ReadonlyMap<string, Axis>,
    readers: ReadonlyMap<string, CellReader>,
  ) {
    this.#readers = readers;
  }

  read(slug: string, cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void> {
    return (this.#readers.get(slug) as CellReader).read(cell, into);
  }
}
