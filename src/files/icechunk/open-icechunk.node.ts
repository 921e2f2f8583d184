import type { Work } from '../../check/work.js';
import { isAddress } from '../../disk/local-path.js';
import { remoteAddress } from '../remote/remote-address.js';
import { signed } from '../remote/remote-server.js';
import type { OpenZarrOptions } from '../zarr/open-zarr.js';
import { openStore } from '../zarr/open-zarr.js';
import { zarrFolder } from '../zarr/open-zarr-folder.node.js';
import type { ZarrFile } from '../zarr/zarr-file.js';
import type { IcechunkAddress } from './icechunk-address.js';

/** The version of a repository where none is named. */
const DEFAULT_VERSION = 'branch.main';

/** Opens a version of a repository in a folder or at a web address. Throws as `openStore` does. */
export async function openIcechunkAddress(
  { address, version = DEFAULT_VERSION }: IcechunkAddress,
  options: OpenZarrOptions = {},
  work?: Work,
): Promise<ZarrFile> {
  if (!isAddress(address)) return openStore(zarrFolder(address), { version, ...options }, work);
  const { source, url, sign } = remoteAddress(address);
  if (/^https?:/i.test(address)) return openStore(address, { version, ...options }, work);
  // Buckets that cannot be listed answer 403 for what they do not have; of chunks, manifests say what is there.
  const http = { missingStatuses: [403, 404], ...(sign && { fetch: signed(sign) }) };
  return openStore(url, { version, source, http, ...options }, work);
}
