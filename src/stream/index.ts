export type { ArrowInCore } from './arrow-in-core.js';
export type { ByteSource } from './byte-source.js';
export { climatologyTables } from './climatology-file.js';
export { type ReadArrowOptions, readArrowInto } from './read-arrow-into.js';
export { statisticsOfArrowStream } from './statistics-of-arrow-stream.js';
export { statisticsOfBatches } from './statistics-of-batches.js';
