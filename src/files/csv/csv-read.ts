import type { Table } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { loadPackage } from '../load-package.js';
import { type CsvBlock, CsvBlocks, type ParserConstructor } from './csv-blocks.js';
import { CsvColumn, createCsvTable } from './csv-column.js';
import { type CsvOptions, CsvRows } from './csv-rows.js';

const PIECE_BYTES = 1 << 20;

/**
 * Reads CSV bytes (UTF-8, with or without a byte order mark, or another encoding of `TextDecoding`) into a table of one
 * record batch.
 *
 * The first line names the columns; blank lines and lines that begin with `#` before it are skipped, blank lines at the
 * end are ignored. A column whose cells are all numbers is Float64, its blank, NA, NaN, null and - cells null; any
 * other is Utf8 with its cells as they are, empty ones null. Throws a DataError that names the row (from 1) and its
 * line if a row has too few or too many cells, quotes are wrong, names are empty or occur twice, or there are no rows.
 */
export async function readCsv(bytes: Uint8Array, source: string, options: CsvOptions = {}): Promise<Table> {
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
  }
  if (rowCount === 0) throw noRows(source);
  const late = columns.map((column, index) => ({ column, index })).filter(({ column }) => column.late);
  for (const { column } of late) column.restart();
  if (late.length > 0) {
    for (const { rows } of blocks(new CsvRows(source, { decimal: options.decimal }))) {
      for (const { column, index } of late) column.append(rows, index);
    }
  }
  const table = createCsvTable(columns, rowCount);
  return data.locations?.table(table) ?? table;
}

/** Loads papaparse's parser. Throws PackageError if it is not installed. */
export async function loadParser(source: string): Promise<ParserConstructor> {
  const { default: Papa } = await loadPackage('papaparse', source, () => import('papaparse'));
  return Papa.Parser;
}

/** The error for CSV without data rows. */
export function noRows(source: string): DataError {
  return new DataError({ source, problem: 'has no data rows', allowed: 'a header and at least one row' });
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
  const blocks = new CsvBlocks(Parser, source, report);
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
