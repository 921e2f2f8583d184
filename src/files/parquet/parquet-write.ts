import type { RecordBatch, Schema } from 'apache-arrow';
import type { CompressionCodec } from 'hyparquet';
import type { ByteWriter, ParquetWriteOptions, ParquetWriter } from 'hyparquet-writer';
import { type Encode, loadEncoder } from '../codecs/load-encoder.js';
import { lz4Block } from '../codecs/lz4-block.js';
import type { Compression } from '../encode-options.js';
import { loadPackage } from '../load-package.js';
import type { TableEncoder } from '../table-encoder.js';
import { GatheredColumn } from './gathered-column.js';
import { createParquetSchema } from './parquet-schema.js';

const ROWS_PER_GROUP = 32_768;
const CODECS: Record<Compression, CompressionCodec> = {
  none: 'UNCOMPRESSED',
  snappy: 'SNAPPY',
  lz4: 'LZ4_RAW',
  zstd: 'ZSTD',
};

/**
 * Creates a writer of Parquet with row groups of 32,768 rows, whatever the size of batches.
 *
 * Column types are kept for floats, integers of 32 and 64 bits, booleans, texts, dates (DATE) and timestamps; smaller
 * integers become INT32. Nulls stay nulls and NaN stays NaN; schema metadata become key-value metadata. Throws an
 * OptionError for other columns and if there are none, and a PackageError if hyparquet-writer or the library of zstd is
 * missing.
 */
export async function createParquetEncoder(schema: Schema, compression: Compression): Promise<TableEncoder> {
  const elements = createParquetSchema(schema);
  const { ByteWriter, ParquetWriter } = await loadPackage(
    'hyparquet-writer',
    'Parquet',
    () => import('hyparquet-writer'),
  );
  const writer = new ByteWriter();
  const kvMetadata = [...schema.metadata].map(([key, value]) => ({ key, value }));
  const codec = CODECS[compression];
  const compressors = await loadCompressors(compression);
  const parquet = new ParquetWriter({
    writer,
    schema: elements,
    kvMetadata,
    createdBy: 'plumecast',
    codec,
    compressors,
  });
  const names = schema.fields.map(({ name }) => name);
  return new ParquetEncoder(parquet, writer, names);
}

/**
 * The writer has its own Snappy. A page of nulls has no bytes of values, and readers treat an empty page as not
 * compressed.
 */
async function loadCompressors(compression: Compression): Promise<ParquetWriteOptions['compressors']> {
  const unlessEmpty = (encode: Encode) => (bytes: Uint8Array) => (bytes.length === 0 ? bytes : encode(bytes));
  if (compression === 'lz4') return { LZ4_RAW: unlessEmpty(lz4Block) };
  return compression === 'zstd' ? { ZSTD: unlessEmpty(await loadEncoder('zstd', 'Parquet')) } : {};
}

class ParquetEncoder implements TableEncoder {
  readonly #parquet: ParquetWriter;
  readonly #writer: ByteWriter;
  readonly #columns: { name: string; values: GatheredColumn }[];
  #rows = 0;

  constructor(parquet: ParquetWriter, writer: ByteWriter, names: readonly string[]) {
    this.#parquet = parquet;
    this.#writer = writer;
    this.#columns = names.map((name) => ({ name, values: new GatheredColumn() }));
  }

  *encode({ data }: RecordBatch): Generator<Uint8Array> {
    for (let start = 0; start < data.length; ) {
      const end = Math.min(data.length, start + ROWS_PER_GROUP - this.#rows);
      for (const [index, { values }] of this.#columns.entries()) values.append(data.children[index], start, end);
      this.#rows += end - start;
      start = end;
      if (this.#rows === ROWS_PER_GROUP) yield this.#writeGroup();
    }
  }

  *end(): Generator<Uint8Array> {
    if (this.#rows > 0) yield this.#writeGroup();
    this.#parquet.finish();
    yield this.#takeBytes();
  }

  #writeGroup(): Uint8Array {
    const columnData = this.#columns.map(({ name, values }) => ({ name, data: values.take() }));
    this.#parquet.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
    this.#rows = 0;
    return this.#takeBytes();
  }

  /** Empties the buffer; the writer's `offset` continues, as the places in the footer need it. */
  #takeBytes(): Uint8Array {
    const bytes = this.#writer.getBytes();
    this.#writer.index = 0;
    return bytes;
  }
}
