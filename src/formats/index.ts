export { detectFormat, type FileFormat } from './detect-format.js';
export type { Compression, EncodeOptions, TableFormat } from './encode-options.js';
export { encodeTables } from './encode-tables.js';
export { type ReadTableOptions, readTable } from './read-table.js';
export { writeTable } from './write-table.js';
