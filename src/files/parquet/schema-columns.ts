import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Duration,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  DataType as Is,
  List,
  TimeMicrosecond,
  TimeMillisecond,
  TimeNanosecond,
  Timestamp,
  TimeUnit,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import type { SchemaElement, SchemaTree } from 'hyparquet';

/** Deeper than schemas are, and than the stack of a recursive reader. */
const MAX_SCHEMA_DEPTH = 64;

/** A column of values in the file: one of the schema's leaves. */
export interface ParquetLeaf {
  /** Its index among the column chunks of each row group. */
  readonly index: number;
  /** The index of its column among the children of the schema's root. */
  readonly top: number;
  readonly element: SchemaElement;
  readonly path: readonly string[];
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

/** Throws a RangeError unless the elements are one tree, from its root on. */
export function assertTree(schema: readonly SchemaElement[]): void {
  const open: number[] = [1];
  for (const { name, num_children: children = 0, type } of schema) {
    while (open.at(-1) === 0) open.pop();
    if (open.length === 0) throw new RangeError('a schema of more than one tree');
    if (open.length > MAX_SCHEMA_DEPTH) throw new RangeError(`a schema more than ${MAX_SCHEMA_DEPTH} deep`);
    if (typeof name !== 'string') throw new RangeError('a schema element without a name');
    if (!Number.isInteger(children) || children < 0 || children > schema.length) {
      throw new RangeError(`a schema element with ${children} children among ${schema.length} elements`);
    }
    if ((type === undefined) === (children === 0)) throw new RangeError(`a schema element ${name} of no known type`);
    open[open.length - 1]--;
    open.push(children);
  }
  if (open.some((left) => left > 0))
    throw new RangeError(`a schema of ${schema.length} elements, some of which are missing`);
}

/** The leaves of a schema, in the order of the column chunks of each row group. */
export function listLeaves(tree: SchemaTree): ParquetLeaf[] {
  const leaves: ParquetLeaf[] = [];
  const visit = ({ element, children, path }: SchemaTree, top: number, definition: number, repetition: number) => {
    const maxDefinition = definition + (element.repetition_type === 'REQUIRED' ? 0 : 1);
    const maxRepetition = repetition + (element.repetition_type === 'REPEATED' ? 1 : 0);
    if (children.length === 0) leaves.push({ index: leaves.length, top, element, path, maxDefinition, maxRepetition });
    for (const child of children) visit(child, top, maxDefinition, maxRepetition);
  };
  for (const [top, child] of tree.children.entries()) visit(child, top, 0, 0);
  return leaves;
}

const UNITS = { MILLIS: TimeUnit.MILLISECOND, MICROS: TimeUnit.MICROSECOND, NANOS: TimeUnit.NANOSECOND };
const TEXT = new Set(['UTF8', 'ENUM', 'JSON', 'STRING']);

/**
 * The Arrow type for a Parquet column, `undefined` if its type is not read (structs, maps, lists of lists).
 *
 * Decimals and half floats become Float64, what is neither a number nor a text becomes Binary. `hint` is the type in
 * the Arrow schema of the file: it says which lists are FixedSizeLists, which integers are durations, and the zone of
 * times.
 */
export function toArrowType({ element, children }: SchemaTree, hint?: DataType): DataType | undefined {
  if (children.length === 0) return element.repetition_type === 'REPEATED' ? undefined : primitiveType(element, hint);
  if (element.repetition_type === 'REPEATED') return undefined;
  if (element.converted_type !== 'LIST' && element.logical_type?.type !== 'LIST') return undefined;
  const item = listItem(children[0]);
  const type = item && toArrowType(item);
  if (type === undefined || item?.children.length) return undefined;
  const field = new Field(item?.element.name ?? 'item', type, true);
  const listSize = hint !== undefined && 'listSize' in hint ? Number(hint.listSize) : 0;
  return listSize > 0 ? new FixedSizeList(listSize, field) : new List(field);
}

/** The element of a three-level list; older two-level lists are not read. */
function listItem(repeated: SchemaTree): SchemaTree | undefined {
  return repeated.element.repetition_type === 'REPEATED' && repeated.children.length === 1
    ? repeated.children[0]
    : undefined;
}

function primitiveType(element: SchemaElement, hint?: DataType): DataType {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (decimalScale(element) !== undefined) return new Float64();
  switch (type) {
    case 'BOOLEAN':
      return new Bool();
    case 'FLOAT':
      return new Float32();
    case 'DOUBLE':
      return new Float64();
    case 'INT32':
      return int32Type(element);
    case 'INT64':
      return int64Type(element, hint);
    case 'INT96':
      return new Timestamp(TimeUnit.NANOSECOND, null);
    case 'BYTE_ARRAY':
      return TEXT.has(converted ?? '') || TEXT.has(logical?.type ?? '') ? new Utf8() : new Binary();
    default:
      return logical?.type === 'FLOAT16' ? new Float64() : new Binary();
  }
}

function int32Type({ converted_type: converted, logical_type: logical }: SchemaElement): DataType {
  if (converted === 'DATE' || logical?.type === 'DATE') return new DateDay();
  if (converted === 'TIME_MILLIS' || logical?.type === 'TIME') return new TimeMillisecond();
  const bits = logical?.type === 'INTEGER' ? logical.bitWidth : Number(converted?.split('INT_')[1] ?? 32);
  const signed = logical?.type === 'INTEGER' ? logical.isSigned : !converted?.startsWith('U');
  if (bits === 8) return signed ? new Int8() : new Uint8();
  if (bits === 16) return signed ? new Int16() : new Uint16();
  return signed ? new Int32() : new Uint32();
}

function int64Type({ converted_type: converted, logical_type: logical }: SchemaElement, hint?: DataType): DataType {
  // Parquet itself has only UTC.
  const zone = (Is.isTimestamp(hint) && hint.timezone) || 'UTC';
  if (logical?.type === 'TIMESTAMP') return new Timestamp(UNITS[logical.unit], logical.isAdjustedToUTC ? zone : null);
  if (converted === 'TIMESTAMP_MILLIS') return new Timestamp(TimeUnit.MILLISECOND, zone);
  if (converted === 'TIMESTAMP_MICROS') return new Timestamp(TimeUnit.MICROSECOND, zone);
  if (logical?.type === 'TIME') return logical.unit === 'NANOS' ? new TimeNanosecond() : new TimeMicrosecond();
  if (converted === 'TIME_MICROS') return new TimeMicrosecond();
  if (logical === undefined && converted === undefined && Is.isDuration(hint)) return new Duration(hint.unit);
  const signed = logical?.type === 'INTEGER' ? logical.isSigned : converted !== 'UINT_64';
  return signed ? new Int64() : new Uint64();
}

/** The digits behind the point of a column of decimals; undefined for other columns. */
export function decimalScale({ converted_type, logical_type, scale = 0 }: SchemaElement): number | undefined {
  if (logical_type?.type === 'DECIMAL') return logical_type.scale;
  return converted_type === 'DECIMAL' ? scale : undefined;
}
