import { HttpStore, type HttpStoreOptions } from '../zarr/http-store.js';
import type { ZarrStore } from '../zarr/zarr-store.js';

/** Where paths in references begin that lie at a source: beside it, at a web address; otherwise nowhere. */
export function folderOf(source: string, options: HttpStoreOptions = {}): ZarrStore {
  const url = /^https?:\/\//i.test(source) && URL.canParse(source) ? new URL('.', source) : undefined;
  return url === undefined ? { get: () => undefined } : new HttpStore(url, options);
}
