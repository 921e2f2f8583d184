import type { Work } from '../../check/work.js';
import { isAddress } from '../../disk/local-path.js';
import { remoteAddress } from '../remote/remote-address.js';
import { signed } from '../remote/remote-server.js';
import { HttpStore, type HttpStoreOptions } from '../zarr/http-store.js';
import type { OpenZarrOptions } from '../zarr/open-zarr.js';
import { openStore } from '../zarr/open-zarr.js';
import { zarrFolder } from '../zarr/open-zarr-folder.node.js';
import { remoteStore } from '../zarr/remote-store.node.js';
import { StoreReader } from '../zarr/store-reader.js';
import type { ZarrFile } from '../zarr/zarr-file.js';
import type { IcechunkAddress } from './icechunk-address.js';
import { findSnapshot } from './repository.js';

/** The version of a repository where none is named. */
const DEFAULT_VERSION = 'branch.main';

/** Opens a version of a repository in a folder or at a web address. Throws as `openStore` does. */
export async function openIcechunkAddress(
  { address, version = DEFAULT_VERSION }: IcechunkAddress,
  options: OpenZarrOptions = {},
  work?: Work,
): Promise<ZarrFile> {
  if (!isAddress(address)) return openStore(zarrFolder(address), { version, ...options }, work);
  const { url, source, http } = readingOf(address);
  const { http: own = http, ...others } = options;
  return openStore(remoteStore(url.href, own), { version, source, ...others }, work);
}

/**
 * The snapshot that a version of a repository means now; undefined where there is no repository. Throws FileError and
 * FormatError as opening it does.
 */
export async function snapshotOfAddress({ address, version }: IcechunkAddress): Promise<string | undefined> {
  const { url, source, http } = isAddress(address) ? readingOf(address) : {};
  const store = url === undefined ? zarrFolder(address) : new HttpStore(url, http ?? {});
  return findSnapshot(new StoreReader(store, source ?? address), version);
}

/** How a repository at an address is read. */
function readingOf(address: string): {
  readonly url: URL;
  readonly source: string;
  readonly http: HttpStoreOptions;
} {
  const { source, url, sign } = remoteAddress(address);
  if (/^https?:/i.test(address)) return { url: new URL(address), source, http: {} };
  // Buckets that cannot be listed answer 403 for what they do not have; of chunks, manifests say what is there.
  return { url, source, http: { missingStatuses: [403, 404], ...(sign && { fetch: signed(sign) }) } };
}
