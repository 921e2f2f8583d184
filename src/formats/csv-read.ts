import { makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { DataError } from '../errors.js';
import { type CsvBlock, csvBlocks, linesOfRow } from './csv-blocks.js';
import { CsvColumn } from './csv-column.js';
import { csvHeader } from './csv-header.js';
import { loadPackage } from './load-package.js';

/**
 * Reads CSV bytes (UTF-8, a byte order mark tolerated) into a table of one record batch.
 *
 * The first line names the columns; blank lines and lines that begin with `#` before it are skipped, blank lines at the
 * end are ignored. A column whose cells are all numbers is Float64, its blank, NA, NaN, null and - cells null; any other
 * is Utf8 with its cells as they are, empty ones null. Throws a DataError that names the row (from 1) and its line where
 * a row has too few or too many cells, quotes are wrong, names are empty or given twice, or there are no rows.
 */
export async function readCsv(bytes: Uint8Array, source: string): Promise<Table> {
  const { default: Papa } = await loadPackage('papaparse', source, () => import('papaparse'));
  const blocks = () => dataBlocks(csvBlocks(bytes, Papa.Parser, source), source);
  let columns: CsvColumn[] = [];
  let rowCount = 0;
  for (const { names, rows, share } of blocks()) {
    if (columns.length === 0) {
      const guess = Math.ceil((rows.length / share) * 1.02);
      columns = names.map((name) => new CsvColumn(name, guess));
    }
    for (const [index, column] of columns.entries()) column.append(rows, index);
    rowCount += rows.length;
  }
  if (rowCount === 0) {
    throw new DataError({ source, problem: 'has no data rows', allowed: 'a header and at least one row' });
  }
  const late = columns.map((column, index) => ({ column, index })).filter(({ column }) => column.late);
  for (const { column } of late) column.restart();
  if (late.length > 0) {
    for (const { rows } of blocks()) {
      for (const { column, index } of late) column.append(rows, index);
    }
  }
  return tableOf(columns, rowCount);
}

interface DataBlock {
  names: string[];
  rows: string[][];
  share: number;
}

/** The blocks without header and trailing blank lines, each row as long as the header. */
function* dataBlocks(blocks: Iterable<CsvBlock>, source: string): Generator<DataBlock> {
  let names: string[] | undefined;
  let rowsBefore = 0;
  let blank: DataError | undefined;
  for (const { rows, line: firstLine, dialect, share } of blocks) {
    let line = firstLine;
    let start = 0;
    if (names === undefined) {
      names = csvHeader(rows[0], line, source);
      line += linesOfRow(rows[0]);
      start = 1;
    }
    let end = rows.length;
    for (let at = start; at < rows.length; at++) {
      const cells = rows[at];
      if (cells.length === names.length && blank === undefined) continue;
      const isBlank = cells.length === 1 && cells[0].trim() === '';
      if (isBlank && blank !== undefined) continue;
      if (blank !== undefined) throw blank;
      const place = {
        source,
        row: rowsBefore + at - start + 1,
        line: line + rows.slice(start, at).reduce((count, row) => count + linesOfRow(row), 0),
      };
      if (!isBlank) throw raggedRow(cells, names.length, dialect.delimiter, place);
      // Blank lines are an error only where a row follows.
      blank = blankLine(place);
      end = at;
    }
    if (blank !== undefined && end === rows.length) end = start;
    if (end > start) yield { names, rows: start === 0 && end === rows.length ? rows : rows.slice(start, end), share };
    rowsBefore += end - start;
  }
}

interface RowPlace {
  source: string;
  row: number;
  line: number;
}

function raggedRow(cells: string[], columns: number, delimiter: string, { source, row, line }: RowPlace): DataError {
  return new DataError({
    source,
    row,
    problem: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, the header ${columns} (line ${line})`,
    received: cells.join(delimiter),
    allowed: `${columns} cells in every row`,
  });
}

function blankLine({ source, row, line }: RowPlace): DataError {
  return new DataError({
    source,
    row,
    problem: `is a blank line between rows (line ${line})`,
    allowed: 'blank lines at the end only',
  });
}

function tableOf(columns: CsvColumn[], length: number): Table {
  const finished = columns.map((column) => column.finish());
  const schema = new Schema(finished.map(({ field }) => field));
  const children = finished.map(({ data }) => data);
  const data = makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
  return new Table([new RecordBatch(schema, data)]);
}
