export type { BlockSample } from '../../store/block-sample.js';
export type { ReadMode } from '../../store/folder-access.node.js';
export type { Series } from '../../store/write-blocks.node.js';
export { beginUpdate, tryUpdate } from './begin-update.node.js';
export type { Elevations } from './coordinate-table.js';
export { describeStore, type PartDescription, type StoreDescription } from './describe-store.node.js';
export {
  type CheckStoreOptions,
  checkStore,
  copyStore,
  type ListedGeneration,
  listGenerations,
  pruneStore,
  rollbackStore,
  type StoreCallOptions,
  type StoreCheck,
  type StoreFault,
} from './maintain-store.node.js';
export type { ClimatologyEntry, ClimatologySubject, ForecastHeader, RunExtent } from './manifest.js';
export { type MigrateStoreOptions, migrateStore } from './migrate-store.node.js';
export { type FolderStore, type OpenStoreOptions, openStore } from './open-store.node.js';
export type { StoreChange } from './store-changes.js';
export type { FineHorizonPart, ForecastPart, HistoryPart, StorePart } from './store-part.js';
export { readRecord, type StoredRecord } from './store-record.node.js';
export type { KeepPolicy } from './store-root.js';
export type { StoreUpdate } from './store-update.node.js';
