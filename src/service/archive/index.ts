export type { ArchivePart, ArchiveStore, ZarrArchive, ZarrSourceOptions } from './archive-options.js';
export { zarrSource } from './zarr-source.js';
