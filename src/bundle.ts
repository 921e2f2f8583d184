/**
 * The library, its pictures and its sample data with apache-arrow and the WebAssembly core in one file, which imports
 * nothing: for pages without a bundler and for notebooks.
 */

import { blend, memberWindows, statistics } from './arrays.js';

export { Table, tableFromArrays, tableFromIPC, tableToIPC, vectorFromArray } from 'apache-arrow';
export * from './calendar.js';
export * from './demo/index.js';
export * from './index.js';
export * from './plot/index.js';

/** The same of arrays, as `plumecast/arrays` has it. */
export const arrays = { blend, memberWindows, statistics };
