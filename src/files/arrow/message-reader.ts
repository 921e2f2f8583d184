import { Data, DataType, makeData, RecordBatch, type Schema, Struct, Table } from 'apache-arrow';
import { FormatError } from '../../errors.js';
import { valueArray } from '../../table/arrow/value-array.js';
import { registerCodecs } from '../codecs/compression.js';
import { assertBatchLayouts } from './arrow-layout.js';
import { type BatchHeader, walkArrowMessages } from './arrow-messages.js';
import { readMessageTable } from './arrow-read.js';
import { withView } from './core-buffer.js';
import type { MessageRun } from './message-runs.js';

/** Batches of fewer rows are combined, as each table has a fixed cost. */
export const MIN_ROWS = 8_192;

/** Reads runs of the messages of one stream, each with the stream's schema first. */
export class MessageReader {
  readonly #source: string;
  #schema?: Schema;

  constructor(source: string) {
    this.#source = source;
  }

  /**
   * The batches of a run as tables: long ones one by one, so that their columns are contiguous, short ones together.
   * Only compressed data are copied. Throws FormatError, and PackageError if a codec is not installed.
   */
  async tables(bytes: Uint8Array): Promise<Table[]> {
    const groups = new BatchGroups();
    const batches = await this.#batches(bytes);
    const tables = [...batches.map((batch) => groups.add(batch)), groups.end()];
    return tables.filter((table) => table !== undefined);
  }

  async #batches(bytes: Uint8Array): Promise<readonly RecordBatch[]> {
    const messages = walkArrowMessages(bytes, this.#source);
    if (messages.end !== bytes.length) throw endedEarly(this.#source);
    const schema = messages.schema as Schema;
    assertBatchLayouts(bytes, messages, schema, this.#source);
    if (this.#schema !== undefined) {
      const plain = messages.batches.map(({ header, start, end }) => {
        return readPlainBatch(this.#schema as Schema, header, bytes.subarray(start, end));
      });
      if (!plain.includes(undefined)) return plain as RecordBatch[];
    }
    await registerCodecs(messages.compressions, this.#source);
    const table = readMessageTable(bytes, this.#source);
    this.#schema = table.schema;
    return table.batches;
  }
}

function endedEarly(source: string): FormatError {
  return new FormatError({
    subject: source,
    problem: 'has an end-of-stream marker before its last record batch',
    allowed: 'one at its end',
  });
}

/** Combines neighbouring batches of one schema until they have some thousand rows, or more where they are asked for. */
export class BatchGroups {
  readonly #leastRows: (batch: RecordBatch) => number;
  #batches: RecordBatch[] = [];
  #rows = 0;

  constructor(leastRows: (batch: RecordBatch) => number = () => MIN_ROWS) {
    this.#leastRows = leastRows;
  }

  /** How many rows are kept. */
  get rows(): number {
    return this.#rows;
  }

  /** The table that this batch completes; undefined if more rows are needed. */
  add(batch: RecordBatch): Table | undefined {
    if (batch.numRows === 0) return undefined;
    this.#batches.push(batch);
    this.#rows += batch.numRows;
    return this.#rows < this.#leastRows(batch) ? undefined : this.end();
  }

  /** The table of the remaining batches; undefined if there are none. */
  end(): Table | undefined {
    if (this.#rows === 0) return undefined;
    const table = new Table(this.#batches);
    this.#batches = [];
    this.#rows = 0;
    return table;
  }
}

/** Reads runs of messages as tables. */
export async function* readTables(runs: AsyncIterable<MessageRun>, source: string): AsyncGenerator<Table> {
  const reader = new MessageReader(source);
  for await (const run of runs) {
    let view = run();
    const read = () =>
      withView(run, (bytes) => {
        view = bytes;
        return reader.tables(bytes);
      });
    let tables = await read();
    for (let i = 0; i < tables.length; i++) {
      // The memory may have grown since the table before.
      if (view.length === 0) tables = await read();
      yield tables[i];
    }
  }
}

/** An uncompressed batch: its metadata, and the bytes of its body. */
interface Body {
  readonly header: BatchHeader;
  readonly bytes: Uint8Array;
  /** The number of nodes and buffers that have been read. */
  nodes: number;
  buffers: number;
}

/**
 * Reads a batch of columns of numbers, dates and lists of fixed size as a view of its body, several times faster than
 * apache-arrow's own reader. Undefined if there are columns of other types, or a column is not valid: apache-arrow then
 * reads the batch, or reports the error.
 */
function readPlainBatch(schema: Schema, header: BatchHeader, bytes: Uint8Array): RecordBatch | undefined {
  if (header.compression != null) return undefined;
  const body: Body = { header, bytes, nodes: 0, buffers: 0 };
  const children: Data[] = [];
  for (const { type } of schema.fields) {
    const column = readColumn(type, body, header.length);
    if (column === undefined) return undefined;
    children.push(column);
  }
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: header.length, nullCount: 0, children }));
}

function readColumn(type: DataType, body: Body, length: number): Data | undefined {
  const node = body.header.nodes[body.nodes++];
  if (node?.length !== length) return undefined;
  const bitmap = readBitmap(body, length, node.nullCount);
  if (bitmap === undefined) return undefined;
  if (DataType.isFixedSizeList(type)) {
    const child = readColumn(type.children[0].type, body, length * type.listSize);
    return child && (new Data(type, 0, length, node.nullCount, [undefined, undefined, bitmap], [child]) as Data);
  }
  const values = readValues(type, body, length);
  return values && (new Data(type, 0, length, node.nullCount, [undefined, values, bitmap]) as Data);
}

/** The bitmap of valid rows; no bytes if all are valid. */
function readBitmap(body: Body, length: number, nullCount: number): Uint8Array | undefined {
  const { offset, length: bytes } = body.header.buffers[body.buffers++] ?? { offset: 0, length: -1 };
  if (nullCount === 0) return NO_BITMAP;
  return bytes * 8 < length ? undefined : body.bytes.subarray(offset, offset + bytes);
}

const NO_BITMAP = /* @__PURE__ */ new Uint8Array(0);

function readValues(type: DataType, body: Body, length: number): ArrayBufferView | undefined {
  const { offset, length: available } = body.header.buffers[body.buffers++] ?? { offset: 0, length: -1 };
  const isNumber =
    DataType.isInt(type) || DataType.isFloat(type) || DataType.isDate(type) || DataType.isTimestamp(type);
  if (!isNumber) return undefined;
  const { ArrayType } = type;
  const bytes = length * (valueArray(type)?.BYTES_PER_ELEMENT ?? Number.POSITIVE_INFINITY);
  const { buffer, byteOffset } = body.bytes;
  const start = byteOffset + offset;
  const size = ArrayType.BYTES_PER_ELEMENT;
  if (start % size !== 0 || available < bytes) return undefined;
  return new ArrayType(buffer as ArrayBuffer, start, bytes / size);
}
