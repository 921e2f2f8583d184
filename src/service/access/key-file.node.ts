import { assertKind, assertShape, trueOrFalse } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import type { OnFault } from '../fault-report.js';
import { hashKey, newKey, newKeyId } from './hash-key.js';
import { isKeyLength, type KeyRecord, type KeyStore, MAX_KEY_LENGTH } from './key-store.js';
import { checkKeys, type HashedKey, KeyTable } from './key-table.js';
import { type ListKind, readList, rewriteList, watchList } from './list-file.node.js';

/** A key as lists show it. */
export interface ListedKey extends KeyRecord {
  /** Whether it is a key of the demo store: these are public. */
  readonly demo: boolean;
}

type StoredKey = HashedKey & ListedKey;

const KEYS: ListKind<StoredKey> = { name: 'keys', mode: 0o600, check: checkStoredKeys };

export interface OpenKeysOptions {
  /** Whether demo keys are treated as unknown. Default false. */
  readonly rejectDemoKeys?: boolean;
  /** Called when the file becomes unusable; the keys read before stay valid. */
  readonly onFault?: OnFault;
}

/**
 * The keys of a store folder, in its file `keys.json`; none where there is no file. Keys that are created or revoked
 * while the store is open take effect within a second. Throws FileError, and FormatError where the file is broken.
 */
export async function openKeys(dir: string, options: OpenKeysOptions = {}): Promise<KeyStore> {
  assertKind('dir', dir, 'text');
  assertShape('options', options, { rejectDemoKeys: 'flag?', onFault: 'function?' });
  const { rejectDemoKeys = false, onFault } = options;
  const isUsable = ({ demo }: StoredKey) => !(rejectDemoKeys && demo);
  const list = await watchList(dir, KEYS, (keys) => new KeyTable(keys.filter(isUsable)), onFault);
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
  /** Whether it is a public demo key. Default false. */
  readonly demo?: boolean;
}

/**
 * Creates a key. The folder keeps only its hash: `key` cannot be shown again. Throws OptionError for an unusable owner,
 * and for a key that is not visible ASCII text or exists already; FileError and FormatError as `openKeys`, and where
 * the file cannot be written.
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

/**
 * Revokes a key, given itself or by its id. Throws OptionError where it is unknown, and FileError and FormatError as
 * `createKey`.
 */
export async function revokeKey(dir: string, idOrKey: string): Promise<KeyRecord> {
  assertKind('dir', dir, 'text');
  const hash = hashKey(idOrKey);
  const isMatch = ({ id, keyHash }: StoredKey) => id === idOrKey || keyHash === hash;
  const before = await rewriteList(dir, KEYS, (keys) => {
    if (keys.some(isMatch)) return keys.filter((key) => !isMatch(key));
    // The received text may be a key: the error does not contain it.
    throw new OptionError({ subject: 'key', problem: 'unknown', allowed: 'the id of a key, or a key, of this store' });
  });
  const { id, owner, downscaling } = before.find(isMatch) as StoredKey;
  return { id, owner, downscaling };
}

function checkStoredKeys(keys: readonly StoredKey[]): void {
  checkKeys(keys);
  // Files from before demo keys do not have the field.
  for (const { id, demo } of keys) if (demo !== undefined) trueOrFalse(`key ${id} demo`, demo);
}

/** The keys of a store folder, oldest first. Throws FileError and FormatError as `openKeys`. */
export async function listKeys(dir: string): Promise<readonly ListedKey[]> {
  assertKind('dir', dir, 'text');
  const keys = await readList(dir, KEYS);
  return keys.map(({ id, owner, downscaling, demo = false }) => ({ id, owner, downscaling, demo }));
}
