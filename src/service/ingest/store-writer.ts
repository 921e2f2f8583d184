import type { StoreUpdate } from '../source/folder/store-update.node.js';

/** What data are written to: a change of a store, which nobody sees before it is committed. */
export type StoreWriter = Pick<StoreUpdate, 'setForecast' | 'write' | 'setElevation' | 'setClimatology'>;
