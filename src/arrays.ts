/** Statistics for callers that hold typed arrays, or values in the core's memory: without Arrow. */
export type { EnsembleField, RowOrder } from './core/field.js';
export type { FloatArray, FloatType } from './core/float-array.js';
export { type Core, type CoreSource, loadCore } from './core/load.js';
export { type ColumnChunk, MemberColumn } from './core/member-column.js';
export { type Granularity, type WindowTable, windowTable } from './period/window-table.js';
export type { Categories } from './statistics/categories.js';
export { computeMemberWindows, computeStatistics } from './statistics/compute.js';
export { computeStatisticsInto } from './statistics/compute-statistics-into.js';
export type { StatisticsColumns } from './statistics/statistics-columns.js';
export type { StatisticsRequest } from './statistics/statistics-request.js';
