import { DataType, Field, Message, type RecordBatch, Schema } from 'apache-arrow';
import { loadTableKernels, type TableKernels } from '../../core/table-kernels.js';
import { encapsulate } from '../arrow/arrow-messages.js';
import { loadEncoder } from '../codecs/load-encoder.js';
import { lz4Block } from '../codecs/lz4-block.js';
import type { Compression, TableEncoder } from '../format.js';
import { columnStatistics } from './column-statistics.js';
import { footerBytes, type WrittenChunk, type WrittenGroup } from './footer-bytes.js';
import { GroupColumn, type GroupValues } from './group-column.js';
import { ENCODING, PAGE } from './pages.js';
import { createParquetSchema, type ParquetElement, STORED } from './parquet-schema.js';
import { PointColumn } from './point-column.js';
import { placeAndPeriod, sortedColumns } from './sorted-columns.js';
import { GEO } from './table-points.js';
import { ThriftBytes } from './thrift-bytes.js';

const ROWS_PER_GROUP = 32_768;
const MAGIC = new TextEncoder().encode('PAR1');

/**
 * Creates a writer of Parquet with row groups of 32,768 rows, whatever the size of batches.
 *
 * Column types are kept for floats, integers of 32 and 64 bits, booleans, texts, dates (DATE) and timestamps; smaller
 * integers become INT32. Nulls stay nulls and NaN stays NaN; schema metadata become key-value metadata. Where the rows
 * of a row group are sorted by place and period, it says so. With `points`, places are also a column of points, as
 * GeoParquet has it. Throws an OptionError for other columns, if there are none, and if points are requested without places, a PackageError if the library of zstd is missing, and CoreError
 * where the runtime has no WebAssembly SIMD.
 */
export async function createParquetEncoder(
  schema: Schema,
  compression: Compression,
  options: { readonly points?: boolean } = {},
): Promise<TableEncoder> {
  const elements = createParquetSchema(schema);
  const points = options.points === true ? new PointColumn(elements) : undefined;
  const pages = await pageCompression(compression);
  return new ParquetEncoder(elements, fileMetadata(schema), points, await sharedKernels(), pages);
}

/**
 * The key-value metadata of a file: what the table has and, where columns have some, such as what a condition is of, the
 * schema as other writers of Arrow keep it (`ARROW:schema`, an IPC message in base64), by which readers find these.
 */
