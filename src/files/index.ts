/** Reads tables and arrays of every format, from bytes or a URL, as Arrow tables and as ensembles; and writes them. */
export type { Progress, Work, WorkOptions } from '../check/work.js';
export type { ArrowInCore } from './arrow/read-arrow-into.js';
export { type ReadArrowOptions, readArrowInto } from './arrow/read-arrow-into.js';
export type { ByteSource } from './byte-source.js';
export { climatologyTables } from './cf/content/climatology-tables.js';
export * from './cf/index.js';
export { type EncodeOptions, encodeTable, encodeTables } from './encode-tables.js';
export type { FileAccess } from './file-access.js';
export type {
  ArrayFileFormat,
  ArrayOptions,
  Compression,
  FileFormat,
  FolderAccess,
  OpenedTable,
  TableFileFormat,
  TableOptions,
  TableWriter,
} from './format.js';
export type { TableFormat } from './formats.js';
export { type OpenBytesOptions, openArrays, type StoreSource } from './open-arrays.js';
export { detectFormat, type TableFormatName } from './open-source.js';
export { type ReadTableOptions, readTable } from './read-table.js';
export { type ReadTablesOptions, readTables } from './read-tables.js';
