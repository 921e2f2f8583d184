export * from './array-files.js';
export { openNetcdf4File } from './netcdf4/open-netcdf4-file.node.js';
export { openArrayFile } from './open-array-file.node.js';
