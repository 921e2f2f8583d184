/** Files of Node's file system, read table by table or array by array, and written as NetCDF. */

export { openArrayFile } from './array/open-array-file.node.js';
export { readArrowFileInto } from './arrow/read-arrow-file-into.node.js';
export { type DailyEnsemble, ensembleContent } from './cf/content/ensemble-content.js';
export type { GridResults, ResultColumn } from './cf/content/grid-results.js';
export { statisticsContent } from './cf/content/statistics-content.js';
export { resultsOfTable } from './cf/content/table-results.js';
export { ensembleContentOfTable } from './cf/table-ensemble.js';
export type { NetcdfArray, NetcdfContent, ValueBox } from './netcdf4/netcdf-content.js';
export { type NetcdfOptions, writeNetcdf4 } from './netcdf4/write-netcdf4.node.js';
export { type TablesOfFileOptions, tablesOfFile } from './tables-of-file.node.js';
export { openZarrFolder, zarrFolder } from './zarr/open-zarr-folder.node.js';
