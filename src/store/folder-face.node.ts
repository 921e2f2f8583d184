/** Stores in folders, for Node: data, keys, locations, and a cache of what is fetched. */
export { type CacheOptions, cachedDataset, removeOldRevisions } from './cached-dataset.node.js';
export type { OnFault } from './fault-report.js';
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
} from './folder/index.node.js';
export {
  createKey,
  type ListedKey,
  listKeys,
  type NewKeyOptions,
  type OpenKeysOptions,
  openKeys,
  revokeKey,
} from './key-file.node.js';
export { addLocation, listLocations, openLocations, removeLocation } from './location-file.node.js';
