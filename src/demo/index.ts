export { type DemoTableOptions, demoTable, demoTables } from './demo-table.js';
export { DEMO_VARIABLES, type DemoVariable } from './demo-variables.js';
export {
  type DemoEnsemble,
  type EnsembleOptions,
  generateEnsemble,
  generateMember,
  type MemberOptions,
} from './generate-ensemble.js';
export type { MemberWeather } from './member-weather.js';
