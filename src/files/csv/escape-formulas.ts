import {
  DataType,
  Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';

/** How texts begin that spreadsheets take for formulas. A number that is a text stays as it is. */
const FORMULA = /^[=+@\t\r-](?!\d+(?:\.\d+)?$)/;

/** A text that spreadsheets show as it is: with an apostrophe before what would be a formula. */
export function escapedText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A table whose texts, and names of columns, no spreadsheet takes for formulas. Numbers stay as they are. */
export function escapeFormulas(table: Table): Table {
  const fields = table.schema.fields.map((field) => {
    const type = isText(field) ? new Utf8() : field.type;
    return new Field(escapedText(field.name), type, field.nullable, field.metadata);
  });
  const schema = new Schema(fields, table.schema.metadata);
  const batches = table.batches.map((batch) => {
    const children = table.schema.fields.map((field, c) => {
      const column = batch.getChildAt(c) as Vector;
      return isText(field) ? escapedColumn(column).data[0] : column.data[0];
    });
    const struct = new Struct(fields);
    return new RecordBatch(schema, makeData({ type: struct, length: batch.numRows, nullCount: 0, children }));
  });
  return new Table(schema, batches);
}

/** Texts, also of dictionaries. */
function isText({ type }: Field): boolean {
  return DataType.isUtf8(DataType.isDictionary(type) ? type.dictionary : type);
}

function escapedColumn(column: Vector): Vector<Utf8> {
  const texts = Array.from(column, (text) => (typeof text === 'string' ? escapedText(text) : null));
  return vectorFromArray(texts, new Utf8());
}
