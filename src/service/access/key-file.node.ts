import { assertKind, assertShape } from '../../check/assert-shape.js';
import { trueOrFalse } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import type { OnFault } from '../fault-report.js';
import { hashKey, newKey, newKeyId } from './hash-key.js';
import { checkKeys, type HashedKey, KeyTable } from './key-table.js';
import { isKeyLength, type KeyRecord, type KeyStore, MAX_KEY_LENGTH } from './keys.js';
import { type ListKind, readList, rewriteList } from './list-file.node.js';
import { WatchedList } from './watched-list.node.js';

/** What is known of a key, in lists. */
export interface ListedKey extends KeyRecord {
  /** Whether it is a key of the demo store, which everybody knows. */
  readonly demo: boolean;
}

type StoredKey = HashedKey & ListedKey;

const KEYS: ListKind<StoredKey> = { name: 'keys', mode: 0o600, check: checkStoredKeys };

export interface OpenKeysOptions {
  /** Whether demo keys are taken for unknown. Default false. */
  readonly rejectDemoKeys?: boolean;
  /** Told when the file can no longer be used; the keys known before stay good. */
  readonly onFault?: OnFault;
}

/**
 * The keys of a store folder, in its file `keys.json`; none where there is no file. A key that is made or revoked while the store is
 * open counts within a second. Throws FileError, and FormatError where the file is broken.
 */
export async function openKeys(dir: string, options: OpenKeysOptions = {}): Promise<KeyStore> {
  assertKind('dir', dir, 'text');
  assertShape('options', options, { rejectDemoKeys: 'flag?', onFault: 'function?' });
  const { rejectDemoKeys = false, onFault } = options;
  const isUsable = ({ demo }: StoredKey) => !(rejectDemoKeys && demo);
  const list = await WatchedList.open(dir, KEYS, (keys) => new KeyTable(keys.filter(isUsable)), onFault);
  return {
    find(key) {
      const table = list.current();
      return table instanceof KeyTable ? table.find(key) : table.then((fresh) => fresh.find(key));
    },
  };
}

export interface NewKeyOptions {
  readonly owner: string;
  /** Whether 1 km data are provisioned. */
  readonly downscaling: boolean;
  /** The key itself. Default: a random one. */
  readonly key?: string;
  /** Whether it is a key that everybody knows. Default false. */
  readonly demo?: boolean;
}

/**
 * Makes a key, of which the folder keeps only a hash: `key` cannot be shown again. Throws OptionError for an owner that is unusable,
 * and a key that is no visible ASCII text or exists already; FileError and FormatError as `openKeys`, and where the file cannot be
 * written.
 */
export async function createKey(dir: string, options: NewKeyOptions): Promise<{ key: string; record: KeyRecord }> {
  assertKind('dir', dir, 'text');
  assertShape('options', options, { key: 'any text?', demo: 'flag?' });
  const { owner, downscaling, key = newKey(), demo = false } = options;
  if (!isKeyLength(key) || !/^[\x21-\x7e]+$/.test(key)) {
    const allowed = `1 to ${MAX_KEY_LENGTH} visible ASCII characters`;
    throw new OptionError({ subject: 'key', problem: 'cannot be sent in a header', allowed });
  }
  const record = { id: newKeyId(), owner, downscaling };
  await rewriteList(dir, KEYS, (keys) => [...keys, { ...record, demo, keyHash: hashKey(key) }]);
  return { key, record };
}

/** Revokes a key, given as it is or by its id. Throws OptionError where it is unknown, and FileError and FormatError as `createKey`. */
export async function revokeKey(dir: string, idOrKey: string): Promise<KeyRecord> {
  assertKind('dir', dir, 'text');
  const hash = hashKey(idOrKey);
  const isMeant = ({ id, keyHash }: StoredKey) => id === idOrKey || keyHash === hash;
  const before = await rewriteList(dir, KEYS, (keys) => {
    if (keys.some(isMeant)) return keys.filter((key) => !isMeant(key));
    // What was received may be a key, and is not told.
    throw new OptionError({ subject: 'key', problem: 'unknown', allowed: 'the id of a key, or a key, of this store' });
  });
  const { id, owner, downscaling } = before.find(isMeant) as StoredKey;
  return { id, owner, downscaling };
}

function checkStoredKeys(keys: readonly StoredKey[]): void {
  checkKeys(keys);
  // Before there were demo keys, none said whether it is one.
  for (const { id, demo } of keys) if (demo !== undefined) trueOrFalse(`key ${id} demo`, demo);
}

/** The keys of a store folder, oldest first. Throws FileError and FormatError as `openKeys`. */
export async function listKeys(dir: string): Promise<readonly ListedKey[]> {
  assertKind('dir', dir, 'text');
  const keys = await readList(dir, KEYS);
  return keys.map(({ id, owner, downscaling, demo = false }) => ({ id, owner, downscaling, demo }));
}
