/** Reads tables and arrays of every format, from bytes or a URL, as Arrow tables and as ensembles; and writes them. */
export type { Progress, Work, WorkOptions } from '../check/work.js';
export type { NumberArray, NumberType } from '../core/number-arrays.js';
export type { Accumulation, BucketHours, StepEdges } from '../ensemble/accumulation.js';
export type { BoundingBox } from '../ensemble/bounding-box.js';
export type { Stamps } from '../ensemble/daily-steps.js';
export type { EnsemblePart } from '../ensemble/ensemble.js';
export type { GridCells } from '../ensemble/grid.js';
export type { LabelColumn, LabelledPlaces, PlaceLabels } from '../ensemble/place-labels.js';
export type { TimeEvidenceKind, TimeMeaning } from '../ensemble/time-meaning.js';
export type { PlatformResponse } from '../platform.js';
export type { JoinedRuns } from './array/array-file.js';
export type { ArraySelection } from './array/array-selection.js';
export type { ByteSpan, RandomAccess } from './array/random-access.js';
export type { ArrowInCore } from './arrow/read-arrow-into.js';
export { type ReadArrowOptions, readArrowInto } from './arrow/read-arrow-into.js';
export type { ByteSource, Pieces } from './byte-source.js';
export { climatologyTables } from './cf/content/climatology-tables.js';
export type { NamedCoordinates } from './cf/coordinates.js';
export * from './cf/index.js';
export type { DecimalMark } from './csv/decimal-mark.js';
export { type EncodeOptions, encodeTable, encodeTables } from './encode-tables.js';
export type { FileAccess } from './file-access.js';
export type {
  ArrayFileFormat,
  ArrayOptions,
  Compression,
  FileFormat,
  FolderAccess,
  OpenedTable,
  TableEncoder,
  TableFileFormat,
  TableOptions,
  TableSource,
  TableWriter,
} from './format.js';
export type { TableFormat } from './formats.js';
export type { InventoryText } from './grib/cube/grib-files.js';
export { type OpenBytesOptions, openArrays, type StoreSource } from './open-arrays.js';
export type { TableFormatName } from './open-source.js';
export { type ReadTableOptions, readTable } from './read-table.js';
export { type ReadTablesOptions, readTables } from './read-tables.js';
export type { CachedValues } from './zarr/chunk-cache.js';
export type { EndBytes, ExpectedObject, StoredDocuments } from './zarr/zarr-store.js';