function fileMetadata({ fields, metadata }: Schema): ReadonlyMap<string, string> {
  if (fields.every((field) => field.metadata.size === 0)) return metadata;
  const stored = fields.map(
    ({ name, type, nullable, metadata: own }) =>
      new Field(name, DataType.isDictionary(type) ? type.dictionary : type, nullable, own),
  );
  const message = encapsulate(Message.encode(Message.from(new Schema(stored, metadata))));
  const text = Array.from(message, (byte) => String.fromCharCode(byte)).join('');
  return new Map([...metadata, ['ARROW:schema', btoa(text)]]);
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
  readonly #points: PointColumn | undefined;
  /** The columns by which rows may be sorted. */
  readonly #sorting: readonly number[];
  readonly #encoder: ChunkEncoder;
  readonly #columns: readonly GroupColumn[];
  readonly #groups: WrittenGroup[] = [];
  #rows = 0;
  /** The bytes that are written. */
  #length = 0;

  constructor(
    elements: readonly ParquetElement[],
    metadata: ReadonlyMap<string, string>,
    points: PointColumn | undefined,
    tools: TableKernels,
    compression: PageCompression,
  ) {
    this.#elements = points === undefined ? elements : [...elements, points.element];
    this.#metadata = metadata;
    this.#points = points;
    this.#sorting = placeAndPeriod(elements);
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
    // The metadata of a file that was read describe a column that is not here.
    const metadata = new Map([...this.#metadata].filter(([key]) => key !== GEO));
    if (this.#points !== undefined) metadata.set(GEO, this.#points.metadata());
    yield footerBytes(this.#elements, this.#groups, metadata);
  }

  *#begin(): Generator<Uint8Array> {
    if (this.#length > 0) return;
    this.#length = MAGIC.length;
    yield MAGIC;
  }

  *#writeGroup(): Generator<Uint8Array> {
    yield* this.#begin();
    const chunks = [];
    const group = this.#columns.map((column) => column.take());
    const sorted = sortedColumns(this.#sorting, this.#elements, group);
    if (this.#points !== undefined) group.push(this.#points.points(group));
    for (const [index, values] of group.entries()) {
      const { pieces, chunk } = this.#encoder.encode(this.#elements[index], values, this.#length);
      chunks.push(chunk);
      this.#length += chunk.storedBytes;
      yield* pieces;
    }
    this.#groups.push({ rows: this.#rows, chunks, sorted });
    this.#rows = 0;
  }
}

/** A compression of pages, by its number in parquet.thrift; Snappy is a kernel. */
export interface PageCompression {
  readonly codec: number;
  readonly compress?: (bytes: Uint8Array) => Uint8Array;
}

export const SNAPPY = 1;

interface EncodedChunk {
  readonly pieces: readonly Uint8Array[];
  readonly chunk: WrittenChunk;
}

/** The values of a page, and for those of a dictionary the dictionary. */
interface EncodedValues {
  readonly data: Uint8Array;
  readonly dictionary?: { readonly bytes: Uint8Array; readonly size: number };
}

/** Bytes that kernels may read or write behind others. */
const PADDING = 64;
const SNAPPY_TABLE = 32_768;
/** The bytes of a page header, and of what else a dictionary costs. */
const DICTIONARY_COST = 64;

/** Encodes column chunks: one data page each, with a dictionary where that takes fewer bytes. */
export class ChunkEncoder {
  readonly #tools: TableKernels;
  readonly #compression: PageCompression;

  constructor(tools: TableKernels, compression: PageCompression) {
    this.#tools = tools;
    this.#compression = compression;
  }

  /** Encodes the values of a column in a row group; `at` is the place of the first byte in the file. */
  encode(element: ParquetElement, group: GroupValues, at: number): EncodedChunk {
    const { memory } = this.#tools;
    const mark = memory.mark();
    try {
      return this.#encode(element, group, at);
    } finally {
      memory.release(mark);
    }
  }

  #encode(element: ParquetElement, group: GroupValues, at: number): EncodedChunk {
    const { data, dictionary } = this.#values(element, group);
    const pages: Uint8Array[] = [];
    let decodedBytes = 0;
    const addPage = (type: number, values: number, encoding: number, content: readonly Uint8Array[]) => {
      const bytes = joined(content);
      const stored = this.#compressed(bytes);
      const header = pageHeader(type, { values, encoding, decodedBytes: bytes.length, storedBytes: stored.length });
      pages.push(header, stored);
      decodedBytes += header.length + bytes.length;
    };
    if (dictionary !== undefined) addPage(PAGE.dictionary, dictionary.size, ENCODING.plain, [dictionary.bytes]);
    const dictionaryBytes = length(pages);
    const encoding = dictionary === undefined ? ENCODING.plain : ENCODING.rleDictionary;
    addPage(PAGE.data, group.rows, encoding, [...this.#levels(element, group), data]);
    const encodings = dictionary === undefined ? [ENCODING.plain] : [ENCODING.plain, ENCODING.rleDictionary];
    return {
      pieces: pages,
      chunk: {
        encodings: [...encodings, ENCODING.rle],
        codec: this.#compression.codec,
        values: group.rows,
        decodedBytes,
        storedBytes: length(pages),
        dictionaryAt: dictionary && at,
        dataAt: at + dictionaryBytes,
        statistics: columnStatistics(element, group),
      },
    };
  }

  #values({ type }: ParquetElement, { values, texts }: GroupValues): EncodedValues {
    const bytes = new Uint8Array(values.buffer as ArrayBuffer, values.byteOffset, values.byteLength);
    if (type === STORED.boolean) return { data: packedBits(values as Int32Array) };
    if (type === STORED.bytes) return this.#texts(values as Int32Array, texts);
    return this.#coded(bytes, values.length, values.BYTES_PER_ELEMENT) ?? { data: bytes };
  }

  /** A dictionary of numbers, if that takes fewer bytes. */
  #coded(bytes: Uint8Array, count: number, width: number): EncodedValues | undefined {
    const { memory, kernels } = this.#tools;
    const most = count >> 1;
    if (most === 0) return undefined;
    const bits = 33 - Math.clz32(2 * most);
    const values = this.#store(bytes);
    const slots = memory.scratch(4 << bits);
    const entries = memory.scratch(most * width);
    const codes = memory.scratch(4 * count);
    const code = width === 4 ? kernels.codeValues4 : kernels.codeValues8;
    const size = code(values, count, most, slots, bits, entries, codes);
    if (size < 0) return undefined;
    const indices = this.#indices(codes, count, size);
    if (size * width + indices.length + DICTIONARY_COST > bytes.length) return undefined;
    return { data: indices, dictionary: { bytes: memory.bytes(entries, size * width).slice(), size } };
  }

  #texts(values: Int32Array, texts: readonly Uint8Array[]): EncodedValues {
    const plain = (which: Iterable<number>) => prefixed(Array.from(which, (index) => texts[index]));
    if (texts.length === 0 || 2 * texts.length > values.length) return { data: plain(values) };
    const { buffer, byteOffset, byteLength } = values;
    const codes = this.#store(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
    return {
      data: this.#indices(codes, values.length, texts.length),
      dictionary: { bytes: plain(texts.keys()), size: texts.length },
    };
  }

  /** The width of indices, and their runs. */
  #indices(codes: number, count: number, size: number): Uint8Array {
    const width = Math.max(1, 32 - Math.clz32(size - 1));
    const runs = this.#runs(codes, count, width);
    const bytes = new Uint8Array(1 + runs.length);
    bytes[0] = width;
    bytes.set(runs, 1);
    return bytes;
  }

  #runs(codes: number, count: number, width: number): Uint8Array {
    const { memory, kernels } = this.#tools;
    const out = memory.scratch(8 * count + PADDING);
    return memory.bytes(out, kernels.writeRuns(codes, count, width, out));
  }

  /** The levels of an optional column, behind their length. */
  #levels({ isOptional }: ParquetElement, { isPresent, rows }: GroupValues): Uint8Array[] {
    if (!isOptional) return [];
    const levels = isPresent === undefined ? new Int32Array(rows).fill(1) : Int32Array.from(isPresent);
    const runs = this.#runs(this.#store(new Uint8Array(levels.buffer)), rows, 1).slice();
    return [new Uint8Array(Uint32Array.of(runs.length).buffer), runs];
  }

  #compressed(bytes: Uint8Array): Uint8Array {
    const { codec, compress } = this.#compression;
    // Readers treat an empty page as not compressed.
    if (compress !== undefined) return bytes.length === 0 ? bytes : compress(bytes);
    if (codec !== SNAPPY) return bytes;
    const { memory, kernels } = this.#tools;
    const from = this.#store(bytes);
    const table = memory.scratch(2 * SNAPPY_TABLE);
    const out = memory.scratch(bytes.length + Math.ceil(bytes.length / 6) + PADDING);
    return memory.bytes(out, kernels.compressSnappy(from, bytes.length, out, table)).slice();
  }

  #store(bytes: Uint8Array): number {
    const { memory } = this.#tools;
    const at = memory.scratch(bytes.length + PADDING);
    memory.bytes(at, bytes.length).set(bytes);
    return at;
  }
}

interface PageSizes {
  readonly values: number;
  readonly encoding: number;
  readonly decodedBytes: number;
  readonly storedBytes: number;
}

function pageHeader(type: number, { values, encoding, decodedBytes, storedBytes }: PageSizes): Uint8Array {
  return ThriftBytes.struct((into) => {
    into.i32(1, type);
    into.i32(2, decodedBytes);
    into.i32(3, storedBytes);
    into.struct(type === PAGE.data ? 5 : 7, () => {
      into.i32(1, values);
      into.i32(2, encoding);
      if (type !== PAGE.data) return;
      into.i32(3, ENCODING.rle);
      into.i32(4, ENCODING.rle);
    });
  });
}

function packedBits(values: Int32Array): Uint8Array {
  const bytes = new Uint8Array((values.length + 7) >> 3);
  for (let i = 0; i < values.length; i++) bytes[i >> 3] |= values[i] << (i & 7);
  return bytes;
}

/** Texts, each behind its length. */
function prefixed(texts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(length(texts) + 4 * texts.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const text of texts) {
    view.setUint32(at, text.length, true);
    bytes.set(text, at + 4);
    at += 4 + text.length;
  }
  return bytes;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0];
  const bytes = new Uint8Array(length(pieces));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function length(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
