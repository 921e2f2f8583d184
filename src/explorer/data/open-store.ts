import { ChunkCache } from '../../files/zarr/chunk-cache.js';
import { openZarr } from '../../files/zarr/open-zarr.js';
import { openArrays } from './array-file.js';
import type { GivenStore } from './file-origin.js';
import type { EnsembleFile } from './opened-file.js';

/** Decoded chunks that are kept of each store: other places of a chunk are shown at once. */
const CACHE_BYTES = 128 * 2 ** 20;

/** Opens a Zarr store: its metadata. Throws FileError, FormatError and DataError. */
export async function openStore({ path, store, arrays }: GivenStore): Promise<EnsembleFile> {
  const options = { source: path, cache: new ChunkCache(CACHE_BYTES), ...(arrays && { arrays }) };
  return openArrays(await openZarr(store, options), 'store');
}
