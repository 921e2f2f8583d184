import type { KeyRecord } from '../access/keys.js';
import { requestTarget } from './request-target.js';

/** A request, and what becomes known of it on the way to its response. */
export interface RequestContext {
  readonly request: Request;
  /** As written in the URL. */
  readonly path: string;
  readonly query: string;
  /** What the path leads to, as metrics name it. */
  endpoint: string;
  /** The key that it came with; undefined until that is known. */
  key: KeyRecord | undefined;
  /** Whether the response was in the cache of responses. */
  cached: boolean;
  errorId: string | undefined;
}

/** What is known of a request when it comes. */
export function createRequestContext(request: Request): RequestContext {
  const { path, query } = requestTarget(request.url);
  return { request, path, query, endpoint: 'none', key: undefined, cached: false, errorId: undefined };
}
