import type { KeyRecord } from '../access/keys.js';

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

/** The path and the query of an absolute URL, as they are written there: nothing is decoded. */
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
