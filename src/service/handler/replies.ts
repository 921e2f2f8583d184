import { isOfTooManyFiles, tooManyFiles } from '../../disk/file-fault.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import { nearestName } from '../../variable/nearest-name.js';
import { createEndpoints } from '../endpoints/all-endpoints.js';
import { createOwnAnswers } from '../endpoints/answers.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { isPromise } from '../point/pause.js';
import { ProblemError, shorten } from '../problem-error.js';
import type { SkillRecord } from '../source/source.js';
import type { RequestSpan } from '../tracing.js';
import { createDataReplies } from './data-replies.js';
import { checkHandlerOptions, type ErrorContext, type HandlerOptions } from './handler-options.js';
import { type BodyEnd, LongBody } from './long-body.js';
import { createMcpReplies, MCP_METHODS, MCP_PATH, type McpReplies } from './mcp-replies.js';
import type { ServicePath } from './openapi/document.js';
import {
  createAdmission,
  createRequestContext,
  type RequestContext,
  RequestIds,
  traceContextOf,
} from './request-context.js';
import type { RequestHead } from './request-head.js';
import { ResponseCache } from './response-cache.js';
import { CommonHeaders, problemReply, type ResponseParts } from './response-parts.js';
import { createServiceReplies } from './service-replies.js';
import { SourceErrorLog, SourceFault } from './source-fault.js';
import { UnknownKeys } from './unknown-keys.js';
import { clientGone, WorkQueue } from './work-queue.js';

/** What a handler holds and does now, for metrics. */
export interface HandlerState {
  /** The size of the cache of responses. */
  readonly responseCacheBytes: number;
  /** The memory of the WebAssembly core; undefined before the first request, and where `answers` do not say it. */
  readonly coreBytes: number | undefined;
  /** Requests whose answers are computed, those that wait, and long responses that are sent. */
  readonly answering: number;
  readonly waiting: number;
  readonly sending: number;
  /** When the short-term run was issued, as ISO 8601; undefined where there is no forecast now. */
  readonly forecastInitTime: string | undefined;
  /** When the run of each horizon was issued, as ISO 8601. */
  readonly runs: readonly { readonly horizon: HorizonName; readonly initTime: string }[];
  /** For how many seconds changes of keys may have been missed; undefined where the store of keys does not say it. */
  readonly keysAgeSeconds: number | undefined;
  /** For how many seconds new data may have been missed; undefined where the source does not say it. */
  readonly sourceAgeSeconds: number | undefined;
  /** How good issued forecasts were; undefined where nothing was scored. */
  readonly record: SkillRecord | undefined;
}

/** Answers requests, at once where nothing has to be waited for; never throws or rejects. */
export type Replies = (head: RequestHead) => ResponseParts | Promise<ResponseParts>;

const METHODS = 'GET, HEAD, OPTIONS';

/**
 * Creates the replies of a service, which all its listeners share, and what tells its state. Throws OptionError as
 * `createHandler`.
 */
