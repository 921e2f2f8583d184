import * as arrow from 'apache-arrow';
import {
  Data,
  DataType,
  type Dictionary,
  type List,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Type,
  Vector,
} from 'apache-arrow';
import { DataError, subjectIn, unusable, withKeys } from '../../errors.js';
import { viewedAs } from './stored-values.js';
import { quickSchema } from './table-schema.js';

/** Tables that are checked already: they do not change. */
const checkedTables = /* @__PURE__ */ new WeakSet<Table>();

/**
 * Throws OptionError unless `table` is an Arrow table, and DataError for one that contradicts itself, as tables made by
 * hand may: names and metadata that are not texts, columns with another length than the table, or with fewer values
 * than rows.
 */
export function assertTable(table: unknown, source?: string): asserts table is Table {
  const subject = subjectIn(source, 'table');
  if (!isTable(table)) throw unusable(subject, withKeys(table), 'an Arrow table');
  if (isDetached(table)) throw unusable(subject, table, "columns of a new table, as the core's memory has grown");
  if (checkedTables.has(table)) return;
  assertTexts(table, source);
  const names = table.schema.fields.map(({ name }) => name);
  for (const { data } of table.batches) {
    const columns = (data?.children ?? []) as readonly (Data | undefined)[];
    const place = names.findIndex((_, i) => columns[i]?.length !== data.length);
    if (place >= 0 || columns.length !== names.length) {
      throw inconsistent('columns of another length than the table', names[place], source);
    }
    const short = columnWithShortBuffers(columns as readonly Data[], names);
    if (short !== undefined) throw inconsistent('fewer values than rows', short, source);
  }
  checkedTables.add(table);
}

/**
 * Whether columns lay in a core's memory that has grown since, or that other values have now. Texts that are all empty
 * have no bytes, and some columns without any value have none either.
 */
function isDetached({ batches }: Table): boolean {
  return batches[0]?.data.children.some(
    (data) => (data.valueOffsets ?? data.values)?.buffer.byteLength === 0 && data.length > data.nullCount,
  );
}

/** Whether this has the form of a table, of any copy of apache-arrow. */
export function isTable(table: unknown): table is Table {
  const { schema, batches, getChildAt } = (table ?? {}) as Partial<Table>;
  const hasForm = Array.isArray(schema?.fields) && typeof getChildAt === 'function' && Array.isArray(batches);
  return hasForm && (batches as readonly Partial<RecordBatch>[]).every((batch) => Array.isArray(batch?.data?.children));
}

function assertTexts({ schema: { fields, metadata } }: Table, source?: string): void {
  for (const [i, field] of fields.entries()) {
    if (typeof field?.name !== 'string') {
      throw new DataError({
        source,
        subject: `column ${i + 1}`,
        problem: 'has no name',
        received: field?.name,
        allowed: 'a text as the name of each column',
      });
    }
    if (!isTextMap(field.metadata)) throw wrongMetadata(field.name, source);
  }
  if (!isTextMap(metadata)) throw wrongMetadata(undefined, source);
}

function isTextMap(metadata: unknown): boolean {
  if (!(metadata instanceof Map)) return false;
  for (const [key, value] of metadata) if (typeof key !== 'string' || typeof value !== 'string') return false;
  return true;
}

function wrongMetadata(column: string | undefined, source?: string): DataError {
  return new DataError({ source, column, problem: 'metadata cannot be used', allowed: 'a Map of texts' });
}

function inconsistent(problem: string, column: string | undefined, source?: string): DataError {
  return new DataError({ source, column, problem, allowed: 'a value, or null, for each row in each column' });
}

/**
 * The name of the first column whose buffers are too short for its length or contradict it; undefined if there is none.
 *
 * apache-arrow reads such columns as if they were shorter, or as undefined values.
 */
export function columnWithShortBuffers(columns: readonly Data[], names: readonly string[]): string | undefined {
  const index = columns.findIndex((data) => !isComplete(data));
  return index < 0 ? undefined : names[index];
}

function isComplete(data: Data): boolean {
  const { type, length, offset } = data;
  if (length === 0 || DataType.isNull(type)) return true;
  if (data.nullCount > 0 && data.nullBitmap.length * 8 < offset + length) return false;
  if (DataType.isFixedSizeList(type))
    return data.children[0].length >= length * type.listSize && isComplete(data.children[0]);
  if (isListType(type) || DataType.isMap(type)) {
    return offsetsReach(data, data.children[0].length) && isComplete(data.children[0]);
  }
  if (DataType.isUtf8(type) || DataType.isBinary(type) || DataType.isLargeUtf8(type) || DataType.isLargeBinary(type)) {
    return offsetsReach(data, data.values.length);
  }
  if (type.typeId === Type.Utf8View || type.typeId === Type.BinaryView) return viewsReach(data);
  if (DataType.isStruct(type)) return data.children.every((child) => child.length >= length && isComplete(child));
  // If all values are null, apache-arrow before version 21 writes none.
  if (DataType.isBool(type)) return data.values.length * 8 >= offset + length || data.nullCount >= length;
  if (DataType.isDictionary(type)) return data.values.length >= length && refersToEntries(data as Data<Dictionary>);
  return data.values === undefined || data.values.length >= length * data.stride;
}

