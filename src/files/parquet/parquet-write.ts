import type { RecordBatch, Schema } from 'apache-arrow';
import { loadTableKernels, type TableKernels } from '../../core/table-kernels.js';
import { loadEncoder } from '../codecs/load-encoder.js';
import { lz4Block } from '../codecs/lz4-block.js';
import type { Compression, TableEncoder } from '../format.js';
import { ChunkEncoder, type PageCompression, SNAPPY } from './chunk-encoder.js';
import { footerBytes, type WrittenGroup } from './footer-bytes.js';
import { GroupColumn } from './group-column.js';
import { createParquetSchema, type ParquetElement } from './parquet-schema.js';

const ROWS_PER_GROUP = 32_768;
const MAGIC = new TextEncoder().encode('PAR1');

/**
 * Creates a writer of Parquet with row groups of 32,768 rows, whatever the size of batches.
 *
 * Column types are kept for floats, integers of 32 and 64 bits, booleans, texts, dates (DATE) and timestamps; smaller
 * integers become INT32. Nulls stay nulls and NaN stays NaN; schema metadata become key-value metadata. Throws an
 * OptionError for other columns and if there are none, a PackageError if the library of zstd is missing, and CoreError
 * where the runtime has no WebAssembly SIMD.
 */
export async function createParquetEncoder(schema: Schema, compression: Compression): Promise<TableEncoder> {
  const elements = createParquetSchema(schema);
  const pages = await pageCompression(compression);
  return new ParquetEncoder(elements, schema.metadata, await sharedKernels(), pages);
}

let shared: Promise<TableKernels> | undefined;

/** The kernels of all encoders: each use of them ends before another can begin. */
function sharedKernels(): Promise<TableKernels> {
  shared ??= loadTableKernels().catch((cause) => {
    shared = undefined;
    throw cause;
  });
  return shared;
}

/** The compression of pages, by its number in parquet.thrift. */
async function pageCompression(compression: Compression): Promise<PageCompression> {
  switch (compression) {
    case 'none':
      return { codec: 0 };
    case 'snappy':
      return { codec: SNAPPY };
    case 'zstd':
      return { codec: 6, compress: await loadEncoder('zstd', 'Parquet') };
    case 'lz4':
      return { codec: 7, compress: lz4Block };
  }
}

class ParquetEncoder implements TableEncoder {
  readonly #elements: readonly ParquetElement[];
  readonly #metadata: ReadonlyMap<string, string>;
  readonly #encoder: ChunkEncoder;
  readonly #columns: readonly GroupColumn[];
  readonly #groups: WrittenGroup[] = [];
  #rows = 0;
  /** The bytes that are written. */
  #length = 0;

  constructor(
    elements: readonly ParquetElement[],
    metadata: ReadonlyMap<string, string>,
    tools: TableKernels,
    compression: PageCompression,
  ) {
    this.#elements = elements;
    this.#metadata = metadata;
    this.#encoder = new ChunkEncoder(tools, compression);
    this.#columns = elements.map((element) => new GroupColumn(element));
  }

  *encode({ data }: RecordBatch): Generator<Uint8Array> {
    for (let start = 0; start < data.length; ) {
      const end = Math.min(data.length, start + ROWS_PER_GROUP - this.#rows);
      for (const [index, column] of this.#columns.entries()) column.append(data.children[index], start, end);
      this.#rows += end - start;
      start = end;
      if (this.#rows === ROWS_PER_GROUP) yield* this.#writeGroup();
    }
  }

  *end(): Generator<Uint8Array> {
    if (this.#rows > 0) yield* this.#writeGroup();
    yield* this.#begin();
    yield footerBytes(this.#elements, this.#groups, this.#metadata);
  }

  *#begin(): Generator<Uint8Array> {
    if (this.#length > 0) return;
    this.#length = MAGIC.length;
    yield MAGIC;
  }

  *#writeGroup(): Generator<Uint8Array> {
    yield* this.#begin();
    const chunks = [];
    for (const [index, column] of this.#columns.entries()) {
      const { pieces, chunk } = this.#encoder.encode(this.#elements[index], column.take(), this.#length);
      chunks.push(chunk);
      this.#length += chunk.storedBytes;
      yield* pieces;
    }
    this.#groups.push({ rows: this.#rows, chunks });
    this.#rows = 0;
  }
}
