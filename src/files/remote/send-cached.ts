import type { CachePolicy } from './cache-policy.js';
import { environmentVariables } from './environment.js';

/** Sends requests through the cache. */
export type CachedSend = ((request: Request, policy?: CachePolicy) => Promise<Response>) & { readonly isCached: true };

/** Sends a request as `fetch` does, through the cache in the folder that PLUMECAST_CACHE names, if it does. */
export async function sendCached(request: Request, policy: CachePolicy): Promise<Response> {
  const { PLUMECAST_CACHE: folder, PLUMECAST_CACHE_BYTES: bytes } = environmentVariables();
  if (!folder || policy.isPassedBy) return fetch(request);
  const { fetchCached } = await import('#fetch-cached');
  return fetchCached(request, policy, folder, bytes === undefined ? undefined : Number(bytes));
}

/** Whether there is a cache. */
export function usesCache(): boolean {
  return Boolean(environmentVariables().PLUMECAST_CACHE);
}
