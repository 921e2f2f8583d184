import { FormatError } from '../../errors.js';
import { type ArrayFile, type StoredArray, storedText } from '../array/array-file.js';
import { type SwapBytes, swapBytes } from '../array/byte-order.js';
import { checkedBytes, elements, notText } from '../array/copy-box.js';
import { endsEarly, type RandomAccess } from '../array/random-access.js';
import { readStrided, type StridedLayout, stridedSpans } from '../array/read-strided.js';
import { type Header, parseHeader, type Variable } from './header.js';
import { damagedHeader, MoreBytesNeeded, padding } from './header-cursor.js';

const FIRST_BYTES = 65_536;
const MAX_HEADER_BYTES = 268_435_456;
/** Arrays of characters are read in one piece. */
const MAX_TEXT_BYTES = 268_435_456;

/**
 * Opens the NetCDF3 file (classic, with 64-bit offsets, or with 64-bit data) behind `access`; `close` closes it too. `swap` reverses the bytes of values. Arrays of
 * characters become arrays of texts with one dimension less: the last one is the length of the texts. Throws
 * FormatError if the file is damaged or truncated.
 */
export async function openNetcdf3Access(access: RandomAccess, swap: SwapBytes = swapBytes): Promise<ArrayFile> {
  const header = await readHeader(access);
  const layouts = createLayouts(header, access.size, access.source);
  const arrays = header.variables.map((variable, v) => createArray(access, variable, layouts[v], swap));
  return {
    format: 'NetCDF3',
    source: access.source,
    attributes: header.attributes,
    arrays: new Map(arrays.map((array) => [array.name, array])),
    close: () => access.close(),
  };
}

async function readHeader(access: RandomAccess): Promise<Header> {
  const { size, source } = access;
  for (let length = FIRST_BYTES; ; length *= 4) {
    const bytes = new Uint8Array(Math.min(length, size));
    await access.read(0, bytes);
    try {
      return parseHeader(bytes, source);
    } catch (error) {
      if (!(error instanceof MoreBytesNeeded)) throw error;
    }
    if (bytes.length === size) throw endsEarly(source, size, size + 1);
    if (length >= MAX_HEADER_BYTES) throw damagedHeader(source, 'it does not end');
  }
}

function createArray(access: RandomAccess, variable: Variable, layout: Layout, swap: SwapBytes): StoredArray {
  const { name, type, attributes } = variable;
  const stored = { access, width: type.bytes, swap };
  const isText = type.type === 'text';
  const rank = isText ? Math.max(layout.shape.length - 1, 0) : layout.shape.length;
  const array = {
    name,
    type: type.type,
    dimensions: variable.dimensions.slice(0, rank).map((dimension) => dimension.name),
    shape: layout.shape.slice(0, rank),
    attributes,
  };
  return {
    ...array,
    async read(box, into) {
      await readStrided(stored, layout, box, checkedBytes(array, box, into));
      await access.checkUnchanged();
      return [];
    },
    ...(access.fetch && {
      fetch: async (boxes) => access.fetch?.(boxes.flatMap((box) => [...stridedSpans(layout, box, type.bytes)])),
    }),
    async readTexts() {
      if (!isText) throw notText(name);
      const length = elements(layout.shape);
      if (length > MAX_TEXT_BYTES) throw tooManyCharacters(access.source, name, length);
      const bytes = new Uint8Array(length);
      await readStrided(stored, layout, { start: layout.shape.map(() => 0), count: layout.shape }, bytes);
      await access.checkUnchanged();
      const width = layout.shape[rank] ?? 1;
      return Array.from({ length: elements(array.shape) }, (_, i) => {
        return storedText(bytes.subarray(i * width, (i + 1) * width));
      });
    },
  };
}

function tooManyCharacters(source: string, name: string, received: number): FormatError {
  const allowed = `at most ${MAX_TEXT_BYTES}`;
  return new FormatError({
    subject: `${source}, array ${name}`,
    problem: 'has too many characters',
    received,
    allowed,
  });
}

/** The places of the values of a variable in the file. */
export interface Layout extends StridedLayout {
  readonly shape: readonly number[];
}

/**
 * Lays out the variables of a NetCDF3 file of `size` bytes, in their order: those with records alternate, record by
 * record, each padded to a multiple of four bytes, unless there is only one. Throws FormatError if the file is too
 * short for its values, if values begin within the header, or if values of two variables overlap.
 */
