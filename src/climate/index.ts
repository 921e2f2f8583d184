export type { StatisticsAgainstOptions } from './against-options.js';
export { isDegenerate } from './category-limits.js';
export { type Climatology, climateKeyIndex, climateKeys, type ReferenceYears } from './climatology.js';
export { climatologyTable } from './climatology-table.js';
export { climatology } from './compute-climatology.js';
export type { ClimatologyOptions } from './options.js';
export { type ReadClimatologyOptions, readClimatology } from './read-climatology.js';
export { statisticsAgainst } from './statistics-against.js';