export function createReplies(options: HandlerOptions): { reply: Replies; state: () => Promise<HandlerState> } {
  checkHandlerOptions(options);
  const commonHeaders = new CommonHeaders(options.cors);
  const all = createEndpoints(options.variables);
  const findRoute = createRouter(all, options.basePath ?? '');
  const sourceErrors = new SourceErrorLog();
  const ids = new RequestIds();
  const own = options.answers === undefined ? createOwnAnswers(options) : undefined;
  const { responseCacheBytes = 0, unknownKeyLimit } = options;
  const cache = responseCacheBytes > 0 ? new ResponseCache(responseCacheBytes) : undefined;
  const { tracing } = options;
  const isObserved = [options.onRequest, options.onMetric, options.usage, tracing].some((hook) => hook !== undefined);
  const queue = new WorkQueue(options.limits);
  const unknownKeys = unknownKeyLimit === undefined ? undefined : new UnknownKeys(unknownKeyLimit);
  const admit = createAdmission(options, sourceErrors, unknownKeys);
  const dataReply = createDataReplies(options, all, sourceErrors, { own, cache, queue, admit, reportFault });
  const serviceReply = createServiceReplies(options, sourceErrors);
  const mcpPath = `${options.basePath ?? ''}${MCP_PATH}`;
  const mcpReply = options.mcp && createMcpReplies(options.mcp, options, { sourceErrors, admit }, { replyTo, failure });

  const replyWith = (head: RequestHead, span?: RequestSpan): ResponseParts | Promise<ResponseParts> => {
    const started = performance.now();
    const context = createRequestContext(head, ids.idOf(head), span);
    const complete = (reply: ResponseParts): ResponseParts => {
      commonHeaders.add(reply, context);
      const milliseconds = performance.now() - started;
      const { status, body } = reply;
      if (body instanceof LongBody) body.ended.then((end) => observeEnd(context, { status, milliseconds }, end));
      else if (isObserved) observe(options, context, { status, milliseconds, bytes: body?.byteLength ?? 0 });
      return reply;
    };
    const fail = (error: unknown) => {
      context.isForAll = false;
      return complete(failure(error, context));
    };
    let reply: ResponseParts | Promise<ResponseParts>;
    try {
      reply = replyTo(context);
    } catch (error) {
      return fail(error);
    }
    return isPromise(reply) ? reply.then(complete, fail) : complete(reply);
  };
  const reply: Replies =
    tracing === undefined ? replyWith : (head) => tracing.request(head, (span) => replyWith(head, span));
  return { reply, state };

  async function state(): Promise<HandlerState> {
    const data = await Promise.resolve()
      .then(() => options.source.snapshot())
      .catch(() => undefined);
    return {
      responseCacheBytes: cache?.bytes ?? 0,
      coreBytes: (options.answers ?? own)?.coreBytes?.(),
      ...queue.counts,
      forecastInitTime: data?.forecast?.initTime,
      runs: HORIZONS.flatMap((horizon) => {
        const initTime = data?.forecast?.horizons[horizon]?.initTime;
        return initTime === undefined ? [] : [{ horizon, initTime }];
      }),
      keysAgeSeconds: options.keys.ageSeconds?.(),
      sourceAgeSeconds: options.source.ageSeconds?.(),
      record: data?.record,
    };
  }

  function observeEnd(
    context: RequestContext,
    { status, milliseconds }: { status: number; milliseconds: number },
    end: BodyEnd,
  ) {
    const { bytes, error } = end;
    if (error !== undefined && !(error instanceof ProblemError)) {
      const id = crypto.randomUUID();
      context.errorId = id;
      guarded(() => options.onError?.(error, errorContext(id, context)));
    }
    observe(options, context, { status, milliseconds, bytes });
  }

  function replyTo(context: RequestContext): ResponseParts | Promise<ResponseParts> {
    const { method, path, isUnreadable, isGone } = context.head;
    if (isUnreadable) {
      throw new ProblemError(400, 'request-unreadable', 'The target or the Host header of the request makes no URL.');
    }
    if (mcpReply !== undefined && path === mcpPath) return replyToMessage(context, mcpReply);
    const route = findRoute(path);
    context.endpoint = route.service ?? (route.endpoint.ofOnePoint ?? route.endpoint).operationId;
    context.route = `${options.basePath ?? ''}${route.service ?? route.endpoint.path}`;
    if (isGone) throw clientGone();
    if (method === 'OPTIONS') return preflight();
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(METHODS);
    return route.service === undefined
      ? dataReply(context, route.endpoint, route.segment)
      : serviceReply(context, route.service);
  }

  function replyToMessage(context: RequestContext, reply: McpReplies): ResponseParts | Promise<ResponseParts> {
    const { method, isGone } = context.head;
    context.endpoint = MCP_PATH;
    context.route = mcpPath;
    if (isGone) throw clientGone();
    if (method === 'OPTIONS') return preflight(MCP_METHODS, ', Content-Type, Mcp-Protocol-Version');
    if (method !== 'POST') throw methodNotAllowed(MCP_METHODS);
    return reply(context);
  }

  /** Reports an error unless its fault lasts, and returns the id by which the operator finds it. */
  function reportError(error: unknown, context: RequestContext): string {
    const fault = error instanceof SourceFault ? sourceErrors.record(error) : undefined;
    const id = fault?.id ?? crypto.randomUUID();
    context.errorId = id;
    const cause = error instanceof SourceFault ? error.cause : tooManyFiles(error);
    if (fault?.isNew !== false) guarded(() => options.onError?.(cause, errorContext(id, context)));
    return id;
  }

  /** The problem of one of several points whose data cannot be read; it is reported. */
  function reportFault(error: SourceFault, context: RequestContext): ProblemError {
    return sourceProblem({ id: reportError(error, context), isOfPoint: true });
  }

  function failure(error: unknown, context: RequestContext): ResponseParts {
    const { path } = context.head;
    if (error instanceof ProblemError) return problemReply(error, path);
    const id = reportError(error, context);
    const problem = isOfTooManyFiles(error)
      ? new ProblemError(503, 'overloaded', 'Too many files are open in the service; try again later.')
      : error instanceof SourceFault
        ? sourceProblem()
        : new ProblemError(500, 'internal-error', 'The service has failed; its operator can look up the id.');
    return problemReply(problem, path, id);
  }
}

