/** Files of Node's file system, read table by table or array by array, and written as NetCDF or Zarr. */

export { readArrowInto } from './arrow/read-arrow-into.node.js';
export { type DailyEnsemble, ensembleNetcdf } from './cf/content/ensemble-netcdf.js';
export type { NetcdfArray, NetcdfContent, ValueBox } from './netcdf4/netcdf-content.js';
export { type OpenPathOptions, openArrays } from './open-arrays.node.js';
export { readTable } from './read-table.node.js';
export { type ReadFileTablesOptions, readTables } from './read-tables.node.js';
export { type WriteNetcdfOptions, writeNetcdf } from './write-netcdf.node.js';
export { type WriteZarrOptions, writeZarr } from './write-zarr.node.js';
export { zarrFolder } from './zarr/open-zarr-folder.node.js';
