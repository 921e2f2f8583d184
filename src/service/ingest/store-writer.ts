import type { StoreUpdate } from '../source/folder/store-update.node.js';

/** What data are written to: an update of a store, which readers do not see before it is committed. */
export type StoreWriter = Pick<StoreUpdate, 'setForecast' | 'write' | 'setElevation' | 'setClimatology'>;
