import { remoteAddress } from '../remote/remote-address.js';
import { signed } from '../remote/remote-server.js';
import { HttpStore, type HttpStoreOptions } from './http-store.js';
import type { ZarrStore } from './zarr-store.js';

/** Opens the objects below an address of any kind; those in a bucket with the keys of the account, where there are any. Throws FileError. */
export function remoteObjects(prefix: URL): ZarrStore {
  const { url, sign } = remoteAddress(decodeURIComponent(prefix.href));
  // Buckets that cannot be listed answer 403 for what they do not have.
  return new HttpStore(url, { missingStatuses: [403, 404], ...(sign && { fetch: signed(sign) }) });
}

/** A store at an address, which may refer to objects in buckets. */
class RemoteStore extends HttpStore {
  override below(prefix: URL): ZarrStore {
    return /^https?:$/.test(prefix.protocol) ? super.below(prefix) : remoteObjects(prefix);
  }
}

/** The store at an address of HTTP; see `remoteObjects` for what it refers to. */
export function remoteStore(url: string, options: HttpStoreOptions): ZarrStore {
  return new RemoteStore(new URL(url), options);
}
