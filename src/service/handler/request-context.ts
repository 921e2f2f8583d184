import type { KeyRecord } from '../access/key-store.js';
import type { Allowance } from './rate-limit.js';
import type { RequestHead } from './request-head.js';

/** A request, and what the handler finds out about it on the way to its response. */
export interface RequestContext {
  readonly head: RequestHead;
  /** Names the request in its response, in logs and for hooks. */
  readonly requestId: string;
  /** The endpoint of the path, as metrics name it. */
  endpoint: string;
  /** The key of the request; undefined until it is found. */
  key: KeyRecord | undefined;
  /** What the rate limit leaves to the key; undefined where there is no limit. */
  allowance: Allowance | undefined;
  /** Whether the response was in the cache of responses. */
  cached: boolean;
  errorId: string | undefined;
}

/** The context of a request that has just arrived. */
export function createRequestContext(head: RequestHead, requestId: string): RequestContext {
  return {
    head,
    requestId,
    endpoint: 'none',
    key: undefined,
    allowance: undefined,
    cached: false,
    errorId: undefined,
  };
}
