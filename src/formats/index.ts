export { detectFormat, type FileFormat } from './detect-format.js';
export { type ReadTableOptions, readTable } from './read-table.js';
export { type TableFormat, writeTable } from './write-table.js';
