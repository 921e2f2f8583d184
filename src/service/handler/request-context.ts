import type { KeyRecord } from '../access/key-store.js';

/** A request, and what the handler finds out about it on the way to its response. */
export interface RequestContext {
  readonly request: Request;
  /** As written in the URL. */
  readonly path: string;
  readonly query: string;
  /** The endpoint of the path, as metrics name it. */
  endpoint: string;
  /** The key of the request; undefined until it is found. */
  key: KeyRecord | undefined;
  /** Whether the response was in the cache of responses. */
  cached: boolean;
  errorId: string | undefined;
}

/** The context of a request that has just arrived. */
export function createRequestContext(request: Request): RequestContext {
  const { path, query } = requestTarget(request.url);
  return { request, path, query, endpoint: 'none', key: undefined, cached: false, errorId: undefined };
}

/** The path and the query of an absolute URL, as written there: nothing is decoded. */
export function requestTarget(url: string): { path: string; query: string } {
  const hash = url.indexOf('#');
  const end = hash < 0 ? url.length : hash;
  const authority = url.indexOf('://') + 3;
  const mark = url.indexOf('?', authority);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const slash = url.indexOf('/', authority);
  return {
    path: slash < 0 || slash >= pathEnd ? '/' : url.slice(slash, pathEnd),
    query: pathEnd < end ? url.slice(pathEnd + 1, end) : '',
  };
}
