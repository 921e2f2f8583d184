/*
 * What is loaded when arrays are met, as one script: a command that computes a table starts sooner without it, and of
 * few scripts.
 */
export { MemberUse } from '../blend/member-use.js';
export { climatologyTables } from '../files/cf/content/climatology-tables.js';
export { contentOfTable } from '../files/cf/content/content-of-table.js';
export { statisticsNetcdf } from '../files/cf/content/statistics-netcdf.js';
export { resultCube } from '../files/cf/content/table-results.js';
export { selectArrays } from '../files/cf/select-arrays.js';
export { writeNetcdf4 } from '../files/netcdf4/write-netcdf4.node.js';
export { assertStoreOrNothing, replaceStore } from '../files/zarr/replace-store.node.js';
export { writeZarr3 } from '../files/zarr/write-zarr3.node.js';
export { newestCommonRun } from './common-run.js';
export { computeResults } from './compute-grid.js';
export { gridInput, readAllCells } from './daily-input.js';
export { openGridStatistics } from './grid-statistics.js';
export { openGrid } from './open-grid.js';
