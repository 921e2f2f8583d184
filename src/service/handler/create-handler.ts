import { createEndpoints } from '../endpoints/all-endpoints.js';
import { ProblemError, shorten } from '../problem-error.js';
import { createDataReplies } from './data-replies.js';
import { checkHandlerOptions, type HandlerOptions } from './handler-options.js';
import { type BodyEnd, LongBody } from './long-body.js';
import { problemReply } from './problem.js';
import { createRequestContext, type RequestContext } from './request-context.js';
import { allowOrigin, type ResponseParts, toResponse } from './response-parts.js';
import { createRouter, type Route } from './router.js';
import { createServiceReplies } from './service-replies.js';
import { SourceErrorLog, SourceFault } from './source-fault.js';

/** Answers requests; never rejects. */
export type Handler = (request: Request) => Promise<Response>;

const METHODS = 'GET, HEAD, OPTIONS';

/**
 * The service as one function of a fetch `Request`, to be mounted in any server: every endpoint, the OpenAPI document
 * at `/openapi.json`, `/health` and `/ready`.
 *
 * Path, method, key, parameters and data are checked in this order. Errors are `application/problem+json` of RFC 9457.
 * Throws OptionError for options that cannot be used.
 */
export function createHandler(options: HandlerOptions): Handler {
  checkHandlerOptions(options);
  const allow = allowOrigin(options.cors);
  const all = createEndpoints(options.variables);
  const findRoute = createRouter(all, options.basePath ?? '');
  const sourceErrors = new SourceErrorLog();
  const dataReply = createDataReplies(options, all, sourceErrors);
  const serviceReply = createServiceReplies(options, sourceErrors);

  return async (request) => {
    const started = performance.now();
    const context = createRequestContext(request);
    const reply = await replyTo(context).catch((error) => failure(error, context));
    const response = toResponse(reply, request, allow);
    const milliseconds = performance.now() - started;
    const { status, body } = reply;
    if (body instanceof LongBody) body.ended.then((end) => observeEnd(context, { status, milliseconds }, end));
    else observe(options, context, { status, milliseconds, bytes: body?.byteLength ?? 0 });
    return response;
  };

  function observeEnd(
    context: RequestContext,
    { status, milliseconds }: { status: number; milliseconds: number },
    end: BodyEnd,
  ) {
    const { bytes, error } = end;
    if (error !== undefined && !(error instanceof ProblemError)) {
      const id = crypto.randomUUID();
      context.errorId = id;
      guarded(() => options.onError?.(error, { id }));
    }
    observe(options, context, { status, milliseconds, bytes });
  }

  async function replyTo(context: RequestContext): Promise<ResponseParts> {
    const route = findRoute(context.path);
    context.endpoint = nameOf(route);
    const { method } = context.request;
    if (method === 'OPTIONS') return preflight();
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ProblemError(405, 'method-not-allowed', `Allowed are ${METHODS}.`, { headers: { allow: METHODS } });
    }
    return route.service === undefined
      ? dataReply(context, route.endpoint, route.segment)
      : serviceReply(context, route.service);
  }

  function failure(error: unknown, context: RequestContext): ResponseParts {
    if (error instanceof ProblemError) return problemReply(error, context.path);
    const fault = error instanceof SourceFault ? sourceErrors.record(error) : undefined;
    const id = fault?.id ?? crypto.randomUUID();
    context.errorId = id;
    const cause = error instanceof SourceFault ? error.cause : error;
    if (fault?.isNew !== false) guarded(() => options.onError?.(cause, { id }));
    const problem =
      fault === undefined
        ? new ProblemError(500, 'internal-error', 'The service has failed; its operator can look up the id.')
        : new ProblemError(503, 'source-unavailable', 'The source of the data has failed; try again later.');
    return problemReply(problem, context.path, id);
  }
}

function nameOf(route: Route): string {
  return route.service ?? route.endpoint.operationId;
}

/** The response to OPTIONS, also to the preflight request of a browser. */
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

/** Calls the hooks of a handler for a request when its response is ready, or when a long response is sent. */
function observe({ onRequest, onMetric }: HandlerOptions, context: RequestContext, observed: Observed): void {
  if (onRequest === undefined && onMetric === undefined) return;
  const { request, path, endpoint, key, cached, errorId } = context;
  const { status, milliseconds } = observed;
  const bytes = request.method === 'HEAD' ? 0 : observed.bytes;
  guarded(() => onMetric?.({ endpoint, status, milliseconds, bytes, cached }));
  guarded(() =>
    onRequest?.({
      method: request.method,
      path: shorten(path),
      status,
      milliseconds,
      keyId: key?.id,
      owner: key?.owner,
      bytes,
      errorId,
    }),
  );
}

/**
 * Calls a hook. What it throws, or rejects with, is ignored: neither a response nor the process depends on a listener.
 */
function guarded(hook: () => unknown): void {
  try {
    Promise.resolve(hook()).catch(() => undefined);
  } catch {}
}
