export type { CoreExports } from './exports.js';
export type { EnsembleField, FloatArray, FloatType, RowOrder } from './field.js';
export { type Core, type CoreSource, loadCore } from './load.js';
export { type ColumnChunk, MemberColumn } from './member-column.js';
export { CoreMemory } from './memory.js';
