import { type RecordBatch, type Schema, Table } from 'apache-arrow';
import { FormatError } from '../../errors.js';
import { registerCodecs } from '../codecs/compression.js';
import { assertBatchLayouts } from './arrow-layout.js';
import { walkArrowMessages } from './arrow-messages.js';
import { readMessageTable } from './arrow-read.js';
import { readPlainBatch } from './plain-batch.js';

/** Batches of fewer rows are combined, as each table has a fixed cost. */
const MIN_ROWS = 8_192;

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

/** Combines neighbouring batches of one schema until they have some thousand rows. */
export class BatchGroups {
  #batches: RecordBatch[] = [];
  #rows = 0;

  /** The table that this batch completes; undefined if more rows are needed. */
  add(batch: RecordBatch): Table | undefined {
    if (batch.numRows === 0) return undefined;
    this.#batches.push(batch);
    this.#rows += batch.numRows;
    return this.#rows < MIN_ROWS ? undefined : this.end();
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
export async function* readTables(runs: AsyncIterable<Uint8Array>, source: string): AsyncGenerator<Table> {
  const reader = new MessageReader(source);
  for await (const run of runs) yield* await reader.tables(run);
}
