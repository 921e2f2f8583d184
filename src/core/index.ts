export type { CoreExports } from './exports.js';
export type { EnsembleField, RowOrder } from './field.js';
export type { FloatArray, FloatType } from './float-array.js';
export { type Core, type CoreSource, loadCore } from './load.js';
export { type ColumnChunk, MemberColumn } from './member-column.js';
export { CoreMemory } from './memory.js';
