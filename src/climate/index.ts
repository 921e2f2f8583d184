export type { ClimateWindows, Climatology, ReferenceYears, YearlyWindows } from './climatology.js';
export { climatologyTable } from './climatology-table.js';
export { climatology } from './compute-climatology.js';
export { fillGaps } from './fill-gaps.js';
export type { ClimatologyOptions } from './options.js';
export { type ReadClimatologyOptions, readClimatology } from './read-climatology.js';
export type { FillOptions, HistorySource } from './read-sources.js';
