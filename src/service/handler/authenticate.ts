import { isKeyLength, type KeyRecord, type KeyStore } from '../access/key-store.js';
import { ProblemError } from './problem-error.js';
import type { SourceErrorLog } from './source-fault.js';

/** The header with the key. */
export const KEY_HEADER = 'X-Api-Key';

const CHALLENGE = { 'www-authenticate': `ApiKey realm="plumecast", header="${KEY_HEADER}"` };

/** Finds the record of a request's key. Throws ProblemError (401) where the key is missing or unknown. */
export async function authenticate(
  key: string | null,
  keys: KeyStore,
  sourceErrors: SourceErrorLog,
): Promise<KeyRecord> {
  if (key === null || key === '') {
    throw new ProblemError(401, 'key-missing', `The header ${KEY_HEADER} is missing.`, { headers: CHALLENGE });
  }
  const record = isKeyLength(key) ? await sourceErrors.store('keys', () => keys.find(key)) : undefined;
  if (record !== undefined) return record;
  throw new ProblemError(401, 'key-unknown', 'The key is not known, or was revoked.', { headers: CHALLENGE });
}
