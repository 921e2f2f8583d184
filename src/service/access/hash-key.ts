import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { OptionError } from '../../errors.js';
import { isKeyLength, MAX_KEY_LENGTH } from './key-store.js';
import { PREFIX } from './key-strength.js';

/** Random bytes of a new key: 192 bits, as 32 characters. */
const KEY_BYTES = 24;

const ID_BYTES = 6;

/**
 * The SHA-256 digest (FIPS 180-4) of a key's UTF-8 bytes, in lower-case hexadecimal digits: only this is stored of a
 * key. Keys are random and long, so that their hashes need neither salt nor a slow function. Throws OptionError for an
 * empty key and one of more than 256 characters; the error does not contain the key.
 */
export function hashKey(key: string): string {
  if (!isKeyLength(key)) {
    throw new OptionError({
      subject: 'key',
      problem: 'is empty or too long',
      allowed: `1 to ${MAX_KEY_LENGTH} characters`,
    });
  }
  return bytesToHex(keyDigest(key));
}

/** The digest of `hashKey` as bytes, for a key that is neither empty nor too long. */
export function keyDigest(key: string): Uint8Array {
  return sha256(utf8ToBytes(key));
}

/** A random key: `pc_` and 32 characters of `A-Z a-z 0-9 _ -`. */
export function newKey(): string {
  const base64 = btoa(String.fromCharCode(...randomBytes(KEY_BYTES)));
  const text = base64.replaceAll('+', '-').replaceAll('/', '_');
  // What looks like another prefix would be counted as one.
  return PREFIX.test(text) ? newKey() : `pc_${text}`;
}

/** A random id for a key: 12 hexadecimal digits. */
export function newKeyId(): string {
  return bytesToHex(randomBytes(ID_BYTES));
}
