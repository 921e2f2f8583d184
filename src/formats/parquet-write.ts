import { type Data, DataType, type Table, TimeUnit } from 'apache-arrow';
import type { DecodedArray, SchemaElement } from 'hyparquet';
import { OptionError } from '../errors.js';
import { unwritableColumn } from './cell-text.js';
import { loadPackage } from './load-package.js';

const ROWS_PER_GROUP = 131_072;
const UNITS = {
  [TimeUnit.SECOND]: undefined,
  [TimeUnit.MILLISECOND]: 'MILLIS',
  [TimeUnit.MICROSECOND]: 'MICROS',
  [TimeUnit.NANOSECOND]: 'NANOS',
} as const;

/**
 * A table as Parquet, compressed with Snappy, in row groups of 131,072 rows.
 *
 * Column types are kept for floats, integers of 32 and 64 bits, booleans, texts, dates (DATE) and timestamps; smaller
 * integers become INT32. Nulls stay nulls and NaN stays NaN; schema metadata become key-value metadata. Throws an
 * OptionError for other columns and for a table without columns, and a PackageError where hyparquet-writer is missing.
 */
export async function writeParquet(table: Table): Promise<Uint8Array> {
  const { fields, metadata } = table.schema;
  if (fields.length === 0) {
    throw new OptionError({ subject: 'table', problem: 'has no columns', allowed: 'at least one column' });
  }
  const schema: SchemaElement[] = [
    { name: 'root', num_children: fields.length },
    ...fields.map(({ name, type, nullable }): SchemaElement => {
      const element = elementOf(type);
      if (element === undefined) throw unwritableColumn(name, type);
      return { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED', ...element };
    }),
  ];
  const { ByteWriter, ParquetWriter } = await loadPackage(
    'hyparquet-writer',
    'Parquet',
    () => import('hyparquet-writer'),
  );
  const writer = new ByteWriter();
  const kvMetadata = [...metadata].map(([key, value]) => ({ key, value }));
  const parquet = new ParquetWriter({ writer, schema, kvMetadata, createdBy: 'plumecast' });
  for (let start = 0; start < table.numRows; start += ROWS_PER_GROUP) {
    const group = table.slice(start, start + ROWS_PER_GROUP);
    const columnData = fields.map(({ name }, index) => ({ name, data: valuesOf(group.getChildAt(index)?.data ?? []) }));
    parquet.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
  }
  parquet.finish();
  return writer.getBytes();
}

function elementOf(type: DataType): Omit<SchemaElement, 'name'> | undefined {
  if (DataType.isFloat(type)) {
    if (type.ArrayType === Float32Array) return { type: 'FLOAT' };
    return type.ArrayType === Float64Array ? { type: 'DOUBLE' } : undefined;
  }
  if (DataType.isInt(type)) {
    if (type.bitWidth === 64) return type.isSigned ? { type: 'INT64' } : { type: 'INT64', converted_type: 'UINT_64' };
    return type.bitWidth === 32 && !type.isSigned ? { type: 'INT32', converted_type: 'UINT_32' } : { type: 'INT32' };
  }
  if (DataType.isBool(type)) return { type: 'BOOLEAN' };
  if (DataType.isUtf8(type)) return { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  if (DataType.isDictionary(type)) return DataType.isUtf8(type.dictionary) ? elementOf(type.dictionary) : undefined;
  if (DataType.isDate(type) && type.ArrayType === Int32Array) return { type: 'INT32', converted_type: 'DATE' };
  const unit = DataType.isTimestamp(type) ? UNITS[type.unit as keyof typeof UNITS] : undefined;
  if (unit === undefined || !DataType.isTimestamp(type)) return undefined;
  const isAdjustedToUTC = type.timezone !== null && type.timezone !== undefined;
  return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit } };
}

/** The values of a column's chunks, with null for null: typed arrays as they are where a single one has no null. */
function valuesOf(chunks: readonly Data[]): DecodedArray {
  const [first] = chunks;
  if (chunks.length === 1 && first.nullCount === 0 && isPlain(first.type))
    return first.values.subarray(0, first.length);
  const values: unknown[] = [];
  for (const chunk of chunks) {
    const value = valueReader(chunk);
    for (let row = 0; row < chunk.length; row++) values.push(chunk.getValid(row) ? value(row) : null);
  }
  return values;
}

function isPlain(type: DataType): boolean {
  return DataType.isFloat(type) || DataType.isInt(type) || DataType.isDate(type);
}

function valueReader({ type, values, offset, valueOffsets, dictionary }: Data): (row: number) => unknown {
  if (DataType.isBool(type)) return (row) => (values[(offset + row) >> 3] & (1 << ((offset + row) & 7))) !== 0;
  if (DataType.isUtf8(type)) {
    const decoder = new TextDecoder();
    return (row) => decoder.decode(values.subarray(valueOffsets[row], valueOffsets[row + 1]));
  }
  if (DataType.isDictionary(type) && dictionary !== undefined) {
    const texts = dictionary.data.flatMap((chunk) =>
      Array.from({ length: chunk.length }, (_, row) => valueReader(chunk)(row)),
    );
    return (row) => texts[Number(values[row])];
  }
  return (row) => values[row];
}
