import { assertKnownKeys, assertShape } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import { DAY_SECONDS } from '../../period/day.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import { assertVariables } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import { checkQuota, type KeyStore, type RateQuota } from '../access/key-store.js';
import type { LocationStore } from '../access/locations.js';
import type { Answers } from '../endpoints/answers.js';
import type { WeatherSource } from '../source/source.js';
import type { Tracing } from '../tracing.js';
import type { ResponseCompression } from './compression.js';
import type { Mcp } from './mcp/mcp.js';
import type { RateLimit } from './rate-limit.js';
import type { TraceContext } from './request-context.js';
import type { CorsOptions } from './response-parts.js';
import type { UsageMeter } from './usage-meter.js';
import type { WorkLimits } from './work-queue.js';

/** Options of `createHandler`. */
export interface HandlerOptions {
  /** Where the data come from. */
  source: WeatherSource;
  /** Where keys are looked up, for each request. */
  keys: KeyStore;
  /** Where stored locations are looked up. Without it, there are none. */
  locations?: LocationStore;
  /**
   * What computes. Default: `createAnswers({ variables })`, with the core of the package, loaded with the first
   * request.
   */
  answers?: Answers;
  /** The path that the service is mounted at, such as `/weather`, where requests come with it. Default: the root. */
  basePath?: string;
  /** Variables besides the built-in ones, or in place of those of the same slug. */
  variables?: readonly Variable[];
  /** The clock: with it the handler computes how long answers are fresh. */
  now?: () => Date;
  /** The size of the cache of responses, which keeps what is asked for a second time. Default 0: none is kept. */
  responseCacheBytes?: number;
  /**
   * How long answers are compressed for clients that accept it; false for not at all. Default: `streamCompression()`;
   * `nodeCompression()` of `plumecast/service/node` is faster in Node.
   */
  compression?: ResponseCompression | false;
  /** How much is computed and sent at once, and how much may wait; more is answered with 503. Keys share it fairly. */
  limits?: WorkLimits;
  /** Called before each request with a valid key: decides whether it has to wait. `createRateLimit` makes one. */
  rateLimit?: RateLimit;
  /** Counts what keys use, and knows their daily quotas. `createUsageMeter` makes one. Default: nothing is counted, and quotas are not observed. */
  usage?: UsageMeter;
  /**
   * How many requests with unknown keys an address may make, of this process; more get 429. It needs the addresses of clients,
   * which `createListener` knows. Default: no limit.
   */
  unknownKeyLimit?: RateQuota;
  /**
   * The access log: called for each request when its response is ready; for a long response, which is written in
   * pieces, when it is sent.
   */
  onRequest?: (record: RequestRecord) => void;
  /**
   * Called for errors of the service, each with the `id` in its response; for a fault of a source once while it lasts.
   */
  onError?: (error: unknown, context: ErrorContext) => void;
  /** Called with the figures of each request, for counters and durations by endpoint and status. */
  onMetric?: (metric: RequestMetric) => void;
  /** Shows requests as spans of a trace. `openTelemetry` of `plumecast/service/node` makes one. Default: there are no spans. */
  tracing?: Tracing;
  /**
   * Answers assistants by the Model Context Protocol at `/mcp`, with the same keys. `createMcp` of `plumecast/service/node` makes one.
   * Default: there is no such path.
   */
  mcp?: Mcp;
  /** Which web pages may read responses. Default: all. */
  cors?: CorsOptions;
  /**
   * Whether the service is about to stop: then `/ready` is 503, so that load balancers send no more; all other requests
   * are answered.
   */
  isDraining?: () => boolean;
  /**
   * Whether answers that do not depend on the key are `public`, for a cache that lets nobody in without a key itself. Default
   * false: all are `private`.
   */
  publicCache?: boolean;
  /**
   * How old the run of a horizon may be, in seconds from its time of issue: where one is older, or missing, `/ready` is 503.
   * Default: no limit.
   */
  maxAgeSeconds?: Readonly<Partial<Record<HorizonName, number>>>;
}

/** Which request an error belongs to. */
export interface ErrorContext {
  /** The `id` in the response; the same for all requests while a fault of a source lasts. */
  readonly id: string;
  readonly requestId: string;
  readonly trace?: TraceContext;
}

/** One request, for an access log: without the key and the query. */
export interface RequestRecord {
  readonly method: string;
  /** Shortened where it is very long. */
  readonly path: string;
  readonly status: number;
  /** From the request to the response, without its sending. */
  readonly milliseconds: number;
  /** The address of the client, where the listener knows it: `createListener` does. */
  readonly client?: string;
  /** Shortened where it is very long. */
  readonly userAgent?: string;
  /** The id and the owner of its key, where they are known. */
  readonly keyId?: string;
  readonly owner?: string;
  /** The size of the body sent. */
  readonly bytes: number;
  /** The `id` of an error that `onError` was called with. */
  readonly errorId?: string;
  /** As in the header `X-Request-Id` of the response. Undefined for files of pages. */
  readonly requestId?: string;
  /** Where the request came with a valid `traceparent`. */
  readonly trace?: TraceContext;
}

/** The figures of one request. */
export interface RequestMetric {
  /** The operation id of its endpoint; `/health`, `/ready`, `/openapi.json`, `/mcp`; or `none` where the path is unknown. */
  readonly endpoint: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly bytes: number;
  /** Whether the response was in the cache of responses. */
  readonly cached: boolean;
  /** Where usage is counted, and the key is known: its id, its owner, and what the answer cost. */
  readonly usage?: { readonly keyId: string; readonly owner: string; readonly cost: number };
}

