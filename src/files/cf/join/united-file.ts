import { NUMBER_ARRAYS, type NumberArray } from '../../../core/number-arrays.js';
import type { ArrayFile, AttributeValue, StoredArray, UnreadAttribute } from '../../array/array-file.js';
import { FILE_IDENTITY } from './file-content.js';

/** Arrays of more values are not compared: they are data, not coordinates. */
const MAX_COMPARED = 2 ** 20;

/**
 * One file of the arrays of several, such as one for each variable of a grid: each has arrays of its own, and what they
 * have in common, such as coordinates, is the same in all. Returns why they are not one where it is not; then they stay open.
 */
export async function unitedFile(files: readonly ArrayFile[], source: string): Promise<ArrayFile | string> {
  const arrays = new Map<string, { readonly array: StoredArray; readonly file: ArrayFile }>();
  const sizes = new Map<string, { readonly size: number; readonly file: ArrayFile }>();
  for (const file of files) {
    if (file.runs !== undefined) return `${file.source} has several runs`;
    for (const array of file.arrays.values()) {
      for (const [d, dimension] of array.dimensions.entries()) {
        const size = array.shape[d];
        const known = sizes.get(dimension);
        if (known === undefined) sizes.set(dimension, { size, file });
        else if (known.size !== size)
          return `the dimension ${dimension} has ${known.size} values in ${known.file.source}, and ${size} in ${file.source}`;
      }
      const known = arrays.get(array.name);
      if (known === undefined) arrays.set(array.name, { array, file });
      else if (!(await areSame(known.array, array)))
        return `the array ${array.name} is not the same in ${known.file.source} and in ${file.source}`;
    }
  }
  for (const file of files) {
    const others = files.filter((other) => other !== file);
    if ([...file.arrays.keys()].every((name) => others.some((other) => other.arrays.has(name))))
      return `${file.source} has no array that the others do not have`;
  }
  const [first] = files;
  for (const name of FILE_IDENTITY) {
    const stated = (file: ArrayFile) => String(file.attributes.get(name) ?? 'none');
    const other = files.find((file) => stated(file) !== stated(first));
    if (other !== undefined)
      return `the attribute ${name} is ${stated(first)} in ${first.source}, and ${stated(other)} in ${other.source}`;
  }
  return {
    ...{ format: first.format, source },
    attributes: sharedAttributes(files),
    arrays: new Map([...arrays].map(([name, { array }]) => [name, array])),
    notices: files.flatMap(({ notices = [] }) => notices),
    notes: [`${files.length} files are one: each has other arrays`, ...files.flatMap(({ notes = [] }) => notes)],
    isArchive: files.some(({ isArchive }) => isArchive === true),
    close: async () => {
      for (const file of files) await file.close();
    },
  };
}

async function areSame(one: StoredArray, other: StoredArray): Promise<boolean> {
  const size = one.shape.reduce((product, length) => product * length, 1);
  if (one.type !== other.type || String(one.dimensions) !== String(other.dimensions) || size > MAX_COMPARED)
    return false;
  if (!areSameAttributes(one, other)) return false;
  if (one.type === 'text') return String(await one.readTexts()) === String(await other.readTexts());
  const [ours, theirs] = await Promise.all([one, other].map((array) => valuesOf(array, size)));
  return ours.every((value, i) => Object.is(value, theirs[i]));
}

async function valuesOf(array: StoredArray, size: number): Promise<NumberArray> {
  const values = new NUMBER_ARRAYS[array.type as keyof typeof NUMBER_ARRAYS](size);
  if (size > 0) await array.read({ start: array.shape.map(() => 0), count: array.shape }, values);
  return values;
}

/** Attributes that say what values are; others, such as the history of a file, may differ. */
const MEANING = ['units', 'calendar', 'scale_factor', 'add_offset', '_FillValue', 'missing_value', 'bounds'];

function areSameAttributes(one: StoredArray, other: StoredArray): boolean {
  return MEANING.every((name) => String(one.attributes.get(name)) === String(other.attributes.get(name)));
}

/** The attributes of files that are the same in all. */
function sharedAttributes(files: readonly ArrayFile[]): ReadonlyMap<string, AttributeValue | UnreadAttribute> {
  const [first, ...others] = files;
  return new Map(
    [...first.attributes].filter(([name, value]) =>
      others.every(({ attributes }) => attributes.has(name) && String(attributes.get(name)) === String(value)),
    ),
  );
}
