import { isKeyLength, type KeyRecord, type KeyStore } from '../access/keys.js';
import { ProblemError } from './problem-error.js';
import type { SourceErrorLog } from './source-fault.js';

/** The header that a key comes in. */
export const KEY_HEADER = 'X-Api-Key';

const CHALLENGE = { 'www-authenticate': `ApiKey realm="plumecast", header="${KEY_HEADER}"` };

/** Whose request it is. Throws ProblemError (401) where there is no key, or one that is not known. */
export async function authenticate(key: string | null, keys: KeyStore, watch: SourceErrorLog): Promise<KeyRecord> {
  if (key === null || key === '') {
    throw new ProblemError(401, 'key-missing', `The header ${KEY_HEADER} is missing.`, { headers: CHALLENGE });
  }
  const record = isKeyLength(key) ? await watch.store('keys', () => keys.find(key)) : undefined;
  if (record !== undefined) return record;
  throw new ProblemError(401, 'key-unknown', 'The key is not known, or was revoked.', { headers: CHALLENGE });
}
