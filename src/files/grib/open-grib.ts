import { DataError, FormatError, inWords } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import type { ArraySelection } from '../array/array-selection.js';
import { Coordinates } from './cube/coordinates.js';
import { type Cube, createCube } from './cube/cube.js';
import { fieldArray } from './cube/field-array.js';
import type { GribFiles } from './cube/grib-files.js';
import { groupFields } from './cube/group-fields.js';
import { fieldText, type IndexedField, timeText } from './cube/indexed-field.js';
import { type FieldIndex, findFields, type Gap } from './index-fields.js';
import { selectFields } from './inventory/selected-fields.js';
import type { GribGap } from './messages.js';

/**
 * Opens GRIB files that belong together: an array for each parameter, level, statistical process and grid, with
 * dimensions of members, times and places. Reads the headers of all messages; values are read on request. With a
 * selection, messages of other parameters are left out where index files stand beside the files, unless something is
 * missing then. Throws FormatError where nothing in them can be read, DataError where two fields are of the same member
 * and time, and FileError.
 */
export async function openGribFiles(files: GribFiles, selection?: ArraySelection): Promise<ArrayFile> {
  if (selection === undefined || files.readInventory === undefined) return allFields(files);
  const { index, isPartial, notices } = await selectFields(files, selection);
  if (index.fields.length > 0 || !isPartial) {
    if (!isPartial) assertLasting(files, index);
    const { file, isComplete } = await toArrayFile(files, index, notices);
    if (!isPartial || (isComplete && selection.isIn(file))) return file;
  }
  return allFields(files, notices);
}

async function allFields(files: GribFiles, notices?: readonly string[]): Promise<ArrayFile> {
  const index = await findFields(files);
  assertLasting(files, index);
  return (await toArrayFile(files, index, notices)).file;
}

/** Makes arrays of fields; says whether each has a field for all its members and times. */
async function toArrayFile(
  files: GribFiles,
  index: FieldIndex,
  notices: readonly string[] = [],
): Promise<{ readonly file: ArrayFile; readonly isComplete: boolean }> {
  assertFields(files, index);
  const groups = groupFields(index.fields);
  const cubes = groups.map((group) => createCube(files.source, group));
  const repeated = await countRepeated(files, cubes);
  const coordinates = new Coordinates();
  const arrays = cubes.map((cube) => fieldArray(files, cube, coordinates.dimensionsOf(cube), index.faults));
  const references = new Set(cubes.map(({ reference }) => reference));
  const [reference] = references;
  if (references.size === 1 && reference !== undefined) coordinates.addReference(reference);
  const joined = joinedRuns(index, cubes);
  const file: ArrayFile = {
    ...{ format: 'GRIB', source: files.source, attributes: new Map() },
    arrays: new Map<string, StoredArray>([
      ...arrays.map((array) => [array.name, array] as const),
      ...coordinates.arrays,
    ]),
    notices: [
      ...notices,
      ...Array.from(
        index.leftOut,
        ([what, count]) => `${count} ${count === 1 ? 'field is' : 'fields are'} left out: ${what}`,
      ),
      ...index.faults.map(({ message }) => withoutSource(message, files.source)),
      ...(repeated === 0
        ? []
        : [
            `${repeated} ${repeated === 1 ? 'field is' : 'fields are'} there twice, with the same bytes, and counted once`,
          ]),
      ...groups.flatMap(({ notice }) => notice ?? []),
      ...new Set(cubes.flatMap(({ sample }) => sample.grid.notice ?? [])),
      ...Array.from(
        countNotices(index),
        ([notice, count]) => `${count} ${count === 1 ? 'field' : 'fields'}: ${notice}`,
      ),
    ],
    ...(index.gaps.size > 0 && { notes: [...index.gaps].map(gapText) }),
    ...(joined !== undefined && {
      runs: {
        seconds: joined,
        select: async (seconds) => {
          const fields = index.fields.filter(({ product }) => product.reference === seconds);
          return (await toArrayFile(files, { ...index, fields }, notices)).file;
        },
      },
    }),
    close: () => files.close(),
  };
  return { file, isComplete: cubes.every(({ missing }) => missing === 0) };
}

/** What was taken against what fields say of their times, with the number of fields. */
function countNotices({ fields }: FieldIndex): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { product } of fields)
    if (product.notice !== undefined) counts.set(product.notice, (counts.get(product.notice) ?? 0) + 1);
  return counts;
}

