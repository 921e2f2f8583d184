import type { Work } from '../../check/work.js';
import { isAddress } from '../../disk/local-path.js';
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
  const store = isAddress(address) ? address : zarrFolder(address);
  return openStore(store, { version, ...options }, work);
}
