import type { StoreUpdate } from '../source/folder/store-update.node.js';

/**
 * What data are written to: an update of a store, which readers do not see before it is committed. A writer without
 * `stored` holds nothing before.
 */
export type StoreWriter = Pick<StoreUpdate, 'setForecast' | 'write' | 'setElevation' | 'setClimatology'> &
  Partial<Pick<StoreUpdate, 'stored' | 'storedPart' | 'storedClimatology' | 'storedElevation'>>;
