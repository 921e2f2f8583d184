export { describeStore, type PartDescription, type StoreDescription } from './describe-store.node.js';
export type { ClimatologyEntry, ClimatologySubject, ForecastHeader } from './manifest.js';
export { type FolderStore, type OpenStoreOptions, openStore } from './open-store.node.js';
export type { ReadMode } from './series-file.node.js';
export type { ForecastPart, HistoryPart, StorePart } from './store-part.js';
export type { Elevations, StoreUpdate } from './store-update.node.js';
export { beginUpdate } from './store-update.node.js';
export type { Series } from './write-series.node.js';
