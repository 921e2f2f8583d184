/**
 * The library, its pictures and its sample data with apache-arrow and the WebAssembly core in one file, which imports
 * nothing: for pages without a bundler and for notebooks. `arrays` is what `plumecast/arrays` exports.
 */

export { Table, tableFromArrays, tableFromIPC, tableToIPC, vectorFromArray } from 'apache-arrow';
export * as arrays from './arrays.js';
export * from './calendar.js';
export * from './demo/index.js';
export * from './index.js';
export * from './plot/index.js';
