export type { Places, Point } from '../../ensemble/nearest-place.js';
export { PlaceIndex } from '../../ensemble/place-index.js';
export { hashKey } from '../access/hash-key.js';
export type { KeyRecord, KeyStore, RateQuota } from '../access/key-store.js';
export { type GivenKey, memoryKeys } from '../access/key-table.js';
export type { LocationStore, StoredLocation } from '../access/locations.js';
export { memoryLocations } from '../access/locations.js';
export { type KeyUsage, memoryUsage, type UsageRow, type UsageStore } from '../access/usage.js';
export type { Axis, Dataset, Origin } from './dataset.js';
export { gapFilled, type NamedHistory } from './gap-filled.js';
export {
  type MemoryData,
  type MemorySource,
  type MemoryVariable,
  memoryDataset,
  memorySource,
} from './memory-source.js';
export type {
  ForecastRun,
  HistoryData,
  HorizonRun,
  IssuedRun,
  Shortage,
  Shortfall,
  SkillRecord,
  SkillSeries,
  Snapshot,
  WeatherSource,
} from './source.js';
