import { Data, DataType, type Dictionary, RecordBatch, Schema, Struct, Table, Vector } from 'apache-arrow';
import { assertTable } from './assert-table.js';
import { isMadeBy, ownField, ownType } from './own-type.js';
import { quickSchema } from './quick-schema.js';
import { viewedAs } from './stored-values.js';

/** For each table of another copy of apache-arrow, the one of our copy; tables of our copy map to themselves. */
const known = /* @__PURE__ */ new WeakMap<object, Table>();
/** Data of another copy that are converted already: batches share their dictionaries. */
const taken = /* @__PURE__ */ new WeakMap<Data, Data>();

/**
 * Converts a table that another copy of apache-arrow made, of this or another version, to one of the copy that is
 * imported here: their classes do not know each other, but all have the same structure. Values are not copied. Throws
 * OptionError for anything but an Arrow table, and DataError for a table that contradicts itself.
 */
export function ownTable(table: unknown, source?: string): Table {
  assertTable(table, source);
  let own = known.get(table);
  if (own === undefined) {
    known.set(table, (own = isOwn(table) ? table : newTable(table, source)));
    known.set(own, own);
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
