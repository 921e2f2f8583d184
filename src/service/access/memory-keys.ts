import { assertShapes } from '../../check/assert-shape.js';
import { checkKeys } from './check-keys.js';
import { hashKey } from './hash-key.js';
import { type HashedKey, KeyTable } from './key-table.js';
import type { KeyRecord, KeyStore } from './keys.js';

/** A key as it is, or its hash. */
export type GivenKey = KeyRecord & ({ readonly key: string } | { readonly keyHash: string });

/**
 * A store of keys that are given, of which only hashes are kept. Throws OptionError for ids and owners that are unusable, for
 * hashes that are none of `hashKey`, and for ids and keys that come twice.
 */
export function memoryKeys(keys: readonly GivenKey[]): KeyStore {
  assertShapes('keys', keys, {});
  const hashed = keys.map(asHashed);
  checkKeys(hashed);
  return new KeyTable(hashed);
}

function asHashed(given: GivenKey): HashedKey {
  const { id, owner, downscaling } = given;
  return { id, owner, downscaling, keyHash: 'key' in given ? hashKey(given.key) : given.keyHash };
}
