export type { DemoPlaces } from './demo-region.js';
export { type DemoFile, type DemoForecast, type DemoStore, type DemoStoreOptions, demoStore } from './demo-store.js';
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