/** Whether the dictionary is complete, and every row that is not null refers to one of its entries. */
function refersToEntries({ dictionary, values, length, nullCount, nullBitmap, offset }: Data<Dictionary>): boolean {
  if (dictionary === undefined || !dictionary.data.every(isComplete)) return false;
  for (let row = 0; row < length; row++) {
    if (values[row] >= 0 && values[row] < dictionary.length) continue;
    const bit = offset + row;
    if (nullCount === 0 || (nullBitmap[bit >> 3] & (1 << (bit & 7))) !== 0) return false;
  }
  return true;
}

/** Whether no offset is less than the one before, or more than `limit`. */
function offsetsReach({ length, valueOffsets }: Data, limit: number): boolean {
  if (valueOffsets.length < length + 1) return false;
  let before = 0;
  for (let i = 0; i <= length; i++) {
    const offset = Number(valueOffsets[i]);
    if (offset < before) return false;
    before = offset;
  }
  return before <= limit;
}

/**
 * A view has 16 bytes: the length, then up to 12 bytes of text; of longer texts the first four, the buffer's number and
 * a place in it.
 */
const VIEW_BYTES = 16;
const INLINE_BYTES = 12;
const BUFFER_AT = 8;
const PLACE_AT = 12;

/** Whether every view that is not null is within the buffers of its column. */
function viewsReach(data: Data): boolean {
  const { length, nullCount, values, variadicBuffers } = data;
  if (values.length < length * VIEW_BYTES) return false;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let row = 0; row < length; row++) {
    const at = row * VIEW_BYTES;
    const size = view.getInt32(at, true);
    if ((size >= 0 && size <= INLINE_BYTES) || (nullCount > 0 && !data.getValid(row))) continue;
    const place = view.getInt32(at + PLACE_AT, true);
    const bytes = variadicBuffers[view.getInt32(at + BUFFER_AT, true)]?.length ?? -1;
    if (!(size >= 0 && place >= 0 && place + size <= bytes)) return false;
  }
  return true;
}

/**
 * Whether values of this type are lists of any length. Older versions of Arrow have no large lists, and no test for
 * them.
 */
export function isListType(type: DataType): type is List {
  return DataType.isList(type) || type.typeId === Type.LargeList;
}

/**
 * The classes of types, by the numbers that types have in all versions. Older versions do not have the last classes.
 */
const CLASSES = /* @__PURE__ */ (() => [
  ...[undefined, arrow.Null, arrow.Int, arrow.Float, arrow.Binary, arrow.Utf8, arrow.Bool, arrow.Decimal, arrow.Date_],
  ...[arrow.Time, arrow.Timestamp, arrow.Interval, arrow.List, arrow.Struct, arrow.Union, arrow.FixedSizeBinary],
  ...[arrow.FixedSizeList, arrow.Map_, arrow.Duration, arrow.LargeBinary, arrow.LargeUtf8, arrow.LargeList],
  ...[undefined, arrow.BinaryView, arrow.Utf8View],
])() as readonly ({ readonly prototype: arrow.DataType } | undefined)[];

const ownTypes = /* @__PURE__ */ new WeakMap<arrow.DataType, arrow.DataType>();

/**
 * Whether an object was made by a class of our copy of apache-arrow: `instanceof` of newer versions accepts those of
 * others.
 */
export function isMadeBy(Class: { readonly prototype: object }, value: object): boolean {
  return Object.prototype.isPrototypeOf.call(Class.prototype, value);
}

/**
 * Converts a type of another copy of apache-arrow, of any version, to one of our copy. Throws a DataError if that has
 * no such type.
 */
function ownType(type: arrow.DataType, column: string, source?: string): arrow.DataType {
  if (isMadeBy(arrow.DataType, type) && (type.children ?? []).every((field) => isOwnField(field))) return type;
  let own = ownTypes.get(type);
  if (own === undefined) ownTypes.set(type, (own = newType(type, column, source)));
  return own;
}

/** Converts a field to one with a type of our copy of apache-arrow. */
function ownField(field: arrow.Field, column: string, source?: string): arrow.Field {
  if (isOwnField(field)) return field;
  const { name, type, nullable, metadata } = field;
  return new arrow.Field(name, ownType(type, column, source), nullable, metadata);
}

