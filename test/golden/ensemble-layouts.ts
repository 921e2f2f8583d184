import { type Table, tableToIPC } from 'apache-arrow';
import { encodeTable, readTable } from '../../src/files/index.js';
import { type EnsembleValues, ensembleTable, type TableLayout } from '../reference/ensemble-table.js';

/** Files that hold the same ensemble. */
export const ensembleFiles: [title: string, bytes: (values: EnsembleValues) => Uint8Array | Promise<Uint8Array>][] = [
  ['an Arrow file, wide', (values) => encodeTable(ensembleTable(values, { form: 'wide' }), 'arrow')],
  ['an Arrow file, long', (values) => encodeTable(ensembleTable(values, { form: 'long' }), 'arrow')],
  ['an Arrow file of lists', (values) => encodeTable(ensembleTable(values, { form: 'list' }), 'arrow')],
  ['an Arrow stream of record batches, wide', (values) => tableToIPC(inBatches(values, 'wide'), 'stream')],
  ['an Arrow stream of record batches, long', (values) => tableToIPC(inBatches(values, 'long'), 'stream')],
  ['an Arrow file of record batches of lists', (values) => tableToIPC(inBatches(values, 'list'), 'file')],
  ['a Parquet file, wide', (values) => encodeTable(ensembleTable(values, { form: 'wide' }), 'parquet')],
  ['a Parquet file, long', (values) => encodeTable(ensembleTable(values, { form: 'long' }), 'parquet')],
  ['a CSV file, long', (values) => encodeTable(ensembleTable(values, { form: 'long' }), 'csv')],
];

/** Batches of uneven lengths that end within weeks and months. */
function inBatches(values: EnsembleValues, form: TableLayout['form']): Table {
  return ensembleTable(values, { form, breaks: [1, 4, 13, 29, 34, 101, 199] });
}

/** A table as it reads back from a file. */
export async function throughFile(table: Table, format: 'arrow' | 'parquet'): Promise<Table> {
  return readTable(await encodeTable(table, format));
}