/** The reference times of several runs, unless each array has them as a dimension, and all have the same leads. */
function joinedRuns({ fields }: FieldIndex, cubes: readonly Cube[]): number[] | undefined {
  if (cubes.every(({ runs, problem }) => runs !== undefined && problem === undefined)) return undefined;
  const times = new Set(fields.map(({ product }) => product.reference));
  return times.size < 2 ? undefined : [...times].sort((a, b) => a - b);
}

const GAPS: Readonly<Record<GribGap['what'], string>> = {
  zeros: 'zero bytes lie between, before or behind messages: padding, or messages that were never written',
  head: 'bytes before the first message are skipped: the head of a file, or a damaged message',
  rest: 'bytes behind the last message are skipped: too few for a message, unless it is cut',
};

/** What people are told of bytes outside of messages. */
function gapText([what, { bytes, files }]: readonly [GribGap['what'], Gap]): string {
  return `${bytes} ${GAPS[what]}${files.size > 1 ? ` (in ${files.size} files)` : ''}`;
}

/** A message within a notice, which names the source itself. */
function withoutSource(message: string, source: string): string {
  return message.startsWith(`${source}, `) ? message.slice(source.length + 2) : message;
}

function assertFields({ source }: GribFiles, { fields, faults, leftOut, grids }: FieldIndex): void {
  if (fields.length > 0) return;
  if (faults.length > 0) throw faults[0];
  const [what] = leftOut.keys();
  for (const grid of grids.values()) if (grid instanceof FormatError && grid.message === what) throw grid;
  throw new FormatError({
    subject: source,
    problem: what === undefined ? 'has no GRIB message' : `has no field that is read, but ${what}`,
    allowed: 'GRIB messages',
  });
}

/** Throws FormatError where all values are over no time, as amounts at the start of a run are: no array has these. */
function assertLasting({ source }: GribFiles, { fields, faults }: FieldIndex): void {
  const [first] = fields;
  if (
    first === undefined ||
    fields.some(({ product: { stepType, start, end } }) => stepType === 'instant' || end > start)
  )
    return;
  if (faults.length > 0) throw faults[0];
  const { end } = first.product;
  throw new FormatError({
    subject: source,
    problem: 'has only values over intervals of no length, as at the start of a run, before its first step',
    received: `${first.parameter.shortName}: start and end ${new Date(end * 1000).toISOString().replace('.000', '')}`,
    allowed: 'values over intervals of some length, too',
  });
}

/**
 * The number of fields that are there twice with the same bytes. Throws DataError where two fields of the same member
 * and time differ.
 */
async function countRepeated(files: GribFiles, cubes: readonly Cube[]): Promise<number> {
  let count = 0;
  for (const { name, duplicates } of cubes) {
    for (const [one, other] of duplicates) {
      if (!(await haveSameBytes(files, one, other))) throw duplicateError(files.source, name, one, other);
      count++;
    }
  }
  return count;
}

async function haveSameBytes(files: GribFiles, one: IndexedField, other: IndexedField): Promise<boolean> {
  const [first, second] = [await dataBytes(files, one), await dataBytes(files, other)];
  return first.length === second.length && first.every((byte, i) => byte === second[i]);
}

/** The bytes that the values of a field come from: its packing, bitmap and packed values. */
async function dataBytes(files: GribFiles, { file, field }: IndexedField): Promise<Uint8Array> {
  const ranges =
    field.edition === 1
      ? [field.section3, field.section4]
      : [field.bitmapIndicator === 0 ? field.section6 : undefined, field.section7];
  // The decimal scale factor of edition 1.
  const header = field.edition === 1 ? field.section1.subarray(26, 28) : field.section5;
  const length = ranges.reduce((sum, range) => sum + (range?.length ?? 0), header.length);
  const bytes = new Uint8Array(length);
  bytes.set(header);
  let at = header.length;
  await files.use(file, async (access) => {
    for (const range of ranges) {
      if (range === undefined) continue;
      await access.read(range.offset, bytes.subarray(at, at + range.length));
      at += range.length;
    }
  });
  return bytes;
}

function duplicateError(source: string, column: string, one: IndexedField, other: IndexedField): DataError {
  const { member, end } = one.product;
  return new DataError({
    ...{ source, column, problem: 'two fields of the same member and time have different values' },
    received: inWords(
      `${fieldText(one)}, and ${fieldText(other)} (${member ? `member ${member.number}, ` : ''}${timeText(end)})`,
    ),
    allowed: 'each field once: leave one of these files out',
  });
}
