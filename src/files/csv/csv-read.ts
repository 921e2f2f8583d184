import { type RecordBatch, Table } from 'apache-arrow';
import { Work } from '../../check/work.js';
import { isPlumecastError } from '../../errors.js';
import type { FileAccess, FileInParts } from '../file-access.js';
import type { OpenedTable, TableOptions } from '../format.js';
import { type PartsOptions, partsInThreads } from '../parts-in-threads.js';
import { type CsvBlock, CsvBlocks, loadParser, type ParserConstructor } from './csv-blocks.js';
import { CsvColumn, createCsvTable } from './csv-column.js';
import { type CsvOptions, CsvRows, noRows } from './csv-rows.js';
import { beginningOfSlice, type SliceReader, UnknownRowsError } from './csv-slice.js';
import { tablesOfCsv } from './csv-tables.js';
import { TextDecoding } from './text-decoding.js';

const PIECE_BYTES = 1 << 20;
/** Bytes that take about as long as other work of the thread may wait. */
const TURN_BYTES = 1 << 18;

/**
 * Reads CSV bytes (UTF-8, with or without a byte order mark, or another encoding of `TextDecoding`) into a table, in
 * record batches of some hundred thousand cells.
 *
 * The first line names the columns; blank lines and lines that begin with `#` before it are skipped, blank lines at the
 * end are ignored. A column whose cells are all numbers is Float64, its cells of `MISSING_TEXT` null; any
 * other is Utf8 with its cells as they are, empty ones null. Throws a DataError that names the row (from 1) and its
 * line if a row has too few or too many cells, quotes are wrong, names are empty or occur twice, or there are no rows.
 */
export async function readCsv(
  bytes: Uint8Array,
  source: string,
  options: CsvOptions = {},
  work = new Work({}, 'bytes'),
): Promise<Table> {
  const noted = new Set<string>();
  const report = (note: string) => {
    if (!noted.has(note)) options.report?.(note);
    noted.add(note);
  };
  const once = { ...options, report };
  const batches: RecordBatch[] = [];
  try {
    const pieces = work.stream(piecesOf(bytes, TURN_BYTES), ({ length }) => length);
    for await (const table of tablesOfCsv(pieces, source, once)) batches.push(...table.batches);
  } catch (error) {
    // A column that begins with numbers may be one of texts; other faults are found again, with their first row.
    if (!isPlumecastError(error, 'data')) throw error;
    return readByParser(bytes, source, once, work);
  }
  return new Table(batches);
}

function* piecesOf(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

async function* shortPieces({ pieces, work }: FileAccess): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces({ inTurn: true })) yield* work.stream(piecesOf(piece, TURN_BYTES));
}

/** Like `readCsv`, without kernels: a column is text if any of its cells is. */
async function readByParser(bytes: Uint8Array, source: string, options: CsvOptions, work: Work): Promise<Table> {
  const Parser = await loadParser(source);
  const data = new CsvRows(source, options);
  const blocks = (rows: CsvRows, report?: CsvOptions['report']) => dataBlocks(bytes, Parser, rows, source, report);
  let columns: CsvColumn[] = [];
  let rowCount = 0;
  for (const { names, numbers, rows, share } of blocks(data, options.report)) {
    if (columns.length === 0) {
      const guess = Math.ceil((rows.length / share) * 1.02);
      columns = names.map((name) => new CsvColumn(name, guess, { source, numbers, rowsBefore: 0 }));
    }
    for (const [index, column] of columns.entries()) column.append(rows, index);
    rowCount += rows.length;
    await work.pause();
  }
  if (rowCount === 0) throw noRows(source);
  const late = columns.map((column, index) => ({ column, index })).filter(({ column }) => column.late);
  for (const { column } of late) column.restart();
  if (late.length > 0) {
    for (const { rows } of blocks(new CsvRows(source, { decimal: options.decimal }))) {
      for (const { column, index } of late) column.append(rows, index);
      await work.pause();
    }
  }
  const table = createCsvTable(
    data.names,
    columns.map((column) => column.finish()),
    rowCount,
  );
  return data.locations?.table(table) ?? table;
}

interface DataBlock {
  names: readonly string[];
  numbers: CsvRows['numbers'];
  rows: string[][];
  /** The share of the bytes that has been read, from 0 to 1. */
  share: number;
}

/** The data rows of all bytes, block by block. */
function* dataBlocks(
  bytes: Uint8Array,
  Parser: ParserConstructor,
  data: CsvRows,
  source: string,
  report: CsvOptions['report'],
): Generator<DataBlock> {
  const blocks = new CsvBlocks(Parser, source, new TextDecoding(source, report));
  function* takeRows(block: CsvBlock | undefined, end: number) {
    const rows = block === undefined ? [] : data.take(block);
    if (rows.length > 0)
      yield { names: data.names, numbers: data.numbers, rows, share: Math.min(1, end / bytes.length) };
  }
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const end = start + PIECE_BYTES;
    yield* takeRows(blocks.add(bytes.subarray(start, end)), end);
  }
  yield* takeRows(blocks.end(), bytes.length);
}

/** Shorter CSV is not cut into slices, however many threads there are: tables are the same for all numbers of them. */
const SLICED_BYTES = 16_777_216;

/** Opens CSV; a long file is read in slices if a number of threads is given. */
export function openCsv(
  file: FileAccess,
  { decimal, report, codedTexts, threads, areViews = false }: TableOptions,
): OpenedTable {
  const { source, parts } = file;
  return {
    read: async () => readCsv(await file.bytes(), source, { decimal, report }, file.work),
    tables: () => {
      // One thread alone reads the pieces as they come in a tenth less of the time.
      const isSliced = parts !== undefined && threads !== undefined && parts.file.size >= SLICED_BYTES;
      const slices = isSliced ? slicesInThreads(parts, source, { threads, areViews }) : undefined;
      return tablesOfCsv(shortPieces(file), source, { decimal, report, codedTexts, slices });
    },
  };
}

/** Reads the slices of CSV in several threads, up to the first that kernels do not read. */
function slicesInThreads(
  { file, others }: FileInParts,
  source: string,
  options: Pick<PartsOptions, 'threads' | 'areViews'>,
): SliceReader {
  return {
    async *read(slices) {
      try {
        yield* partsInThreads(file, { kind: 'csv', source, slices }, { ...options, others });
      } catch (error) {
        if (!(error instanceof UnknownRowsError)) throw error;
      }
    },
    async piecesFrom(slices, index) {
      const at = await beginningOfSlice(slices, file, index);
      return at < file.size ? file.pieces(at) : undefined;
    },
  };
}
