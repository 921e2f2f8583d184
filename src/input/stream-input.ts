import { RecordBatchReader, Table } from 'apache-arrow';
import { FormatError } from '../errors.js';
import { ByteFeed, type Pieces, readPieces } from '../files/byte-source.js';
import { detectFormat } from '../files/open-source.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { columnRoles } from '../table/columns/column-roles.js';
import { arrowStreamInput, openInput, type TableInput } from './input.js';
import { openInputFile, STANDARD } from './input-file.js';
import type { Report } from './notice.js';

/** An Arrow IPC stream that is open. */
export interface StreamInput {
  readonly table: TableInput;
  /** The number of its rows, once its statistics are complete. */
  rows(): number;
}

/** How a stream is opened. */
export interface StreamOptions {
  /** What messages call the stream. */
  readonly source: string;
  readonly report: Report;
  /** Whether its rows are read once. */
  readonly once: boolean;
  readonly columns: ColumnRoles | undefined;
}

/** Streams below this size are kept in memory, like short files. */
const SHORT_BYTES = 33_554_432;

/**
 * Opens an Arrow IPC stream as `openInput` opens a file with the same bytes, so that results are the same. A short
 * stream is kept in memory; a long one is copied to a temporary file if it has a row for each member, which may be in
 * any order, or if its rows are read several times; others are read as they come. Throws FormatError for other formats,
 * and FileError.
 */
export async function openStream(
  given: Pieces,
  { source, report, once, columns }: StreamOptions,
): Promise<StreamInput> {
  const pieces = new ByteFeed(given);
  const isLong = await pieces.has(SHORT_BYTES);
  const head = pieces.peek(SHORT_BYTES);
  assertArrowStream(head, source);
  if (!isLong) {
    const again = { [Symbol.asyncIterator]: () => readPieces(head) };
    return counted({ ...arrowStreamInput(again, source, report), form: 'short' });
  }
  if (once && !mayHaveMemberRows(head, columns, source)) return counted(arrowStreamInput(pieces, source, report));
  const input = await openInput({ ...(await openInputFile(STANDARD, () => pieces)), source }, {}, report);
  if (input.kind === 'table') return counted(input);
  await input.close();
  throw new FormatError({ subject: source, problem: 'is not an Arrow IPC stream' });
}

function assertArrowStream(head: Uint8Array, source: string): void {
  const format = detectFormat(head, source);
  if (format === 'arrow-stream') return;
  throw new FormatError({
    subject: source,
    problem: 'is not an Arrow IPC stream',
    received: format,
    allowed: 'an Arrow IPC stream, as a StreamWriter writes it',
  });
}

/** Whether the schema has a column for the names of members; false where it cannot be read, which reading reports. */
function mayHaveMemberRows(head: Uint8Array, columns: ColumnRoles | undefined, source: string): boolean {
  try {
    const { schema } = RecordBatchReader.from(head).open();
    return columnRoles(new Table(schema), columns, source).member !== undefined;
  } catch {
    return false;
  }
}

/** The same input, whose rows are counted each time that they are read. */
function counted(input: TableInput): StreamInput {
  let rows = 0;
  const table: TableInput = {
    ...input,
    async read() {
      const all = await input.read();
      rows = all.numRows;
      return all;
    },
    async *tables(core, options) {
      rows = 0;
      for await (const part of input.tables(core, options)) {
        rows += part.numRows;
        yield part;
      }
    },
  };
  return { table, rows: () => rows };
}
