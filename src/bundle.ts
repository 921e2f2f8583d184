/**
 * The library, its pictures and its sample data with apache-arrow and the WebAssembly core in one file, which imports
 * nothing: for pages without a bundler and for notebooks. Scores and their figures need kernels of their own, and are not in it.
 */

import { blend, memberWindows, statistics } from './arrays.js';

export { Table, tableFromArrays, tableFromIPC, tableToIPC, vectorFromArray } from 'apache-arrow';
export * from './calendar.js';
export * from './demo/index.js';
export * from './index.js';
export {
  type Coastlines,
  type Grid,
  type GridProjection,
  type MapField,
  type MapFieldOptions,
  type MapOptions,
  type MapProjectionName,
  type MeteogramOptions,
  type MeteogramTextOptions,
  mapField,
  meteogram,
  meteogramText,
  type PlotPanel,
  type PlotTheme,
  weatherMap,
} from './plot/index.js';

/** The same of arrays, as `plumecast/arrays` has it. */
export const arrays = { blend, memberWindows, statistics };
