import { type Data, DataType, makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import { storedValues, valueArray } from '../../table/arrow/value-array.js';

/**
 * The rows of batches in one batch, whose columns are contiguous: each further batch of a table costs as much as some
 * thousand rows. Undefined where columns are no numbers or dates, or have dictionaries of their own.
 */
export function joinedBatch(schema: Schema, batches: readonly RecordBatch[]): RecordBatch | undefined {
  const children: Data[] = [];
  for (const place of schema.fields.keys()) {
    const joined = joinedColumn(batches.map(({ data }) => data.children[place]));
    if (joined === undefined) return undefined;
    children.push(joined);
  }
  const length = batches.reduce((sum, { numRows }) => sum + numRows, 0);
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

function joinedColumn(parts: readonly Data[]): Data | undefined {
  const [{ type, dictionary }] = parts;
  const Values = valueArray(type);
  if (Values === undefined || parts.some((part) => part.dictionary !== dictionary)) return undefined;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const data = new Values(length);
  const isNullable = parts.some(({ nullCount }) => nullCount > 0);
  const nullBitmap = isNullable ? new Uint8Array(Math.ceil(length / 64) * 8) : undefined;
  let at = 0;
  for (const part of parts) {
    // What Arrow views begins at the first row of the part.
    data.set(storedValues(part).subarray(0, part.length) as never, at);
    if (nullBitmap !== undefined) {
      for (let row = 0; row < part.length; row++) {
        if (part.getValid(row)) nullBitmap[(at + row) >> 3] |= 1 << ((at + row) & 7);
      }
    }
    at += part.length;
  }
  const nullCount = parts.reduce((sum, part) => sum + part.nullCount, 0);
  const content = { length, nullCount, nullBitmap, data };
  if (DataType.isDictionary(type)) return makeData({ ...content, type, dictionary } as never);
  return makeData({ ...content, type } as never);
}