function sourceProblem(more: { readonly id?: string; readonly isOfPoint?: boolean } = {}): ProblemError {
  return new ProblemError(503, 'source-unavailable', 'The source of the data has failed; try again later.', more);
}

function methodNotAllowed(methods: string): ProblemError {
  return new ProblemError(405, 'method-not-allowed', `Allowed are ${methods}.`, { headers: { allow: methods } });
}

/** The response to OPTIONS, also to the preflight request of a browser. */
function preflight(methods = METHODS, moreHeaders = ''): ResponseParts {
  const headers = [
    ...['allow', methods, 'access-control-allow-methods', methods, 'access-control-max-age', '86400'],
    'access-control-allow-headers',
    `X-Api-Key, Accept, If-None-Match, X-Request-Id, traceparent, tracestate${moreHeaders}`,
  ];
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
function observe({ onRequest, onMetric, usage }: HandlerOptions, context: RequestContext, observed: Observed): void {
  const { head, requestId, span, endpoint, route, key, cached, errorId, cost } = context;
  const { method, path } = head;
  const { status, milliseconds } = observed;
  const bytes = method === 'HEAD' ? 0 : observed.bytes;
  guarded(() => span?.end({ status, route, requestId, keyId: key?.id, bytes, cached, errorId }));
  const used = usage && key && { keyId: key.id, owner: key.owner, cost };
  if (used !== undefined) guarded(() => usage?.charge(used.keyId, cost, bytes));
  guarded(() => onMetric?.({ endpoint, status, milliseconds, bytes, cached, usage: used }));
  guarded(() =>
    onRequest?.({
      method,
      path: shorten(path),
      status,
      milliseconds,
      client: head.client,
      userAgent: userAgentOf(head),
      keyId: key?.id,
      owner: key?.owner,
      bytes,
      errorId,
      requestId,
      trace: traceContextOf(head),
    }),
  );
}

function userAgentOf(head: RequestHead): string | undefined {
  const text = head.header('user-agent');
  return text === null ? undefined : shorten(text);
}

function errorContext(id: string, { head, requestId }: RequestContext): ErrorContext {
  return { id, requestId, trace: traceContextOf(head) };
}

/**
 * Calls a hook. What it throws, or rejects with, is ignored: neither a response nor the process depends on a listener.
 */
function guarded(hook: () => unknown): void {
  try {
    const result = hook();
    if (isPromise(result)) Promise.resolve(result).catch(() => undefined);
  } catch {}
}

const SERVICE_PATHS: readonly ServicePath[] = /* @__PURE__ */ Object.freeze([
  '/health',
  '/ready',
  '/openapi.json',
] as const);

/** Where a path leads; `segment` is the text in place of `{id}`, not decoded. */
type Route =
  | { readonly service: ServicePath; readonly endpoint?: undefined; readonly segment?: undefined }
  | { readonly endpoint: Endpoint; readonly segment: string | undefined; readonly service?: undefined };

const ID = '{id}';

/**
 * Finds the route of each path. Paths are matched exactly: with case, one slash between segments and none at the end,
 * nothing percent-encoded except the id of a location. All begin with `basePath`.
 */
function createRouter(endpoints: readonly Endpoint[], basePath: string): (path: string) => Route {
  const routes = new Map<string, Route>();
  const byLocation = new Map<string, Endpoint>();
  for (const service of SERVICE_PATHS) routes.set(basePath + service, { service });
  for (const endpoint of endpoints) {
    const path = basePath + endpoint.path;
    if (path.endsWith(ID)) byLocation.set(path.slice(0, -ID.length), endpoint);
    else routes.set(path, { endpoint, segment: undefined });
  }

  return (path) => {
    const route = routes.get(path);
    if (route !== undefined) return route;
    const start = path.lastIndexOf('/') + 1;
    const endpoint = byLocation.get(path.slice(0, start));
    if (endpoint !== undefined) return { endpoint, segment: path.slice(start) };
    const nearest = nearestName(path, [...routes.keys()]);
    const detail =
      nearest === undefined ? 'The path is not known.' : `The path is not known, the nearest is ${nearest}.`;
    throw new ProblemError(404, 'path-not-found', detail);
  };
}
