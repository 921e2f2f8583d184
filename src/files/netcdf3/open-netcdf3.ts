import { assertKind } from '../../check/assert-shape.js';
import { FormatError } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { checkedBytes, elements, notText } from '../array/box.js';
import { type SwapBytes, swapBytes } from '../array/byte-order.js';
import { bytesAccess, endsEarly, type RandomAccess } from '../array/random-access.js';
import { readStrided } from '../array/read-strided.js';
import { storedText } from '../array/stored-text.js';
import { type Header, parseHeader, type Variable } from './header.js';
import { damagedHeader, MoreBytesNeeded } from './header-cursor.js';
import { createLayouts, type Layout } from './layout.js';

const FIRST_BYTES = 65_536;
const MAX_HEADER_BYTES = 268_435_456;
/** Arrays of characters are read in one piece. */
const MAX_TEXT_BYTES = 268_435_456;

/**
 * Opens the bytes of a NetCDF3 file: classic, with 64-bit offsets, or with 64-bit data. The bytes are not copied, and
 * must not change. Throws FormatError if they are damaged, or fewer than the header says, before any value is read.
 */
export async function openNetcdf3(bytes: Uint8Array, source = 'input'): Promise<ArrayFile> {
  assertKind('bytes', bytes, 'bytes');
  assertKind('source', source, 'any text');
  return openNetcdf3Access(bytesAccess(bytes, source));
}

/**
 * Opens the NetCDF3 file behind `access`; `close` closes it too. `swap` reverses the bytes of values. Arrays of
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