export function createLayouts(header: Header, size: number, source: string): readonly Layout[] {
  const recordBytes = bytesOfRecord(header.variables);
  const records = header.records ?? streamedRecords(header.variables, recordBytes, size);
  const inHeader = header.variables.find(({ begin }) => begin < header.end);
  if (inHeader !== undefined) throw damagedHeader(source, `${inHeader.name} begins within it`);
  const found = header.variables.map((variable) => createLayout(variable, records, recordBytes));
  const needed = found.reduce((most, layout, v) => Math.max(most, endOf(layout, header.variables[v])), header.end);
  // Lengths may be so great that their product is not finite.
  if (!(needed <= size)) throw endsEarly(source, size, needed);
  checkApart(header.variables, records, recordBytes, source);
  return found;
}

function hasRecords({ dimensions }: Variable): boolean {
  return dimensions[0]?.length === 0;
}

/** The bytes of a variable, or of one of its records. */
function bytesOf({ dimensions, type }: Variable): number {
  return elements(dimensions.map(({ length }) => length || 1)) * type.bytes;
}

function bytesOfRecord(variables: readonly Variable[]): number {
  const each = variables.filter(hasRecords).map(bytesOf);
  return each.length === 1 ? each[0] : each.reduce((sum, bytes) => sum + bytes + padding(bytes), 0);
}

function streamedRecords(variables: readonly Variable[], recordBytes: number, size: number): number {
  const first = Math.min(...variables.filter(hasRecords).map(({ begin }) => begin));
  return recordBytes === 0 ? 0 : Math.max(0, Math.floor((size - first) / recordBytes));
}

function createLayout(variable: Variable, records: number, recordBytes: number): Layout {
  const shape = variable.dimensions.map(({ length }) => length || records);
  const strides: number[] = [];
  let stride = variable.type.bytes;
  for (let d = shape.length - 1; d >= 0; d--) {
    strides[d] = variable.dimensions[d].length === 0 ? recordBytes : stride;
    stride *= shape[d];
  }
  return { begin: variable.begin, shape, strides };
}

/**
 * Checks that no values overlap: those of variables without records, all records together, and those within a record.
 */
function checkApart(variables: readonly Variable[], records: number, recordBytes: number, source: string): void {
  const extents = (some: readonly Variable[]): Extent[] =>
    some.map((variable) => ({ name: variable.name, begin: variable.begin, end: variable.begin + bytesOf(variable) }));
  const fixed = extents(variables.filter((variable) => !hasRecords(variable)));
  const ofRecord = extents(variables.filter(hasRecords));
  const first = firstOverlap(ofRecord) ?? firstOverlap(fixed.concat(allRecords(ofRecord, records, recordBytes)));
  if (first === undefined) return;
  const [one, other] = first;
  throw damagedHeader(source, `${other.name} begins at byte ${other.begin}, before ${one.name} ends at ${one.end}`);
}

interface Extent {
  readonly name: string;
  readonly begin: number;
  readonly end: number;
}

function allRecords(ofRecord: readonly Extent[], records: number, recordBytes: number): Extent[] {
  if (ofRecord.length === 0 || records === 0) return [];
  const begin = ofRecord.reduce((least, extent) => Math.min(least, extent.begin), Number.POSITIVE_INFINITY);
  const end = ofRecord.reduce((most, extent) => Math.max(most, extent.end), 0);
  if (end - begin > recordBytes)
    return [
      { name: 'a record', begin, end },
      { name: 'the next record', begin: begin + recordBytes, end },
    ];
  return [{ name: 'the records', begin, end: end + (records - 1) * recordBytes }];
}

function firstOverlap(extents: readonly Extent[]): [Extent, Extent] | undefined {
  const sorted = [...extents].sort((a, b) => a.begin - b.begin);
  const at = sorted.findIndex(({ begin }, i) => i > 0 && begin < sorted[i - 1].end);
  return at < 0 ? undefined : [sorted[at - 1], sorted[at]];
}

/** The end of the last value. */
function endOf({ begin, shape, strides }: Layout, { type }: Variable): number {
  if (elements(shape) === 0) return 0;
  return shape.reduce((end, length, d) => end + (length - 1) * strides[d], begin + type.bytes);
}