const OPTIONS: Readonly<Record<keyof HandlerOptions, string>> = {
  source: 'object',
  keys: 'object',
  locations: 'object',
  answers: 'object',
  basePath: 'string',
  variables: 'object',
  now: 'function',
  responseCacheBytes: 'number',
  compression: 'object or false',
  limits: 'object',
  rateLimit: 'function',
  usage: 'object',
  unknownKeyLimit: 'object',
  onRequest: 'function',
  onError: 'function',
  onMetric: 'function',
  tracing: 'object',
  mcp: 'object',
  cors: 'object',
  isDraining: 'function',
  maxAgeSeconds: 'object',
  publicCache: 'boolean',
};

const REQUIRED: readonly string[] = ['source', 'keys'];

/** Throws OptionError for the first option that is missing, unknown or of the wrong type. */
export function checkHandlerOptions(options: HandlerOptions): void {
  assertKnownKeys(options, Object.keys(OPTIONS));
  for (const [name, type] of Object.entries(OPTIONS)) {
    const value: unknown = options[name as keyof HandlerOptions];
    if (value === undefined && !REQUIRED.includes(name)) continue;
    if (type.split(' or ').some((each) => hasType(value, each))) continue;
    const problem = value === undefined ? 'missing' : 'of the wrong type';
    throw new OptionError({
      subject: name,
      problem,
      received: value === undefined ? undefined : typeof value,
      allowed: type,
    });
  }
  assertShape('source', options.source, { snapshot: 'function', check: 'function?', ageSeconds: 'function?' });
  assertShape('keys', options.keys, { find: 'function', ageSeconds: 'function?' });
  if (options.tracing !== undefined) assertShape('tracing', options.tracing, { request: 'function', part: 'function' });
  if (options.mcp !== undefined) assertShape('mcp', options.mcp, { answer: 'function' });
  if (options.usage !== undefined) assertShape('usage', options.usage, { charge: 'function', quotaOf: 'function' });
  if (options.locations !== undefined) assertShape('locations', options.locations, { find: 'function' });
  if (options.compression) {
    assertShape('compression', options.compression, {
      ...{ codings: 'texts', minBytes: 'integer', compress: 'function', compressPieces: 'function' },
    });
  }
  assertBasePath(options.basePath ?? '');
  assertVariables(options.variables);
  checkLimits(options.limits);
  if (options.unknownKeyLimit !== undefined) checkQuota(options.unknownKeyLimit, 'unknownKeyLimit');
  checkMaxAge(options.maxAgeSeconds);
  const { responseCacheBytes = 0 } = options;
  if (Number.isSafeInteger(responseCacheBytes) && responseCacheBytes >= 0) return;
  throw new OptionError({
    subject: 'responseCacheBytes',
    problem: 'is not a size',
    received: responseCacheBytes,
    allowed: 'a whole number of bytes, 0 for no cache',
  });
}

/** Timers count up to some weeks. */
const MAX_SECONDS = DAY_SECONDS;

/** Whether a value has a type by its name; `false` is the value itself. */
function hasType(value: unknown, type: string): boolean {
  return type === 'false' ? value === false : typeof value === type && value !== null;
}

function checkMaxAge(maxAge: HandlerOptions['maxAgeSeconds'] = {}): void {
  assertKnownKeys(maxAge, HORIZONS, 'maxAgeSeconds');
  for (const [horizon, received] of Object.entries(maxAge)) {
    if (typeof received === 'number' && received > 0) continue;
    const allowed = 'seconds, more than 0';
    throw new OptionError({ subject: `maxAgeSeconds.${horizon}`, problem: 'is not a duration', received, allowed });
  }
}

function checkLimits(limits: WorkLimits = {}): void {
  const min = { answering: 1, waiting: 0, sending: 1 };
  const { stalledSeconds = 1 } = limits;
  assertKnownKeys(limits, [...Object.keys(min), 'stalledSeconds'], 'limits');
  if (typeof stalledSeconds !== 'number' || !(stalledSeconds > 0 && stalledSeconds <= MAX_SECONDS)) {
    const allowed = `seconds, more than 0, ${MAX_SECONDS} at most`;
    throw new OptionError({
      ...{ subject: 'limits.stalledSeconds', problem: 'is not a duration', received: stalledSeconds, allowed },
    });
  }
  for (const name of ['answering', 'waiting', 'sending'] as const) {
    const { [name]: received = min[name] } = limits;
    if (Number.isSafeInteger(received) && received >= min[name]) continue;
    const allowed = `a whole number of requests from ${min[name]} on`;
    throw new OptionError({ subject: `limits.${name}`, problem: 'is not a number of requests', received, allowed });
  }
}

/** Plain characters; `.` and `..` would lead elsewhere. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/;

/** Throws OptionError unless `basePath` is a path that a service can be mounted at. */
export function assertBasePath(basePath: unknown): asserts basePath is string {
  if (typeof basePath === 'string' && BASE_PATH.test(basePath)) return;
  throw new OptionError({
    subject: 'basePath',
    problem: 'is not a path to mount at',
    received: basePath,
    allowed:
      "'', or a path such as '/weather/v1': segments of letters, digits, '.', '_', '~' and '-', none of them '.' or '..', and no slash at the end",
  });
}
