import type { Metadata } from 'h5wasm';
import { FormatError } from '../../errors.js';
import type { Attributes } from '../array/array-file.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import { readAttributes } from './read-attributes.js';

/** A dataset of the file, with all of its attributes. */
export interface Hdf5Dataset {
  /** From the root: `/group/name`. */
  readonly path: string;
  readonly metadata: Metadata;
  readonly attributes: Attributes;
}

/** Groups that are deeper within each other hold themselves. */
const MAX_DEPTH = 64;
/** Groups that are each in several groups are met by every way that leads to them: there is no end to these. */
const MAX_WAYS = 100;

/**
 * All datasets of a file, in its order, those of groups where the group stands. Links to other places are not followed.
 */
export function listDatasets(file: Hdf5Handle): readonly Hdf5Dataset[] {
  const found: Hdf5Dataset[] = [];
  const waysTo = new Map<string, number>();

  function visit(group: string, depth: number): void {
    if (depth > MAX_DEPTH) {
      throw new FormatError({ subject: file.source, problem: `has groups more than ${MAX_DEPTH} deep` });
    }
    const address = String(file.ask(file.source, (library, id) => library.create_object_reference(id, group || '/')));
    const ways = (waysTo.get(address) ?? 0) + 1;
    waysTo.set(address, ways);
    if (ways > MAX_WAYS) {
      throw new FormatError({ subject: file.source, problem: `has a group that is in more than ${MAX_WAYS} places` });
    }
    const names = file.ask(file.source, (library, id) => library.get_names(id, group || '/', false));
    for (const name of names) {
      const path = `${group}/${name}`;
      const { isGroup, isDataset } = kindOf(file, path);
      if (isGroup) visit(path, depth + 1);
      if (isDataset) {
        const metadata = file.ask(path, (library, id) => library.get_dataset_metadata(id, path));
        found.push({ path, metadata, attributes: readAttributes(file, path) });
      }
    }
  }
  visit('', 0);
  return found;
}

function kindOf(file: Hdf5Handle, path: string): { isGroup: boolean; isDataset: boolean } {
  return file.ask(path, (library, id) => {
    const isLink = library.get_symbolic_link(id, path) !== null;
    const type = isLink ? undefined : library.get_type(id, path);
    return { isGroup: type === library.H5G_GROUP, isDataset: type === library.H5G_DATASET };
  });
}
