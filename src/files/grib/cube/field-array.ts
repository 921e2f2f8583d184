import { type GribKernels, giveGribKernels, takeGribKernels } from '../../../core/grib-kernels.js';
import type { FormatError } from '../../../errors.js';
import type { AttributeValue, Box, StoredArray } from '../../array/array-file.js';
import { checkedBytes, copyBox, elements, notText, rowStrides } from '../../array/copy-box.js';
import { FilesWithValues } from '../../array/files-with-values.js';
import type { RandomAccess } from '../../array/random-access.js';
import { readGrib1Values } from '../packing/grib1-values.js';
import { hasParts, readGrib2Values } from '../packing/grib2-values.js';
import { type PackingIndex, PackingIndices, type StoredRange } from '../packing/packing-index.js';
import { levelType, levelValue } from '../product/level.js';
import { isOrderedByRows, orderByRows } from '../scan-order.js';
import type { CubeDimensions } from './coordinates.js';
import type { Cube } from './cube.js';
import type { GribFiles } from './grib-files.js';
import { type IndexedField, timeText } from './indexed-field.js';

/** A field within a box: its indices along runs, members and times. */
interface FieldPlace {
  readonly indices: readonly number[];
  readonly field: IndexedField | undefined;
}

/**
 * The array of a cube: float64, NaN where a value is missing. A chunk is a field, of which a box decodes the rows that
 * it touches, or in some packings and scanning modes all.
 * Fields that no file has are absent; where a file is damaged, a box that touches one throws its fault, as the field
 * may be what is damaged.
 */
export function fieldArray(
  files: GribFiles,
  cube: Cube,
  { names: dimensions, shape }: CubeDimensions,
  faults: readonly FormatError[],
): StoredArray {
  const { name, sample } = cube;
  const leading = shape.length - sample.grid.shape.length;
  const chunk = shape.map((length, d) => (d < leading ? 1 : length));
  const array = { name, type: 'float64' as const, dimensions, shape, chunk, attributes: attributesOf(cube) };
  const notices = [...(cube.notice === undefined ? [] : [cube.notice]), ...noticesOf(cube)];
  const indices = new PackingIndices();
  const seen = new FilesWithValues();
  const names = new Map<number, string>();
  return {
    ...array,
    ...(isInParts(sample) && { chunkPart: shape.map((length, d) => (d > leading ? length : 1)) }),
    ...(notices.length > 0 && { notices }),
    ...(cube.severalRuns !== undefined && { severalRuns: cube.severalRuns }),
    filters: ['GRIB'],
    readsInTurn: true,
    isAbsent: (box) => fieldPlaces(cube, box, leading).every(({ field }) => field === undefined),
    async read(box, into) {
      checkedBytes(array, box, into);
      if (cube.problem !== undefined) throw cube.problem;
      const places = fieldPlaces(cube, box, leading);
      const missing = places.filter(({ field }) => field === undefined);
      if (missing.length > 0 && faults.length > 0) throw faults[0];
      const kernels = await takeGribKernels();
      try {
        const part = { start: box.start.slice(leading), count: box.count.slice(leading) };
        const reading = { kernels, box: part, shape: sample.grid.shape, indices };
        await readPlaces(files, places, reading, into as Float64Array);
        const length = elements(part.count);
        for (const [i, { indices, field }] of places.entries()) {
          // Many arrays have no value at the start of a run.
          if (field === undefined || files.count < 2 || indices[leading - 1] === 0) continue;
          names.set(field.file, field.field.source);
          seen.add(field.file, () => {
            for (let at = i * length; at < (i + 1) * length; at++) if (!Number.isNaN(into[at])) return true;
            return false;
          });
        }
      } finally {
        giveGribKernels(kernels);
      }
      return missing.map(({ indices }) => ({
        start: [...indices, ...box.start.slice(leading)],
        count: [...indices.map(() => 1), ...box.count.slice(leading)],
      }));
    },
    filesWithoutValues: () => seen.without().map((file) => names.get(file) as string),
    readTexts: async () => Promise.reject(notText(name)),
  };
}

