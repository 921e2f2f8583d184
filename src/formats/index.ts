export { detectFormat, type FileFormat } from './detect-format.js';
export { encodeTables, type TableFormat } from './encode-tables.js';
export { type ReadTableOptions, readTable } from './read-table.js';
export { writeTable } from './write-table.js';
