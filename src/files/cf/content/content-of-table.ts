import type { Table } from 'apache-arrow';
import type { ReadOptions } from '../../../table/columns/read-options.js';
import type { NetcdfContent } from '../../netcdf4/netcdf-content.js';
import { tableNetcdf } from '../table-ensemble.js';
import { climatologyNetcdf, isClimatologyTable } from './climatology-netcdf.js';
import { statisticsNetcdf } from './statistics-netcdf.js';
import { isStatisticsTable, resultCube } from './table-results.js';

/**
 * Converts a table of a climatology, of statistics or of the daily values of members to the content of a NetCDF file:
 * on a grid where the rows form one. Throws what `climatologyNetcdf`, `resultCube` and `readEnsemble` throw.
 */
export function contentOfTable(table: Table, options: ReadOptions = {}): NetcdfContent {
  if (isClimatologyTable(table)) return climatologyNetcdf(table, options);
  return isStatisticsTable(table) ? statisticsNetcdf(resultCube(table, options)) : tableNetcdf(table, options);
}
