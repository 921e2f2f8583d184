import type { Table } from 'apache-arrow';
import type { ReadOptions } from '../arrow/read-options.js';
import { OptionError } from '../errors.js';
import type { NetcdfContent } from '../formats/netcdf4/netcdf-content.js';
import { statisticsContent } from './statistics-content.js';
import { ensembleContentOfTable } from './table-ensemble.js';
import { isStatisticsTable, resultsOfTable } from './table-results.js';

/**
 * What a NetCDF file of a table holds, of statistics or of the daily values of members: on its grid where the rows make up one. Throws
 * OptionError for a climatology, which has no dates, and what `resultsOfTable` and `readEnsemble` throw.
 */
export function contentOfTable(table: Table, options: ReadOptions = {}): NetcdfContent {
  if (isClimatologyTable(table)) {
    throw new OptionError({
      subject: 'netcdf',
      problem: 'a climatology has no dates, which NetCDF is written along',
      allowed: 'arrow, parquet, csv, json or jsonl',
    });
  }
  return isStatisticsTable(table)
    ? statisticsContent(resultsOfTable(table, options))
    : ensembleContentOfTable(table, options);
}

/** Whether a table is a climatology, told by its columns. */
export function isClimatologyTable({ schema }: Table): boolean {
  const names = schema.fields.map(({ name }) => name);
  return ['period', 'n_samples', 'mean'].every((name) => names.includes(name));
}
