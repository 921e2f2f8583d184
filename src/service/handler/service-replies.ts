import { ProblemError } from '../problem-error.js';
import { describeForecast, horizonsTooOld } from './forecast-state.js';
import type { HandlerOptions } from './handler-options.js';
import type { ServicePath } from './openapi/document.js';
import type { RequestContext } from './request-context.js';
import { entityTag, findTag } from './request-shape.js';
import { BodyCoder, describeBody, ResponseCache } from './response-cache.js';
import { jsonReply, type ResponseParts } from './response-parts.js';
import type { SourceErrorLog } from './source-fault.js';

/** The OpenAPI document of the service. */
interface Description {
  readonly etag: string;
  readonly text: Uint8Array;
}

/** Enough for the compressed forms of the document. */
const DESCRIPTION_CACHE_BYTES = 262_144;

/** Replies about the service itself, for which no key is needed. */
export type ServiceReplies = (context: RequestContext, path: ServicePath) => Promise<ResponseParts>;

/**
 * `/health`: the service runs, whatever its source does; `/ready`: its source has data, which are not too old, and it is not about
 * to stop, else 503; `/openapi.json`: its description.
 */
export function createServiceReplies(
  { source, basePath, variables, isDraining, maxAgeSeconds = {}, now, compression }: HandlerOptions,
  sourceErrors: SourceErrorLog,
): ServiceReplies {
  let description: Promise<Description> | undefined;
  const coder = new BodyCoder(compression, new ResponseCache(DESCRIPTION_CACHE_BYTES));

  return async (context, path) => {
    if (path === '/health') return statusReply('ok');
    if (path === '/ready') return readiness();
    description ??= describe().catch((error) => {
      // Too many open files, for instance: the next request tries again.
      description = undefined;
      throw error;
    });
    return describedReply(context, await description);
  };

  async function describedReply({ head }: RequestContext, { etag, text }: Description): Promise<ResponseParts> {
    const coding = coder.codingFor(head.header('accept-encoding'));
    const tags = head.header('if-none-match');
    const matched = tags === null ? undefined : findTag(tags, etag, coding?.name);
    const headers = ['cache-control', 'public, max-age=3600'];
    if (matched !== undefined) return { status: 304, headers: [...headers, 'etag', matched], body: undefined };
    headers.push('content-type', 'application/json');
    const coded = await coder.encodeKept(etag, text, coding);
    describeBody(headers, etag, coded);
    return { status: 200, headers, body: coded.body };
  }

  async function readiness(): Promise<ResponseParts> {
    if (isDraining?.()) throw new ProblemError(503, 'draining', 'The service is about to stop.');
    const look = async () => {
      await source.check?.();
      return source.snapshot();
    };
    const { forecast, history } = await sourceErrors.guard('source', look);
    if (forecast === undefined && history === undefined) {
      throw new ProblemError(503, 'not-ready', 'The source has neither a forecast nor a history.');
    }
    const time = (now?.() ?? new Date()).getTime();
    const limited = Object.keys(maxAgeSeconds);
    const old = forecast === undefined ? limited : horizonsTooOld(forecast, maxAgeSeconds, time);
    const age = Math.ceil(source.ageSeconds?.() ?? 0);
    const state = { ...(forecast && describeForecast(forecast, time)), ...(age > 0 && { source_age_seconds: age }) };
    if (old.length === 0) return statusReply('ready', state);
    throw new ProblemError(503, 'too-old', `There is no run of ${old.join(', ')} that is new enough.`);
  }

  async function describe(): Promise<Description> {
    // It is requested rarely: it is loaded and made with the first request for it.
    const { openApiDocument } = await import('./openapi/document.js');
    const text = JSON.stringify(openApiDocument({ basePath, variables }));
    return { etag: entityTag(text), text: new TextEncoder().encode(text) };
  }
}

function statusReply(value: string, more: object = {}): ResponseParts {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return jsonReply(200, headers, { status: value, ...more });
}
