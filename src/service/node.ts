/** Stores in folders, for Node: data, keys, locations, and a cache of what is fetched. */

export {
  createKey,
  type ListedKey,
  listKeys,
  type NewKeyOptions,
  type OpenKeysOptions,
  openKeys,
  revokeKey,
} from './access/key-file.node.js';
export { addLocation, listLocations, openLocations, removeLocation } from './access/location-file.node.js';
export type { OnFault } from './fault-report.js';
export { nodeCompression } from './handler/compression.node.js';
export { createListener, type Listener } from './handler/listener/create-listener.node.js';
export { createMetrics, joinMetrics, type MetricsSnapshot, type ServiceMetrics } from './handler/metrics.node.js';
export { type CacheOptions, cachedDataset, removeOldRevisions } from './source/cached-dataset.node.js';
export {
  beginUpdate,
  type ClimatologySubject,
  describeStore,
  type Elevations,
  type FolderStore,
  type ForecastHeader,
  type ForecastPart,
  type HistoryPart,
  type OpenStoreOptions,
  openStore,
  type PartDescription,
  type ReadMode,
  type Series,
  STORE_PARTS,
  type StoreDescription,
  type StorePart,
  type StoreUpdate,
} from './source/folder/index.node.js';
