export { ChunkCache } from './chunk-cache.js';
export type { HttpStoreOptions } from './http-store.js';
export type { OpenZarrOptions } from './open-zarr.js';
export type { MissingChunks, ZarrFile } from './zarr-file.js';
export type { ByteRange, StoreKey, StoreReadOptions, VersionedBytes, ZarrStore } from './zarr-store.js';
