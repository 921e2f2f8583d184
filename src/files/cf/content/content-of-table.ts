import type { Table } from 'apache-arrow';
import type { ReadOptions } from '../../../table/read-options.js';
import type { NetcdfContent } from '../../netcdf4/netcdf-content.js';
import { ensembleContentOfTable } from '../table-ensemble.js';
import { climatologyContent, isClimatologyTable } from './climatology-content.js';
import { statisticsContent } from './statistics-content.js';
import { isStatisticsTable, resultsOfTable } from './table-results.js';

/**
 * What a NetCDF file of a table holds, of a climatology, of statistics or of the daily values of members: on its grid where the rows make
 * up one. Throws what `climatologyContent`, `resultsOfTable` and `readEnsemble` throw.
 */
export function contentOfTable(table: Table, options: ReadOptions = {}): NetcdfContent {
  if (isClimatologyTable(table)) return climatologyContent(table, options);
  return isStatisticsTable(table)
    ? statisticsContent(resultsOfTable(table, options))
    : ensembleContentOfTable(table, options);
}
