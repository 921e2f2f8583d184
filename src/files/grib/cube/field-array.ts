import { type GribKernels, giveGribKernels, takeGribKernels } from '../../../core/grib-kernels.js';
import type { FormatError } from '../../../errors.js';
import type { AttributeValue, Box, StoredArray } from '../../array/array-file.js';
import { checkedBytes, elements, notText } from '../../array/box.js';
import { copyBox, rowStrides } from '../../array/copy-box.js';
import type { RandomAccess } from '../../array/random-access.js';
import { FieldIndices, type StoredRange } from '../parts/field-index.js';
import { hasParts, readFieldPart } from '../parts/read-field-part.js';
import { readGrib1Part } from '../parts/read-grib1-part.js';
import { levelType, levelValue } from '../product/level.js';
import { isOrderedByRows, orderByRows } from '../scan-order.js';
import { readFieldValues } from '../unpack-field.js';
import { readGrib1Values } from '../unpack-grib1.js';
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
  const notices = noticesOf(cube);
  const indices = new FieldIndices();
  return {
    ...array,
    ...(isInParts(sample) && { chunkPart: shape.map((length, d) => (d > leading ? length : 1)) }),
    ...(notices.length > 0 && { notices }),
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
      } finally {
        giveGribKernels(kernels);
      }
      return missing.map(({ indices }) => ({
        start: [...indices, ...box.start.slice(leading)],
        count: [...indices.map(() => 1), ...box.count.slice(leading)],
      }));
    },
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
  readonly indices: FieldIndices;
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

/** Reads a box of a field: of fields in parts its rows, of others all. */
async function readBox(access: RandomAccess, field: IndexedField, reading: Reading, into: Float64Array): Promise<void> {
  const { kernels, box, shape, indices } = reading;
  if (elements(shape) === elements(box.count)) return readValues(kernels, access, field, into);
  const rows = { start: [...box.start], count: [...box.count] };
  for (let d = 1; d < shape.length; d++) [rows.start[d], rows.count[d]] = [0, shape[d]];
  const isOfRows = elements(rows.count) === elements(box.count);
  const ofRows = isOfRows ? into : new Float64Array(elements(rows.count));
  const from = rows.start[0] * elements(shape.slice(1));
  const range = { from, to: from + ofRows.length };
  if (await readPart(kernels, access, field, indices, range, ofRows)) {
    if (!isOfRows) copyPart(ofRows, rows, into, box);
    return;
  }
  const values = new Float64Array(elements(shape));
  await readValues(kernels, access, field, values);
  copyPart(values, { start: shape.map(() => 0), count: shape }, into, box);
}

function copyPart(values: Float64Array, of: Box, into: Float64Array, box: Box): void {
  const from = { values, start: of.start, strides: rowStrides(of.count) };
  copyBox(from, { values: into, start: box.start, strides: rowStrides(box.count) }, box);
}

/** Reads the values of some points; returns false where all have to be read. */
async function readPart(
  kernels: GribKernels,
  access: RandomAccess,
  { field, grid }: IndexedField,
  indices: FieldIndices,
  range: StoredRange,
  into: Float64Array,
): Promise<boolean> {
  if (!isOrderedByRows(grid.scanningMode)) return false;
  const index = indices.of(field);
  if (field.edition === 1) return readGrib1Part(kernels, access, { field, grid }, index, range, into);
  if (!hasParts(field)) return false;
  await readFieldPart(kernels, access, field, index, range, into);
  return true;
}

/** Reads the values of a field, row by row. */
async function readValues(
  kernels: GribKernels,
  access: RandomAccess,
  { field, grid }: IndexedField,
  into: Float64Array,
): Promise<void> {
  if (field.edition === 1) await readGrib1Values(kernels, access, field, grid, into);
  else await readFieldValues(kernels, access, field, into);
  const [rows, columns] = grid.shape;
  const shape = grid.rowLengths === undefined ? { rows, columns } : { rowLengths: grid.rowLengths };
  const ordered = orderByRows(into, shape, grid.scanningMode, `${field.source}, message ${field.message}`);
  if (ordered !== into) into.set(ordered);
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
