/** Files of Node's file system, read table by table or array by array, and written as NetCDF. */

export { readArrowFileInto } from './arrow/read-arrow-file-into.node.js';
export { type DailyEnsemble, ensembleNetcdf } from './cf/content/ensemble-netcdf.js';
export type { ResultColumn, ResultCube } from './cf/content/result-cube.js';
export { statisticsNetcdf } from './cf/content/statistics-netcdf.js';
export { resultCube } from './cf/content/table-results.js';
export { tableNetcdf } from './cf/table-ensemble.js';
export { openGribPaths } from './grib/open-grib-files.node.js';
export type { NetcdfArray, NetcdfContent, ValueBox } from './netcdf4/netcdf-content.js';
export { type NetcdfOptions, writeNetcdf4 } from './netcdf4/write-netcdf4.node.js';
export { openArrayFile } from './open-array-file.node.js';
export { type TablesOfFileOptions, tablesOfFile } from './tables-of-file.node.js';
export { openZarrFolder, zarrFolder } from './zarr/open-zarr-folder.node.js';
