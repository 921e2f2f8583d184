import type { Metadata } from 'h5wasm';
import { FormatError } from '../../errors.js';
import type { Attributes } from '../array/array-file.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import { REFERENCES, refersElsewhere } from './other-files.js';
import { readAttributes } from './read-attributes.js';

/** A dataset of the file, with all of its attributes. */
export interface Hdf5Dataset {
  /** From the root: `/group/name`. */
  readonly path: string;
  readonly metadata: Metadata;
  readonly attributes: Attributes;
}

/** Groups that are nested deeper contain themselves. */
const MAX_DEPTH = 64;
/** A group that is in several groups is visited once for each path to it; the number of paths can grow without end. */
const MAX_PATHS = 100;

/**
 * All datasets of a file in its order, those of a group at the place of the group. Symbolic links are not followed.
 * Throws FormatError that names a link to another file.
 */
export function listDatasets(file: Hdf5Handle): readonly Hdf5Dataset[] {
  const found: Hdf5Dataset[] = [];
  const pathsTo = new Map<string, number>();

  function visit(group: string, depth: number): void {
    if (depth > MAX_DEPTH) {
      throw new FormatError({ subject: file.source, problem: `has groups more than ${MAX_DEPTH} deep` });
    }
    const address = String(file.query(file.source, (library, id) => library.create_object_reference(id, group || '/')));
    const paths = (pathsTo.get(address) ?? 0) + 1;
    pathsTo.set(address, paths);
    if (paths > MAX_PATHS) {
      throw new FormatError({ subject: file.source, problem: `has a group that is in more than ${MAX_PATHS} places` });
    }
    const names = file.query(file.source, (library, id) => library.get_names(id, group || '/', false));
    for (const name of names) {
      const path = `${group}/${name}`;
      const { isGroup, isDataset } = kindOf(file, path);
      if (isGroup) visit(path, depth + 1);
      if (isDataset) {
        const metadata = file.query(path, (library, id) => library.get_dataset_metadata(id, path));
        found.push({ path, metadata, attributes: readAttributes(file, path) });
      }
    }
  }
  visit('', 0);
  return found;
}

function kindOf(file: Hdf5Handle, path: string): { isGroup: boolean; isDataset: boolean } {
  return file.query(path, (library, id) => {
    if (library.get_symbolic_link(id, path) !== null) return { isGroup: false, isDataset: false };
    const { filename, obj_path } = library.get_external_link(id, path);
    if (filename !== undefined) {
      throw refersElsewhere(`${file.source}, ${path}`, REFERENCES.link, [`${filename}:${obj_path}`]);
    }
    const type = library.get_type(id, path);
    return { isGroup: type === library.H5G_GROUP, isDataset: type === library.H5G_DATASET };
  });
}
