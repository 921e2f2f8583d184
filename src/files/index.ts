/** Reads tables and arrays of every format, from bytes or a URL, as Arrow tables and as ensembles; and writes them. */
export type { ArrowInCore } from './arrow/read-arrow-into.js';
export { type ReadArrowOptions, readArrowInto } from './arrow/read-arrow-into.js';
export type { ByteSource } from './byte-source.js';
export { climatologyTables } from './cf/content/climatology-tables.js';
export * from './cf/index.js';
export { detectFormat, type FileFormat } from './detect-format.js';
export type { Compression, EncodeOptions, TableFormat } from './encode-options.js';
export { encodeTables } from './encode-tables.js';
export { type ReadTableOptions, readTable } from './read-table.js';
export { type TablesOfBytesOptions, tablesOfBytes } from './tables-of-bytes.js';
export { writeTable } from './write-table.js';
