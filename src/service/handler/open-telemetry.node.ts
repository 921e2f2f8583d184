import type { Attributes, Span, TextMapGetter } from '@opentelemetry/api';
import { loadPackage } from '../../files/load-package.js';
import { isPromise } from '../point/pause.js';
import { ProblemError, shorten } from '../problem-error.js';
import type { RequestSpan, TracedOutcome, TracedRequest, Tracing } from '../tracing.js';

/** Tracing by OpenTelemetry. */
export interface OpenTelemetry extends Tracing {
  /** Whether an SDK is registered: without one, spans go nowhere. */
  readonly hasSdk: boolean;
}

/** The methods of the semantic conventions, but `QUERY`, of which there is no standard yet. */
const METHODS: ReadonlySet<string> = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '));

const HEADERS = ['traceparent', 'tracestate'] as const;

/** Reads the headers of a trace, which are all that propagators of W3C ask for; others find none. */
const getter: TextMapGetter<TracedRequest> = {
  keys: (request) => HEADERS.filter((name) => request.header(name) !== null),
  get(request, name) {
    const known = HEADERS.find((each) => each === name.toLowerCase());
    return (known && request.header(known)) ?? undefined;
  },
};

/**
 * Tracing by the API of OpenTelemetry, with the SDK that the program has registered before: a span for each request, in the trace
 * of its `traceparent`, and spans of its parts below it. Where an instrumentation of `node:http` has begun a span for the
 * request, that one gets the route and the attributes in its place; below another span, the request has one of its own. Attributes follow the semantic conventions for HTTP;
 * none of them has the key or the query. Rejects with PackageError where `@opentelemetry/api` is not installed.
 */
export async function openTelemetry(): Promise<OpenTelemetry> {
  const api = await loadPackage('@opentelemetry/api', 'traces', () => import('@opentelemetry/api'));
  const { context, isSpanContextValid, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const tracer = trace.getTracer('plumecast');
  /** Spans of an instrumentation that a request has: where requests wait for each other, another one may come in its context. */
  const taken = new WeakSet<Span>();

  const endAfter = <T>(span: Span, work: () => T): T => {
    const fail = (error: unknown) => {
      // What is wrong with a request, such as an unknown key, is no error of the service.
      if (!(error instanceof ProblemError)) span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) });
      span.end();
      throw error;
    };
    let result: T;
    try {
      result = context.with(trace.setSpan(context.active(), span), work);
    } catch (error) {
      return fail(error);
    }
    if (!isPromise(result)) {
      span.end();
      return result;
    }
    return result.then((value) => {
      span.end();
      return value;
    }, fail) as T;
  };

  const probe = tracer.startSpan('plumecast probe', undefined, ROOT_CONTEXT);
  return {
    hasSdk: isSpanContextValid(probe.spanContext()),

    request(request, work) {
      const active = trace.getActiveSpan();
      const found = active !== undefined && taken.has(active) ? undefined : active;
      const isServers = (found as { kind?: unknown } | undefined)?.kind === SpanKind.SERVER;
      if (found !== undefined && isServers) {
        taken.add(found);
        return work(requestSpan(found, request, () => undefined));
      }
      const parent = found === undefined ? propagation.extract(ROOT_CONTEXT, request, getter) : context.active();
      const kind = found === undefined ? SpanKind.SERVER : SpanKind.INTERNAL;
      const span = tracer.startSpan(spanName(request.method), { kind, attributes: requestAttributes(request) }, parent);
      const own = requestSpan(span, request, ({ status }) => {
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      return context.with(trace.setSpan(parent, span), () => work(own));
    },

    part(name, work) {
      // What no request waits for has no trace.
      if (trace.getActiveSpan() === undefined) return work();
      return endAfter(tracer.startSpan(`plumecast ${name}`), work);
    },
  };
}

function requestSpan(span: Span, { method }: TracedRequest, end: (outcome: TracedOutcome) => void): RequestSpan {
  return {
    end(outcome) {
      if (outcome.route !== undefined) span.updateName(`${spanName(method)} ${outcome.route}`);
      span.setAttributes(outcomeAttributes(outcome));
      end(outcome);
    },
  };
}

function spanName(method: string): string {
  return METHODS.has(method) ? method : 'HTTP';
}

function requestAttributes(request: TracedRequest): Attributes {
  const { method, path, client } = request;
  const isKnown = METHODS.has(method);
  const userAgent = request.header('user-agent');
  return defined({
    'http.request.method': isKnown ? method : '_OTHER',
    'http.request.method_original': isKnown ? undefined : method,
    'url.path': shorten(path),
    'url.scheme': 'http',
    'client.address': client,
    'user_agent.original': userAgent === null ? undefined : shorten(userAgent),
  });
}

function outcomeAttributes({ status, route, requestId, keyId, bytes, cached, errorId }: TracedOutcome): Attributes {
  return defined({
    'http.route': route,
    'http.response.status_code': status,
    'http.response.body.size': bytes,
    'error.type': status >= 500 ? `${status}` : undefined,
    'plumecast.request_id': requestId,
    'plumecast.key_id': keyId,
    'plumecast.cached': cached,
    'plumecast.error_id': errorId,
  });
}

function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
