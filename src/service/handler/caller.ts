import { isKeyLength, type KeyRecord, type KeyStore } from '../access/key-store.js';
import type { LocationStore, StoredLocation } from '../access/locations.js';
import { whenReady } from '../point/pause.js';
import { ProblemError } from '../problem-error.js';
import type { RateLimit } from './rate-limit.js';
import type { RequestContext } from './request-context.js';
import type { SourceErrorLog } from './source-fault.js';

/** The header with the key, as problems write it. */
export const KEY_HEADER = 'X-Api-Key';

const CHALLENGE = { 'www-authenticate': `ApiKey realm="plumecast", header="${KEY_HEADER}"` };

/** Finds the record of a request's key. Throws, or rejects with, ProblemError (401) where it is missing or unknown. */
export function authenticate(
  key: string | null,
  keys: KeyStore,
  sourceErrors: SourceErrorLog,
): KeyRecord | Promise<KeyRecord> {
  if (key === null || key === '') {
    throw new ProblemError(401, 'key-missing', `The header ${KEY_HEADER} is missing.`, { headers: CHALLENGE });
  }
  const found = isKeyLength(key) ? sourceErrors.store('keys', () => keys.find(key)) : undefined;
  return whenReady(found, (record) => {
    if (record !== undefined) return record;
    throw new ProblemError(401, 'key-unknown', 'The key is not known, or was revoked.', { headers: CHALLENGE });
  });
}

/**
 * Asks `rateLimit` about a request, and remembers what its key has left. Throws, or rejects with, ProblemError (429)
 * where the key has to wait.
 */
export function enforceRateLimit(
  rateLimit: RateLimit,
  { id, owner }: KeyRecord,
  context: RequestContext,
): void | Promise<void> {
  const { head, requestId } = context;
  return whenReady(rateLimit({ keyId: id, owner, path: head.path, requestId }), (decision) => {
    context.allowance = decision?.allowance;
    if (decision?.retryAfterSeconds === undefined) return;
    const seconds = `${Math.max(1, Math.ceil(decision.retryAfterSeconds))}`;
    const detail = `The key has made too many requests; try again in ${seconds} s.`;
    throw new ProblemError(429, 'rate-limited', detail, { headers: { 'retry-after': seconds } });
  });
}

/**
 * Finds the stored location that a segment of a path names. Throws, or rejects with, the same ProblemError (404) where
 * the segment is not an id and where `owner` has no location with that id.
 */
export function findStoredLocation(
  segment: string,
  owner: string,
  locations: LocationStore | undefined,
  sourceErrors: SourceErrorLog,
): StoredLocation | Promise<StoredLocation> {
  const id = locationId(segment);
  const found =
    id === undefined || locations === undefined
      ? undefined
      : sourceErrors.store('locations', () => locations.find(id, owner));
  return whenReady(found, (location) => {
    if (location !== undefined) return location;
    throw new ProblemError(404, 'location-not-found', 'There is no stored location with this id.');
  });
}

function locationId(segment: string): string | undefined {
  let id: string;
  try {
    id = decodeURIComponent(segment);
  } catch {
    return undefined;
  }
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : undefined;
}
