import type { ArrayValues, Box, StoredArray } from '../../array/array-file.js';
import { checkedBytes, copyBox, elements, notText, placeOfRow, rowStrides } from '../../array/copy-box.js';
import { FilesWithValues } from '../../array/files-with-values.js';
import { createArray, decodeRow, fillParts, type NumberValues, valueCoding } from '../value-coding.js';
import type { ArrayHead } from './file-content.js';
import type { FileSet } from './file-set.js';
import type { JoinAxis } from './join-plan.js';

/** Attributes by which stored numbers become values: where files differ in one, their values are decoded. */
const CODING = [
  'scale_factor',
  'add_offset',
  '_FillValue',
  'missing_value',
  'valid_min',
  'valid_max',
  'valid_range',
  '_Unsigned',
];

/** Consecutive elements of a file's array that are consecutive in the joined one. */
interface Run {
  /** The first in the file, and in the joined array. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Creates the array that files have together: along an axis that they lack each of them is one element. */
export function joinedArray(
  files: FileSet,
  name: string,
  heads: readonly ArrayHead[],
  stored: StoredArray,
  axes: readonly JoinAxis[],
): StoredArray {
  const [first] = heads;
  const before = axes.filter(({ isNew }) => isNew);
  const along = (dimension: string) => axes.find((axis) => !axis.isNew && axis.dimension === dimension);
  const isDecoded = heads.some((head) => head.type !== first.type || CODING.some((key) => isOther(head, first, key)));
  const type = isDecoded ? 'float64' : first.type;
  const attributes = new Map(first.attributes);
  if (isDecoded) for (const key of CODING) attributes.delete(key);
  const dimensions = [...before.map(({ dimension }) => dimension), ...first.dimensions];
  const shape = [
    ...before.map(({ labels }) => labels.length),
    ...first.dimensions.map((dimension, d) => along(dimension)?.labels.length ?? first.shape[d]),
  ];
  const ofDimension = [...before, ...first.dimensions.map(along)];
  /** For each file and dimension, the runs of its elements. */
  const runs = heads.map((_, file) =>
    ofDimension.map((axis, d): readonly Run[] =>
      axis === undefined ? [{ from: 0, to: 0, count: shape[d] }] : runsOf(axis.places[file]),
    ),
  );
  const head = { name, type, dimensions, shape, attributes };
  const { chunk, filters, notices, readsInTurn } = stored;
  const seen = new FilesWithValues();
  // A tile may lie in the sea, and many arrays have no value at the start of a run.
  const mayBeEmpty = (file: number) =>
    axes.some(({ kind, places }) => {
      const isStep = kind === 'time' || kind === 'lead';
      return isStep ? places[file].length === 1 && places[file][0] === 0 : kind === 'latitude' || kind === 'longitude';
    });
  let absentValue: number | undefined;
  return {
    ...head,
    get absentValue() {
      return absentValue;
    },
    ...(chunk && { chunk: [...before.map(() => 1), ...chunk] }),
    ...(filters && { filters }),
    ...(notices && { notices }),
    ...(readsInTurn && { readsInTurn }),
    async read(box, into) {
      checkedBytes(head, box, into);
      const found: Box[] = [];
      const absent: Box[] = [];
      for (const [file, ofFile] of runs.entries()) {
        for (const part of overlaps(ofFile, box)) {
          found.push({ start: part.map(({ to }) => to), count: part.map(({ count }) => count) });
          const read = {
            start: part.slice(before.length).map(({ from }) => from),
            count: part.slice(before.length).map(({ count }) => count),
          };
          await files.use(file, async ({ source, arrays }) => {
            const array = arrays.get(name) as StoredArray;
            const target = found[found.length - 1];
            const at = isDecoded ? undefined : placeOfRow(target, box);
            const length = elements(read.count);
            const values = at === undefined ? createArray(array.type, length) : into.subarray(at, at + length);
            const missing = await array.read(read, values);
            absentValue ??= array.absentValue;
            if (!mayBeEmpty(file))
              seen.add(file, () => hasValue(array, source, values.subarray(0, length), read, missing));
            if (!isDecoded) absent.push(...missing.map((each) => inJoined(each, part, before.length)));
            if (at !== undefined) return;
            const decoded = isDecoded ? decode(array, source, values, read, missing) : values;
            const from = { values: decoded, start: target.start, strides: rowStrides(target.count) };
            copyBox(from, { values: into, start: box.start, strides: rowStrides(box.count) }, target);
          });
        }
      }
      absent.push(
        ...uncovered(
          box,
          found,
          ofDimension.map((axis) => axis !== undefined),
        ),
      );
      return absent;
    },
    filesWithoutValues: () => seen.without().map((file) => files.sources[file]),
    readTexts: async () => Promise.reject(notText(name)),
  };
}

/** Values that are looked at together for one that is not missing. */
const LOOKED_AT = 4096;

/** Whether some value of a box of one file is not missing. */
function hasValue(array: StoredArray, source: string, stored: ArrayValues, box: Box, missing: readonly Box[]): boolean {
  if (missing.length > 0) return decode(array, source, stored, box, missing).some((value) => !Number.isNaN(value));
  for (let from = 0; from < stored.length; from += LOOKED_AT) {
    const some = stored.subarray(from, from + LOOKED_AT);
    if (decode(array, source, some, box, []).some((value) => !Number.isNaN(value))) return true;
  }
  return false;
}

function isOther(head: ArrayHead, first: ArrayHead, key: string): boolean {
  return head.attributes.get(key)?.toString() !== first.attributes.get(key)?.toString();
}

function runsOf(places: Int32Array): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < places.length; ) {
    let end = from + 1;
    while (end < places.length && places[end] === places[end - 1] + 1) end++;
    runs.push({ from, to: places[from], count: end - from });
    from = end;
  }
  return runs;
}

