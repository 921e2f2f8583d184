export type {
  ArrayFile,
  ArrayType,
  ArrayValues,
  Attributes,
  AttributeValue,
  Box,
  StoredArray,
} from './array-file.js';
export { type ArrayFormat, detectArrayFormat } from './detect-array-format.js';
export { openNetcdf3 } from './netcdf3/open-netcdf3.js';
export { openNetcdf4 } from './netcdf4/open-netcdf4.js';
