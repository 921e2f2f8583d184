import type { Table } from 'apache-arrow';
import { OptionError } from '../errors.js';
import { writeNetcdf4 } from '../formats/netcdf4/write-netcdf4.node.js';
import { statisticsContent } from '../grid/statistics-content.js';
import { ensembleContentOfTable } from '../grid/table-ensemble.js';
import { isStatisticsTable, resultsOfTable } from '../grid/table-results.js';
import { writeWhole } from './write-output.js';

/**
 * Writes a table of statistics, or of the daily values of members, as NetCDF: on its grid where the rows make up one. Throws OptionError
 * for a table without dates, such as a climatology.
 */
export async function writeNetcdf(path: string, table: Table, deflate?: number): Promise<void> {
  if (table.getChild('n_samples') !== null) {
    throw new OptionError({
      subject: 'netcdf',
      problem: 'a climatology has no dates, which NetCDF is written along',
      allowed: 'arrow, parquet, csv, json or jsonl',
    });
  }
  const content = isStatisticsTable(table) ? statisticsContent(resultsOfTable(table)) : ensembleContentOfTable(table);
  await writeWhole(path, (temporary) => writeNetcdf4(temporary, content, { deflate }));
}
