export type { ArrowInCore } from './arrow-in-core.js';
export type { ByteSource } from './byte-source.js';
export { type ReadArrowOptions, readArrowInto } from './read-arrow-into.js';