/** Whether the rows of a field can be read apart. Of edition 1 the headers that are read do not say it. */
function isInParts({ field, grid }: IndexedField): boolean {
  return field.edition === 2 && isOrderedByRows(grid.scanningMode) && hasParts(field);
}

/** The fields of a box, in the order of its elements. */
function fieldPlaces(cube: Cube, { start, count }: Box, leading: number): FieldPlace[] {
  const places: FieldPlace[] = [];
  const [hasRuns, hasMembers] = [cube.runs !== undefined, leading - (cube.runs === undefined ? 0 : 1) === 2];
  const total = elements(count.slice(0, leading));
  for (let i = 0; i < total; i++) {
    const indices: number[] = [];
    for (let d = leading - 1, rest = i; d >= 0; d--) {
      indices.unshift(start[d] + (rest % count[d]));
      rest = Math.floor(rest / count[d]);
    }
    const time = indices[leading - 1];
    const member = hasMembers ? indices[leading - 2] : 0;
    places.push({ indices, field: cube.field(hasRuns ? indices[0] : 0, member, time) });
  }
  return places;
}

/** What is read of fields together. */
interface Reading {
  readonly kernels: GribKernels;
  /** The part of each field, along rows and columns. */
  readonly box: Box;
  /** The shape of the grid. */
  readonly shape: readonly number[];
  readonly indices: PackingIndices;
}

async function readPlaces(
  files: GribFiles,
  places: readonly FieldPlace[],
  reading: Reading,
  into: Float64Array,
): Promise<void> {
  const length = elements(reading.box.count);
  if (length === 0) return;
  for (let i = 0; i < places.length; ) {
    const { field: first } = places[i];
    if (first === undefined) {
      into.fill(Number.NaN, i * length, (i + 1) * length);
      i++;
      continue;
    }
    // Fields of one file that follow one another: whether it has changed is looked at once.
    let end = i + 1;
    while (places[end]?.field?.file === first.file) end++;
    await files.use(first.file, async (access) => {
      for (; i < end; i++) {
        const part = into.subarray(i * length, (i + 1) * length);
        await readBox(access, places[i].field as IndexedField, reading, part);
      }
      await access.checkUnchanged();
    });
  }
}

/** Reads the rows of a box, or the whole field where it is not stored row by row. */
async function readBox(
  access: RandomAccess,
  { field, grid }: IndexedField,
  { kernels, box, shape, indices }: Reading,
  into: Float64Array,
): Promise<void> {
  const isByRows = isOrderedByRows(grid.scanningMode);
  const rows = { start: [...box.start], count: [...box.count] };
  for (let d = isByRows ? 1 : 0; d < shape.length; d++) [rows.start[d], rows.count[d]] = [0, shape[d]];
  const length = elements(rows.count);
  const isOfRows = length === elements(box.count);
  const values = isOfRows ? into : new Float64Array(length);
  const from = rows.start[0] * elements(shape.slice(1));
  // Nothing needs to be known of fields that are read whole.
  const index = length === elements(shape) ? {} : indices.of(field);
  await readValues(kernels, access, { field, grid }, index, { from, to: from + length }, values);
  if (!isByRows) orderValues(values, { field, grid });
  if (!isOfRows) copyPart(values, rows, into, box);
}

function copyPart(values: Float64Array, of: Box, into: Float64Array, box: Box): void {
  const from = { values, start: of.start, strides: rowStrides(of.count) };
  copyBox(from, { values: into, start: box.start, strides: rowStrides(box.count) }, box);
}

/** Reads the values of some points, in the order in which they are stored. */
async function readValues(
  kernels: GribKernels,
  access: RandomAccess,
  { field, grid }: Pick<IndexedField, 'field' | 'grid'>,
  index: PackingIndex,
  range: StoredRange,
  into: Float64Array,
): Promise<void> {
  if (field.edition === 1) await readGrib1Values(kernels, access, { field, grid }, index, range, into);
  else await readGrib2Values(kernels, access, field, index, range, into);
}

