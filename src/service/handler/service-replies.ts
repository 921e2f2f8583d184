import { ProblemError } from '../problem-error.js';
import { entityTag, matchesTag } from './cache-headers.js';
import type { HandlerOptions } from './handler-options.js';
import type { RequestContext } from './request-context.js';
import { jsonReply, type ResponseParts } from './response-parts.js';
import type { ServicePath } from './router.js';
import type { SourceErrorLog } from './source-fault.js';

/** Replies about the service itself, for which no key is needed. */
export type ServiceReplies = (context: RequestContext, path: ServicePath) => Promise<ResponseParts>;

/**
 * `/health`: the service runs, whatever its source does; `/ready`: its source has data and it is not about to stop,
 * else 503; `/openapi.json`: its description.
 */
export function createServiceReplies(
  { source, basePath, variables, isDraining }: HandlerOptions,
  sourceErrors: SourceErrorLog,
): ServiceReplies {
  let description: Promise<ResponseParts> | undefined;

  return async (context, path) => {
    if (path === '/health') return statusReply('ok');
    if (path === '/ready') return readiness();
    description ??= describe();
    const { status, headers, body } = await description;
    const unchanged = matchesTag(context.head.header('if-none-match'), headers.etag);
    return { status: unchanged ? 304 : status, headers: { ...headers }, body: unchanged ? undefined : body };
  };

  async function readiness(): Promise<ResponseParts> {
    if (isDraining?.()) throw new ProblemError(503, 'draining', 'The service is about to stop.');
    const { forecast, history } = await sourceErrors.store('source', () => source.snapshot());
    if (forecast !== undefined || history !== undefined) return statusReply('ready');
    throw new ProblemError(503, 'not-ready', 'The source has neither a forecast nor a history.');
  }

  async function describe(): Promise<ResponseParts> {
    // It is requested rarely: it is loaded and made with the first request for it.
    const { openApiDocument } = await import('./openapi/document.js');
    const text = JSON.stringify(openApiDocument({ basePath, variables }));
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
      etag: entityTag(text),
    };
    return { status: 200, headers, body: new TextEncoder().encode(text) };
  }
}

function statusReply(value: string): ResponseParts {
  return jsonReply(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }, { status: value });
}
