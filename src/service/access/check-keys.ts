import { OptionError } from '../../errors.js';
import { checkOwner } from './check-owner.js';
import type { HashedKey } from './key-table.js';

/** Throws OptionError for the first of `keys` whose fields are wrong, or that has the id or the hash of one before it. */
export function checkKeys(keys: readonly HashedKey[]): void {
  const [ids, hashes] = [new Set<string>(), new Set<string>()];
  for (const key of keys) {
    checkKey(key);
    if (ids.has(key.id)) reject(`key ${key.id}`, 'two keys have this id', undefined, 'an id for each key');
    if (hashes.has(key.keyHash)) reject(`key ${key.id}`, 'is the same key as another one', undefined, 'different keys');
    ids.add(key.id);
    hashes.add(key.keyHash);
  }
}

function checkKey({ id, owner, downscaling, keyHash }: HashedKey): void {
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) {
    reject('key', 'has an unusable id', id, '1 to 64 of A-Z a-z 0-9 _ -');
  }
  checkOwner(`key ${id}`, owner);
  if (typeof downscaling !== 'boolean') reject(`key ${id}`, 'downscaling is neither', downscaling, 'true or false');
  if (typeof keyHash !== 'string' || !/^[0-9a-f]{64}$/.test(keyHash)) {
    reject(`key ${id}`, 'has no hash', undefined, '64 hexadecimal digits in lower case, of SHA-256');
  }
}

function reject(subject: string, problem: string, received: unknown, allowed: string): never {
  throw new OptionError({ subject, problem, received, allowed });
}
