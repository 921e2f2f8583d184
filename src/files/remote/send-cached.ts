import { environmentVariables } from './environment.js';

/** What may be taken from the cache without a request. */
export interface CachePolicy {
  /** Whether the object never changes. */
  readonly isImmutable?: boolean | undefined;
  /** How long it may count as unchanged, in milliseconds: see `fetchCached`. */
  readonly freshMs?: number | undefined;
  /** Called for each object that is there: whether the server was not asked, as it counts as unchanged. */
  readonly onAnswer?: ((isFresh: boolean) => void) | undefined;
}

/** Sends requests through the cache. */
export type CachedSend = ((request: Request, policy?: CachePolicy) => Promise<Response>) & { readonly isCached: true };

/** Sends a request as `fetch` does, through the cache in the folder that PLUMECAST_CACHE names, if it does. */
export async function sendCached(request: Request, policy: CachePolicy): Promise<Response> {
  const { PLUMECAST_CACHE: folder, PLUMECAST_CACHE_BYTES: bytes } = environmentVariables();
  if (!folder) return fetch(request);
  const { fetchCached } = await import('./fetch-cached.node.js');
  return fetchCached(request, policy, folder, bytes === undefined ? undefined : Number(bytes));
}

/** Whether there is a cache. */
export function usesCache(): boolean {
  return Boolean(environmentVariables().PLUMECAST_CACHE);
}