/** Brings the values of a whole field into the order of rows. */
function orderValues(values: Float64Array, { field, grid }: Pick<IndexedField, 'field' | 'grid'>): void {
  const [rows, columns] = grid.shape;
  const shape = grid.rowLengths === undefined ? { rows, columns } : { rowLengths: grid.rowLengths };
  const ordered = orderByRows(values, shape, grid.scanningMode, `${field.source}, message ${field.message}`);
  if (ordered !== values) values.set(ordered);
}

/** What is known of an array, in the words of CF and of cfgrib. */
function attributesOf(cube: Cube): Map<string, AttributeValue> {
  const { sample, name, runs, reference, isSinceStart, times } = cube;
  const { parameter, product, grid } = sample;
  const { derived, stepType, level } = product;
  const ranges = stepRanges(cube);
  const all: [string, AttributeValue | undefined][] = [
    // Nothing else stands for a missing value, so that none has to be looked for.
    ['_FillValue', Number.NaN],
    ['standard_name', derived === undefined ? standardName(sample) : undefined],
    ['long_name', derived === undefined ? parameter.name : `${parameter.name}, computed from all members`],
    ['units', parameter.units],
    ['cell_methods', stepType === 'other' ? 'time: unknown' : undefined],
    ['GRIB_shortName', name],
    ['GRIB_stepType', stepType === 'other' ? undefined : stepType],
    ['GRIB_stepRange', ranges],
    // Without bounds, as runs of different times have different starts.
    ['GRIB_startStep', isSinceStart && times.starts === undefined && runs === undefined ? 0 : undefined],
    ['GRIB_typeOfLevel', levelType(level)],
    ['GRIB_level', levelValue(level)],
    ['GRIB_gridType', grid.type],
    ['GRIB_centre', product.parameter.centre],
    ['GRIB_modelVersion', product.modelVersion === undefined ? undefined : timeText(product.modelVersion)],
    ['coordinates', runs === undefined && reference !== undefined ? 'forecast_reference_time' : undefined],
  ];
  return new Map(all.filter((entry): entry is [string, AttributeValue] => entry[1] !== undefined));
}

/** Components of the wind that are along the rows and columns of a grid. */
const ALONG_GRID = new Map([
  ['eastward_wind', 'x_wind'],
  ['northward_wind', 'y_wind'],
]);

function standardName({ parameter: { standardName: name }, grid }: IndexedField): string | undefined {
  return grid.hasTurnedVectors && name !== undefined ? (ALONG_GRID.get(name) ?? name) : name;
}

/** The steps of a run in hours, `0-6`, where all are of whole hours. */
function stepRanges({ runs, reference, times: { starts, ends } }: Cube): readonly string[] | undefined {
  const origin = runs === undefined ? reference : 0;
  if (starts === undefined || origin === undefined) return undefined;
  const hours = (time: number) => (time - origin) / 3600;
  const isWhole = [...starts, ...ends].every((time) => Number.isInteger(hours(time)));
  return isWhole ? ends.map((end, i) => `${hours(starts[i])}-${hours(end)}`) : undefined;
}

/** Examples of missing fields in a notice. */
const EXAMPLES = 3;

function noticesOf({ members, times, runs, missing, field, hasMember }: Cube): string[] {
  if (missing === 0) return [];
  const examples: string[] = [];
  let of = 0;
  for (let run = 0; run < (runs?.length ?? 1); run++) {
    for (const [member, name] of members.names.entries()) {
      if (!hasMember(run, member)) continue;
      of += times.ends.length;
      for (const [time, end] of times.ends.entries()) {
        if (examples.length === EXAMPLES) break;
        if (field(run, member, time) !== undefined) continue;
        const when = runs === undefined ? timeText(end) : `${timeText(runs[run])} + ${end / 3600} h`;
        examples.push(`member ${name} at ${when}`);
      }
    }
  }
  const more = missing > examples.length ? ', ...' : '';
  return [`${missing} of ${of} fields are in no file, and missing: ${examples.join(', ')}${more}`];
}
