import type { RequestListener } from 'node:http';
import type { RequestRecord } from '../../service/handler/handler-options.js';
import { ProblemError, problemDocument } from '../../service/problem-error.js';
import { API_REFERENCE_POLICY, apiReference } from './api-reference.js';
import { EXPLORER_POLICY, explorerFiles } from './explorer-files.js';
import type { PageFile } from './page-files.js';

/** Which pages a server has, and what they are about. */
export interface PageOptions {
  /** The path of the service, without a slash at its end. */
  readonly basePath: string;
  readonly explorer: boolean;
  readonly docs: boolean;
  /** The key that the explorer begins with, if it is public. */
  readonly key: string | undefined;
  readonly onRequest?: (record: RequestRecord) => void;
}

/** A file at a path, and what its page may load. */
interface Page extends PageFile {
  readonly policy: string;
}

const METHODS = 'GET, HEAD';

/**
 * Adds pages to a service: the explorer at its path, and the API reference at `/docs`. Only their own paths are
 * answered; all others are those of the service. Paths are compared as they are, so that none leads out of a folder.
 */
export async function withPages(listener: RequestListener, options: PageOptions): Promise<RequestListener> {
  const { basePath, onRequest } = options;
  const pages = new Map<string, Page>();
  const add = (files: ReadonlyMap<string, PageFile>, policy: string) => {
    for (const [path, file] of files) pages.set(`${basePath}${path}`, { ...file, policy });
  };
  if (options.explorer) add(await explorerFiles(options), EXPLORER_POLICY);
  if (options.docs) add(await apiReference(options), API_REFERENCE_POLICY);
  // Files of the explorer are beside its page.
  const redirected = options.explorer && basePath !== '' ? basePath : undefined;
  return (request, response) => {
    const started = performance.now();
    const { method = '', url = '' } = request;
    const [path] = url.split('?', 1);
    const page = pages.get(path);
    if (page === undefined && path !== redirected) return listener(request, response);
    const send = (status: number, headers: Record<string, string | number>, body?: Uint8Array) => {
      response.writeHead(status, { ...HEADERS, ...headers });
      response.end(method === 'HEAD' ? undefined : body);
      const bytes = method === 'HEAD' ? 0 : (body?.length ?? 0);
      onRequest?.({ method, path, status, milliseconds: performance.now() - started, bytes });
    };
    if (method !== 'GET' && method !== 'HEAD') {
      const problem = new ProblemError(405, 'method-not-allowed', `Allowed are ${METHODS}.`);
      const body = new TextEncoder().encode(JSON.stringify(problemDocument(problem, { instance: path })));
      send(405, { 'content-type': 'application/problem+json', allow: METHODS, 'content-length': body.length }, body);
    } else if (page === undefined) {
      send(308, { location: `${basePath}/`, 'content-length': 0 });
    } else {
      const { type, bytes, etag, policy } = page;
      const caching = { etag, 'cache-control': 'no-cache', 'content-security-policy': policy };
      if (isCurrent(request.headers['if-none-match'], etag)) send(304, caching);
      else send(200, { ...caching, 'content-type': type, 'content-length': bytes.length }, bytes);
    }
  };
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Whether one of the tags that a client has is that of the file. */
function isCurrent(tags: string | undefined, etag: string): boolean {
  const known = tags?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}