/** The parts of a file's array that lie within a box of the joined one: a run for each dimension. */
function overlaps(ofFile: readonly (readonly Run[])[], { start, count }: Box): Run[][] {
  let parts: Run[][] = [[]];
  for (const [d, runs] of ofFile.entries()) {
    const within = runs.flatMap(({ from, to, count: length }): Run[] => {
      const first = Math.max(to, start[d]);
      const end = Math.min(to + length, start[d] + count[d]);
      return end > first ? [{ from: from + first - to, to: first, count: end - first }] : [];
    });
    if (within.length === 0) return [];
    parts = parts.flatMap((part) => within.map((run) => [...part, run]));
  }
  return parts;
}

/** The values of a box of one file, NaN where missing. */
function decode(
  array: StoredArray,
  source: string,
  stored: ArrayValues,
  box: Box,
  missing: readonly Box[],
): Float64Array {
  const values = new Float64Array(stored.length);
  const numbers =
    stored instanceof BigInt64Array || stored instanceof BigUint64Array ? Float64Array.from(stored, Number) : stored;
  decodeRow(numbers as NumberValues, 0, 1, values, valueCoding(array, source));
  fillParts(values, box, missing, Number.NaN);
  return values;
}

/** A box of a file's array, read as a part, in the joined array. */
function inJoined({ start, count }: Box, part: readonly Run[], newAxes: number): Box {
  return {
    start: part.map(({ from, to }, d) => (d < newAxes ? to : to + start[d - newAxes] - from)),
    count: part.map((_, d) => (d < newAxes ? 1 : count[d - newAxes])),
  };
}

/** The parts of a box that no file has: the ones of single elements along the joined dimensions. */
function uncovered(box: Box, found: readonly Box[], isJoined: readonly boolean[]): Box[] {
  if (found.reduce((sum, { count }) => sum + elements(count), 0) === elements(box.count)) return [];
  const joined = isJoined.flatMap((is, d) => (is ? [d] : []));
  const lengths = joined.map((d) => box.count[d]);
  const isFound = new Uint8Array(elements(lengths));
  const strides = rowStrides(lengths);
  const mark = ({ start, count }: Box, j: number, at: number): void => {
    if (j === joined.length) {
      isFound[at] = 1;
      return;
    }
    const d = joined[j];
    for (let i = start[d] - box.start[d]; i < start[d] - box.start[d] + count[d]; i++)
      mark({ start, count }, j + 1, at + i * strides[j]);
  };
  for (const each of found) mark(each, 0, 0);
  const absent: Box[] = [];
  isFound.forEach((is, at) => {
    if (is) return;
    const start = [...box.start];
    const count = [...box.count];
    joined.forEach((d, j) => {
      start[d] += Math.floor(at / strides[j]) % lengths[j];
      count[d] = 1;
    });
    absent.push({ start, count });
  });
  return absent;
}
