/** Stores in folders and buckets, for Node: data, keys, locations, and a cache of what is fetched. */

export { type OpenKeysOptions, openKeys } from './access/key-file.node.js';
export { openLocations } from './access/location-file.node.js';
export { fileUsage } from './access/usage-file.node.js';
export {
  migrateDatabase,
  type OpenDatabaseOptions,
  openDatabase,
  type ServiceDatabase,
} from './database/open-database.node.js';
export type { OnFault } from './fault-report.js';
export { nodeCompression } from './handler/compression.node.js';
export type { ProxyOptions } from './handler/listener/client-address.node.js';
export { createListener, type Listener } from './handler/listener/create-listener.node.js';
export { createMcp } from './handler/mcp/create-mcp.node.js';
export { createMetrics, type MetricsSnapshot, type ServiceMetrics } from './handler/metrics.node.js';
export { type OpenTelemetry, openTelemetry } from './handler/open-telemetry.node.js';
export { createUsageMeter, type StoredUsage, type UsageMeterOptions } from './handler/usage-meter.node.js';
export { type CacheOptions, cachedDataset } from './source/cached-dataset.node.js';
export {
  type BlockSample,
  beginUpdate,
  type CheckStoreOptions,
  type ClimatologyEntry,
  type ClimatologySubject,
  checkStore,
  copyStore,
  type Elevations,
  type FineHorizonPart,
  type FolderStore,
  type ForecastHeader,
  type ForecastPart,
  type HistoryPart,
  type KeepPolicy,
  type ListedGeneration,
  listGenerations,
  type MigrateStoreOptions,
  migrateStore,
  type OpenStoreOptions,
  openStore,
  type PartDescription,
  pruneStore,
  type ReadMode,
  type RunExtent,
  rollbackStore,
  type Series,
  type StoreCallOptions,
  type StoreChange,
  type StoreCheck,
  type StoreDescription,
  type StoreFault,
  type StorePart,
  type StoreUpdate,
} from './source/folder/index.node.js';
export type { ListedObject, StoreAccess, StorePlace, TaggedManifest } from './store/store-access.js';
