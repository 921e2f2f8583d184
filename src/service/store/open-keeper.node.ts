import { assertShape } from '../../check/option-checks.js';
import type { Work } from '../../check/work.js';
import { isAddress } from '../../disk/local-path.js';
import { unusable } from '../../errors.js';
import { FolderAccess, type ReadMode } from './folder-access.node.js';
import { ObjectKeeper } from './object-keeper.js';
import { RemoteAccess } from './remote-access.node.js';
import type { StorePlace } from './store-access.js';
import type { StoreKeeper } from './store-keeper.js';

/** How a store is kept open. */
interface KeeperOptions {
  /** Of a folder. Default `direct`. */
  readonly reads?: ReadMode | undefined;
  /** Whether nothing that is kept here of a server is read. Default false. */
  readonly isReload?: boolean;
  /** What ends the calls, and counts the bytes that are read. */
  readonly work?: Work;
}

/** What keeps a store. Throws OptionError for what is none, and FileError for addresses of an unknown kind. */
export function openKeeper(place: StorePlace, { reads, isReload, work }: KeeperOptions = {}): StoreKeeper {
  if (typeof place !== 'string') {
    assertStorePlace('store', place);
    return new ObjectKeeper(place, work);
  }
  if (isAddress(place)) return new ObjectKeeper(new RemoteAccess(place, { isReload }), work);
  return new FolderAccess(place, reads, work);
}

/** Throws OptionError for what is neither a path or an address, nor what keeps a store. */
export function assertStorePlace(subject: string, place: unknown): asserts place is StorePlace {
  if (typeof place === 'string') return;
  if (typeof place !== 'object' || place === null) {
    throw unusable(subject, place, 'the path of a folder, an address such as s3://BUCKET/PREFIX, or a StoreAccess');
  }
  assertShape(subject, place, {
    ...{ describe: 'function', get: 'function', put: 'function', list: 'function', delete: 'function' },
    ...{ readManifest: 'function', replaceManifest: 'function', getNow: 'function?', giveUp: 'function?' },
    ...{ doubt: 'function?', close: 'function?' },
  });
}