function isOwnField(field: arrow.Field): boolean {
  const { type } = field;
  return isMadeBy(arrow.Field, field) && isMadeBy(arrow.DataType, type) && (type.children ?? []).every(isOwnField);
}

function newType(type: arrow.DataType, column: string, source?: string): arrow.DataType {
  const toOwn = (other: arrow.DataType) => ownType(other, column, source);
  if (arrow.DataType.isDictionary(type)) {
    // Without the id of the other copy, as each copy counts its own dictionaries.
    return new arrow.Dictionary(toOwn(type.dictionary), toOwn(type.indices) as arrow.Int32, null, type.isOrdered);
  }
  const Class = CLASSES[type?.typeId];
  if (Class === undefined) {
    throw new DataError({
      source,
      column,
      problem: 'has a type that apache-arrow does not know here',
      received: String(type),
      allowed: 'others, or npm install apache-arrow@latest',
    });
  }
  const own = Object.assign(Object.create(Class.prototype), type);
  if (type.children) own.children = type.children.map((field) => ownField(field, column, source));
  return own;
}

/** For each table of another copy of apache-arrow, the one of our copy; tables of our copy map to themselves. */
const ownTables = /* @__PURE__ */ new WeakMap<object, Table>();
/** Data of another copy that are converted already: batches share their dictionaries. */
const taken = /* @__PURE__ */ new WeakMap<Data, Data>();

/**
 * Converts a table that another copy of apache-arrow made, of this or another version, to one of the copy that is
 * imported here: their classes do not know each other, but all have the same structure. Values are not copied. Throws
 * OptionError for anything but an Arrow table, and DataError for a table that contradicts itself.
 */
export function ownTable(table: unknown, source?: string): Table {
  assertTable(table, source);
  let own = ownTables.get(table);
  if (own === undefined) {
    ownTables.set(table, (own = isOwn(table) ? table : newTable(table, source)));
    ownTables.set(own, own);
  }
  return own;
}

/** The same for a record batch whose form is checked already. */
export function ownBatch(batch: RecordBatch, source?: string): RecordBatch {
  if (isMadeBy(RecordBatch, batch) && isOwnData(batch.data)) return batch;
  return ownTable({ schema: batch.schema, batches: [batch], getChildAt: () => null }, source).batches[0];
}

function isOwn(table: Table): boolean {
  return isMadeBy(Table, table) && table.batches.every(({ data }) => isOwnData(data));
}

function isOwnData(data: Data): boolean {
  return isMadeBy(Data, data) && isMadeBy(DataType, data.type) && data.children.every(isOwnData);
}

function newTable({ schema, batches }: Table, source?: string): Table {
  const fields = schema.fields.map((field) => ownField(field, field.name, source));
  const own = quickSchema(new Schema(fields, schema.metadata));
  const type = new Struct(fields);
  return new Table(
    own,
    batches.map(({ data }) => {
      const children = data.children.map((child, i) => newData(child, fields[i].type, fields[i].name, source));
      const { offset, length, nullCount, nullBitmap } = data;
      return new RecordBatch(
        own,
        new Data(type, offset, length, nullCount, [undefined, undefined, nullBitmap], children),
      );
    }),
  );
}

function newData(given: Data | Vector, stated: DataType, column: string, source?: string): Data {
  // Tables without rows may have vectors as the data of their columns.
  const data = Array.isArray((given as Vector).data) ? (given as Vector).data[0] : (given as Data);
  const before = taken.get(data);
  if (before !== undefined) return before;
  const type = stated.typeId === data.type.typeId ? stated : ownType(data.type, column, source);
  const { offset, length, nullCount, valueOffsets, nullBitmap, typeIds, variadicBuffers } = data;
  const children = data.children.map((child, i) => newData(child, type.children[i].type, column, source));
  const own = new Data(
    type,
    offset,
    length,
    nullCount,
    [valueOffsets, valuesAs(type, data.values), nullBitmap, typeIds],
    children,
    DataType.isDictionary(type) && data.dictionary ? newDictionary(data.dictionary, type, column, source) : undefined,
    variadicBuffers,
  );
  taken.set(data, own);
  return own;
}

function newDictionary(entries: Vector, { dictionary }: Dictionary, column: string, source?: string): Vector {
  return new Vector(entries.data.map((data) => newData(data, dictionary, column, source)));
}

/** Older versions view integers of 64 bits as pairs of 32 bits. */
function valuesAs(type: DataType, values: ArrayBufferView | undefined): ArrayBufferView | undefined {
  const { ArrayType } = DataType.isDictionary(type) ? type.indices : type;
  return values && ArrayType.BYTES_PER_ELEMENT ? viewedAs(ArrayType, values) : values;
}
