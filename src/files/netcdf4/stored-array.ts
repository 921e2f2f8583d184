import type { StoredArray } from '../array/array-file.js';
import { checkedBytes, notText } from '../array/box.js';
import type { RandomAccess } from '../array/random-access.js';
import { checkFilters } from './check-filters.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import type { Hdf5Dataset } from './list-datasets.js';
import { type NamedDimension, nameOf } from './name-dimensions.js';
import { OwnChunks } from './own-chunks.js';
import { ownAttributes } from './read-attributes.js';
import { absentBoxes, readBoxes, storedBox } from './read-box.js';
import { readTexts } from './read-texts.js';
import { arrayType, isCharacters } from './stored-type.js';

/**
 * A dataset as an array with these `dimensions`; undefined where it has neither plain numbers nor texts.
 *
 * What was never written of it reads as HDF5's fill value: in NetCDF files that is `_FillValue`, or else NetCDF's default one for the type.
 * Where the writer turned filling off, it reads as NaN, or as the integer whose bits are all set. Where an array that grows is shorter
 * than its dimension, the rest is absent.
 */
export function storedArray(
  file: Hdf5Handle,
  access: RandomAccess,
  dataset: Hdf5Dataset,
  dimensions: readonly NamedDimension[],
): StoredArray | undefined {
  const { path, metadata, attributes } = dataset;
  const type = arrayType(metadata);
  if (type === undefined || metadata.shape === null) return undefined;
  const name = nameOf(path);
  const subject = `${file.source}, array ${name}`;
  const rank = metadata.shape.length - (isCharacters(metadata) ? 1 : 0);
  const own = dimensions.slice(0, rank);
  const array = {
    name,
    type,
    dimensions: own.map((dimension) => dimension.name),
    shape: type === 'text' ? metadata.shape.slice(0, rank) : own.map((dimension) => dimension.length),
    attributes: ownAttributes(attributes),
    ...(metadata.chunks !== null && { chunk: metadata.chunks.slice(0, rank) }),
  };
  const part = {
    path,
    subject,
    shape: metadata.shape,
    chunk: metadata.chunks ?? metadata.shape.map(() => 1),
    elementBytes: metadata.size,
  };
  let isChecked = false;
  const checkOnce = () => {
    if (!isChecked) checkFilters(file, dataset, subject);
    isChecked = true;
  };
  let opening: Promise<OwnChunks | undefined> | undefined;
  const ownChunks = () => {
    const isOurs = metadata.chunks !== null && metadata.littleEndian;
    opening ??= isOurs ? OwnChunks.open(file, access, part, type) : Promise.resolve(undefined);
    return opening;
  };
  return {
    ...array,
    get filters() {
      return file.ask(subject, (library, id) => library.get_dataset_filters(id, path)).map(({ name }) => name);
    },
    async read(box, into) {
      const bytes = checkedBytes(array, box, into);
      file.assertOpen();
      checkOnce();
      const stored = storedBox(box, part.shape);
      const own = await ownChunks();
      const others = own === undefined ? [stored] : await own.read(stored, box, into);
      readBoxes(file, part, others, { box, into: bytes });
      await access.checkUnchanged();
      return absentBoxes(box, stored);
    },
    async readTexts() {
      if (type !== 'text') throw notText(name);
      checkOnce();
      const texts = readTexts(file, path, subject, metadata);
      await access.checkUnchanged();
      return texts;
    },
  };
}
