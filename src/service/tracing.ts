/** The parts of a request that may have spans of their own. */
export type TracedPart = 'key' | 'limits' | 'store' | 'answer' | 'read';

/**
 * Shows requests as spans of a trace: the option `tracing` of `createHandler`, and of `openStore` for what is read. `openTelemetry`
 * of `plumecast/service/node` makes one.
 */
export interface Tracing {
  /** Answers a request; calls `work` once, with its span, and returns what it returns. */
  request<T>(request: TracedRequest, work: (span: RequestSpan) => T): T;
  /**
   * Does a part of the request that is under way: looks up the key, asks limits and quotas, looks for new data, makes the answer, or
   * reads a variable of a place. Calls `work` once, and returns what it returns; a promise is part of it.
   */
  part<T>(name: TracedPart, work: () => T): T;
}

/** A request as it arrives. */
export interface TracedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The address of the client, where it is known. */
  readonly client?: string;
  header(name: 'traceparent' | 'tracestate' | 'user-agent'): string | null;
}

/** The span of a request: ended once, with how the request ended. */
export interface RequestSpan {
  end(outcome: TracedOutcome): void;
}

/** How a request ended. */
export interface TracedOutcome {
  readonly status: number;
  /** The path of its endpoint, with `{id}` in place of an id; undefined where the path is unknown. */
  readonly route: string | undefined;
  readonly requestId: string;
  readonly keyId: string | undefined;
  readonly bytes: number;
  readonly cached: boolean;
  /** The `id` of an error that `onError` was called with. */
  readonly errorId: string | undefined;
}

/** What does a part of requests: `work` itself, with a span each time where there is tracing. */
export function traced<Args extends readonly unknown[], T>(
  tracing: Tracing | undefined,
  name: TracedPart,
  work: (...args: Args) => T,
): (...args: Args) => T {
  return tracing === undefined ? work : (...args) => tracing.part(name, () => work(...args));
}
