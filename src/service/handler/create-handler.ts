import { allowOrigin } from './cors.js';
import { dataReplies } from './data-replies.js';
import { endpoints } from './endpoints.js';
import { checkHandlerOptions, type HandlerOptions } from './handler-options.js';
import { type BodyEnd, LongBody } from './long-body.js';
import { problemReply } from './problem.js';
import { ProblemError } from './problem-error.js';
import { createRequestContext, type RequestContext } from './request-context.js';
import { type ResponseParts, toResponse } from './response-parts.js';
import { createRouter, type Route } from './router.js';
import { serviceReplies } from './service-replies.js';
import { shortened } from './shortened.js';
import { SourceErrorLog, SourceFault } from './source-fault.js';

/** Answers requests; never rejects. */
export type Handler = (request: Request) => Promise<Response>;

const METHODS = 'GET, HEAD, OPTIONS';

/**
 * The service as one function of a fetch `Request`, to be mounted in any server: every endpoint, the OpenAPI document at
 * `/openapi.json`, `/health` and `/ready`.
 *
 * Path, method, key, parameters and data are checked in this order. Errors are `application/problem+json` of RFC 9457. Throws
 * OptionError for options that cannot be used.
 */
export function createHandler(options: HandlerOptions): Handler {
  checkHandlerOptions(options);
  const allow = allowOrigin(options.cors);
  const all = endpoints(options.variables);
  const routeOf = createRouter(all, options.basePath ?? '');
  const watch = new SourceErrorLog();
  const dataReply = dataReplies(options, all, watch);
  const serviceReply = serviceReplies(options, watch);

  return async (request) => {
    const started = performance.now();
    const exchange = createRequestContext(request);
    const reply = await replyTo(exchange).catch((error) => failure(error, exchange));
    const response = toResponse(reply, request, allow);
    const milliseconds = performance.now() - started;
    const { status, body } = reply;
    if (body instanceof LongBody) body.ended.then((end) => observeEnd(exchange, { status, milliseconds }, end));
    else observe(options, exchange, { status, milliseconds, bytes: body?.byteLength ?? 0 });
    return response;
  };

  function observeEnd(
    exchange: RequestContext,
    { status, milliseconds }: { status: number; milliseconds: number },
    end: BodyEnd,
  ) {
    const { bytes, error } = end;
    if (error !== undefined && !(error instanceof ProblemError)) {
      const id = crypto.randomUUID();
      exchange.errorId = id;
      guarded(() => options.onError?.(error, { id }));
    }
    observe(options, exchange, { status, milliseconds, bytes });
  }

  async function replyTo(exchange: RequestContext): Promise<ResponseParts> {
    const route = routeOf(exchange.path);
    exchange.endpoint = nameOf(route);
    const { method } = exchange.request;
    if (method === 'OPTIONS') return preflight();
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ProblemError(405, 'method-not-allowed', `Allowed are ${METHODS}.`, { headers: { allow: METHODS } });
    }
    return route.service === undefined
      ? dataReply(exchange, route.endpoint, route.segment)
      : serviceReply(exchange, route.service);
  }

  function failure(error: unknown, exchange: RequestContext): ResponseParts {
    if (error instanceof ProblemError) return problemReply(error, exchange.path);
    const fault = error instanceof SourceFault ? watch.note(error) : undefined;
    const id = fault?.id ?? crypto.randomUUID();
    exchange.errorId = id;
    const cause = error instanceof SourceFault ? error.cause : error;
    if (fault?.isNew !== false) guarded(() => options.onError?.(cause, { id }));
    const problem =
      fault === undefined
        ? new ProblemError(500, 'internal-error', 'The service has failed; its operator can look up the id.')
        : new ProblemError(503, 'source-unavailable', 'The source of the data has failed; try again later.');
    return problemReply(problem, exchange.path, id);
  }
}

function nameOf(route: Route): string {
  return route.service ?? route.endpoint.operationId;
}

/** What OPTIONS gives, also where a browser asks before it sends a key. */
function preflight(): ResponseParts {
  const headers = {
    allow: METHODS,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': 'X-Api-Key, Accept, If-None-Match',
    'access-control-max-age': '86400',
  };
  return { status: 204, headers, body: undefined };
}

/** The figures of a response. */
interface Observed {
  readonly status: number;
  readonly milliseconds: number;
  /** The size of its body, without regard to HEAD. */
  readonly bytes: number;
}

/** Tells the hooks of a handler about a request whose response is there, or sent where it is a long one. */
function observe({ onRequest, onMetric }: HandlerOptions, exchange: RequestContext, observed: Observed): void {
  if (onRequest === undefined && onMetric === undefined) return;
  const { request, path, endpoint, key, cached, errorId } = exchange;
  const { status, milliseconds } = observed;
  const bytes = request.method === 'HEAD' ? 0 : observed.bytes;
  guarded(() => onMetric?.({ endpoint, status, milliseconds, bytes, cached }));
  guarded(() =>
    onRequest?.({
      method: request.method,
      path: shortened(path),
      status,
      milliseconds,
      keyId: key?.id,
      owner: key?.owner,
      bytes,
      errorId,
    }),
  );
}

/** Calls a hook. What it throws, or rejects with, is lost: neither a response nor the process depends on who listens. */
function guarded(hook: () => unknown): void {
  try {
    Promise.resolve(hook()).catch(() => undefined);
  } catch {}
}
