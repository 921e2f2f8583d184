import type { KeyRecord } from '../access/key-store.js';
import type { RequestHead } from './request-head.js';

/** A request, and what the handler finds out about it on the way to its response. */
export interface RequestContext {
  readonly head: RequestHead;
  /** The endpoint of the path, as metrics name it. */
  endpoint: string;
  /** The key of the request; undefined until it is found. */
  key: KeyRecord | undefined;
  /** Whether the response was in the cache of responses. */
  cached: boolean;
  errorId: string | undefined;
}

/** The context of a request that has just arrived. */
export function createRequestContext(head: RequestHead): RequestContext {
  return { head, endpoint: 'none', key: undefined, cached: false, errorId: undefined };
}
