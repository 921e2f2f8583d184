import { NUMBER_ARRAYS, type NumberType } from '../../core/number-arrays.js';
import { type ArrayType, type Attributes, type AttributeValue, elementBytes, storedText } from '../array/array-file.js';
import { swapBytes } from '../array/byte-order.js';
import { HeaderCursor } from './header-cursor.js';

/** The content of the header of a NetCDF3 file. */
export interface Header {
  /** The last byte of the magic text: 1 classic, 2 with 64-bit offsets, 5 with 64-bit data. */
  readonly version: number;
  /** Undefined if the writer did not know it yet: then it follows from the size of the file. */
  readonly records: number | undefined;
  readonly dimensions: readonly Dimension[];
  readonly attributes: Attributes;
  readonly variables: readonly Variable[];
  /** Its end in the file. */
  readonly end: number;
}

interface Dimension {
  readonly name: string;
  /** 0 for the record dimension. */
  readonly length: number;
}

export interface Variable {
  readonly name: string;
  readonly dimensions: readonly Dimension[];
  readonly attributes: Attributes;
  readonly type: StoredType;
  /** The place of its first value in the file. */
  readonly begin: number;
}

/** One of the external types, with the bytes of an element. */
interface StoredType {
  readonly type: ArrayType;
  readonly bytes: number;
  readonly values: (buffer: ArrayBuffer) => ArrayLike<number | bigint>;
}

const DIMENSIONS = 10;
const VARIABLES = 11;
const ATTRIBUTES = 12;
/** The external types from number 1 on; those from `uint8` on exist in version 5 only. */
const TYPES: readonly StoredType[] = [
  numbers('int8'),
  { type: 'text', bytes: 1, values: (buffer) => new Uint8Array(buffer) },
  numbers('int16'),
  numbers('int32'),
  numbers('float32'),
  numbers('float64'),
  numbers('uint8'),
  numbers('uint16'),
  numbers('uint32'),
  numbers('int64'),
  numbers('uint64'),
];
const CLASSIC_TYPES = 6;

function numbers(type: NumberType): StoredType {
  return { type, bytes: elementBytes(type), values: (buffer) => new NUMBER_ARRAYS[type](buffer) };
}

/**
 * Parses the header of a NetCDF3 file (classic, 64-bit offset or 64-bit data) from its first `bytes`, by the grammar of
 * the NetCDF User's Guide, appendix "File Format Specifications". Throws FormatError if it is damaged, and
 * MoreBytesNeeded if it continues after these bytes.
 */
export function parseHeader(bytes: Uint8Array, source: string): Header {
  const version = bytes[3];
  const cursor = new HeaderCursor(bytes, version, source);
  const records = cursor.records();
  const dimensions = list(cursor, DIMENSIONS, () => ({ name: cursor.name(), length: cursor.count() }));
  if (dimensions.filter(({ length }) => length === 0).length > 1) throw cursor.damaged('it has two record dimensions');
  const attributes = parseAttributes(cursor, version);
  const variables = list(cursor, VARIABLES, () => parseVariable(cursor, version, dimensions));
  for (const named of [dimensions, variables]) assertDistinctNames(named, cursor);
  return { version, records, dimensions, attributes, variables, end: cursor.at };
}

function assertDistinctNames(named: readonly { readonly name: string }[], cursor: HeaderCursor): void {
  const names = new Set<string>();
  for (const { name } of named) {
    if (names.has(name)) throw cursor.damaged(`two dimensions or variables are named ${name}`);
    names.add(name);
  }
}

function list<T>(cursor: HeaderCursor, tag: number, parse: () => T): T[] {
  const found = cursor.word();
  const length = cursor.count();
  if (found !== tag && (found !== 0 || length !== 0))
    throw cursor.damaged(`there is ${found} at the beginning of a list`);
  const items: T[] = [];
  while (items.length < length) items.push(parse());
  return items;
}

function parseAttributes(cursor: HeaderCursor, version: number): Attributes {
  return new Map(list(cursor, ATTRIBUTES, () => [cursor.name(), parseAttribute(cursor, version)]));
}

function parseAttribute(cursor: HeaderCursor, version: number): AttributeValue {
  const { type, bytes, values } = parseType(cursor, version);
  const raw = cursor.raw(cursor.count() * bytes).slice();
  if (type === 'text') return storedText(raw);
  swapBytes(raw, bytes);
  const numbers = Array.from(values(raw.buffer), Number);
  return numbers.length === 1 ? numbers[0] : numbers;
}

function parseVariable(cursor: HeaderCursor, version: number, all: readonly Dimension[]): Variable {
  const name = cursor.name();
  const rank = cursor.count();
  const dimensions: Dimension[] = [];
  while (dimensions.length < rank) {
    const dimension = all[cursor.count()];
    if (dimension === undefined) throw cursor.damaged(`${name} has a dimension that is not listed`);
    if (dimension.length === 0 && dimensions.length > 0)
      throw cursor.damaged(`the records of ${name} are not its first dimension`);
    dimensions.push(dimension);
  }
  const attributes = parseAttributes(cursor, version);
  const type = parseType(cursor, version);
  // The size that is stored here follows from the dimensions, and is wrong if it does not fit.
  cursor.skipCount();
  return { name, dimensions, attributes, type, begin: cursor.place() };
}

function parseType(cursor: HeaderCursor, version: number): StoredType {
  const number = cursor.word();
  const known = version === 5 ? TYPES.length : CLASSIC_TYPES;
  if (number < 1 || number > known) throw cursor.damaged(`there is no type ${number}`);
  return TYPES[number - 1];
}
