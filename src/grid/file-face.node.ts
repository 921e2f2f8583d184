export type { NetcdfArray, NetcdfContent, ValueBox } from '../formats/netcdf4/netcdf-content.js';
export { type NetcdfOptions, writeNetcdf4 } from '../formats/netcdf4/write-netcdf4.node.js';
export { openArrayFile } from '../formats/open-array-file.node.js';
export { openZarrFolder, zarrFolder } from '../formats/zarr/open-zarr-folder.node.js';
export { type DailyEnsemble, ensembleContent } from './ensemble-content.js';
export type { GridResults, ResultColumn } from './grid-results.js';
export { statisticsContent } from './statistics-content.js';
export { ensembleContentOfTable } from './table-ensemble.js';
export { resultsOfTable } from './table-results.js';
