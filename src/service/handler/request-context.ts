import { type KeyRecord, type KeyStore, MAX_KEY_LENGTH } from '../access/key-store.js';
import type { LocationStore, StoredLocation } from '../access/locations.js';
import { whenReady } from '../point/pause.js';
import { ProblemError } from '../problem-error.js';
import { type RequestSpan, type Tracing, traced } from '../tracing.js';
import type { Allowance, RateLimit } from './rate-limit.js';
import type { RequestHead } from './request-head.js';
import type { SourceErrorLog } from './source-fault.js';
import type { UnknownKeys } from './unknown-keys.js';
import type { DayQuota, UsageMeter } from './usage-meter.js';

/** A request, and what the handler finds out about it on the way to its response. */
export interface RequestContext {
  readonly head: RequestHead;
  /** Names the request in its response, in logs and for hooks. */
  readonly requestId: string;
  /** Called when the request ends; undefined where there is no tracing. */
  readonly span: RequestSpan | undefined;
  /** The endpoint of the path, as metrics name it. */
  endpoint: string;
  /** Its path, with `{id}` in place of an id; undefined where the path is unknown. */
  route: string | undefined;
  /** The key of the request; undefined until it is found. */
  key: KeyRecord | undefined;
  /** For how many seconds changes of keys may have been missed, where they may. */
  keysAge: number;
  /** What the rate limit leaves to the key; undefined where there is no limit. */
  allowance: Allowance | undefined;
  /** What the key has left today; undefined where it has no quota. */
  quota: DayQuota | undefined;
  /** What the answer costs its key; 0 until there is one. */
  cost: number;
  /** Whether the response was in the cache of responses. */
  cached: boolean;
  errorId: string | undefined;
  /** Whether the answer is the same for all keys, and caches may give it to all. */
  isForAll: boolean;
}

/** The context of a request that has just arrived. */
export function createRequestContext(head: RequestHead, requestId: string, span?: RequestSpan): RequestContext {
  return {
    head,
    requestId,
    span,
    endpoint: 'none',
    route: undefined,
    key: undefined,
    keysAge: 0,
    allowance: undefined,
    quota: undefined,
    cost: 0,
    cached: false,
    errorId: undefined,
    isForAll: false,
  };
}

/** Where a request belongs in a distributed trace: the headers of W3C Trace Context, checked. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span of the caller: 16 hexadecimal digits. */
  readonly parentId: string;
  /** Whether the caller records the trace. */
  readonly sampled: boolean;
  /** The header as it came. */
  readonly traceparent: string;
  /** The header as it came, its lines joined; undefined where there is none, or an invalid one. */
  readonly tracestate?: string;
}

/** Other ids, and none at all, are replaced: they would be hard to search for, or forge lines of a log. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** So many UUIDs are made at once: random bits for one take longer than all else of it. */
const UUIDS = 256;
const UUID_BYTES = 16;
const UUID_LENGTH = 36;
/** Where the two digits of each byte are in a UUID: there are hyphens between them. */
const DIGITS_AT: readonly number[] = /* @__PURE__ */ Object.freeze([
  0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34,
]);
const HYPHEN = 45;

/** Gives requests their ids. */
export class RequestIds {
  #uuids = '';
  #used = UUIDS;
  readonly #random = new Uint8Array(UUIDS * UUID_BYTES);
  readonly #letters = new Uint8Array(UUIDS * UUID_LENGTH).fill(HYPHEN);
  readonly #decoder = new TextDecoder();

  /**
   * The id of a request: its `X-Request-Id` of 1 to 128 of `A-Z a-z 0-9 _ . : / + = @ -`, else a random UUID of version 4: no id
   * tells of others, nor how many there are.
   */
  idOf(head: RequestHead): string {
    const received = head.header('x-request-id');
    if (received !== null && REQUEST_ID.test(received)) return received;
    if (this.#used === UUIDS) {
      this.#uuids = this.#makeUuids();
      this.#used = 0;
    }
    const from = UUID_LENGTH * this.#used++;
    return this.#uuids.slice(from, from + UUID_LENGTH);
  }

  #makeUuids(): string {
    const random = crypto.getRandomValues(this.#random);
    const letters = this.#letters;
    for (let from = 0, to = 0; from < random.length; from += UUID_BYTES, to += UUID_LENGTH) {
      // The version and the variant of RFC 9562.
      random[from + 6] = (random[from + 6] & 0x0f) | 0x40;
      random[from + 8] = (random[from + 8] & 0x3f) | 0x80;
      for (let i = 0; i < UUID_BYTES; i++) {
        const at = to + DIGITS_AT[i];
        letters[at] = hexDigit(random[from + i] >> 4);
        letters[at + 1] = hexDigit(random[from + i] & 15);
      }
    }
    return this.#decoder.decode(letters);
  }
}

/** The character of a number below 16: `0` to `9`, `a` to `f`. */
function hexDigit(value: number): number {
  return value < 10 ? 48 + value : 87 + value;
}

/** Version, trace id, parent id and flags; later versions may have more behind them. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;

/**
 * The trace context of a request, by the rules of https://www.w3.org/TR/trace-context-2/. Undefined where it has none or
 * an invalid one, which is ignored; an invalid `tracestate` is ignored by itself.
 */
export function traceContextOf(head: RequestHead): TraceContext | undefined {
  const traceparent = head.header('traceparent');
  const [, version, traceId, parentId, flags, more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceparent === null || version === undefined || version === 'ff') return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(parentId) || (version === '00' && more !== undefined)) return undefined;
  const sampled = (Number.parseInt(flags, 16) & 1) === 1;
  const tracestate = head.header('tracestate');
  const state = tracestate !== null && isTraceState(tracestate) ? { tracestate } : {};
  return { traceId, parentId, sampled, traceparent, ...state };
}

const MAX_MEMBERS = 32;
const MEMBER = /^([a-z\d][a-z\d_*/-]{0,255}|[a-z\d][a-z\d_*/-]{0,240}@[a-z][a-z\d_*/-]{0,13})=[ -<>-~]{0,255}[!-<>-~]$/;

/** Whether a text is a list of at most 32 different keys with values. */
function isTraceState(text: string): boolean {
  const keys = new Set<string>();
  let members = 0;
  for (const item of text.split(',')) {
    const member = item.replace(/^[ \t]+|[ \t]+$/g, '');
    if (member === '') continue;
    const [, key] = MEMBER.exec(member) ?? [];
    if (key === undefined) return false;
    keys.add(key);
    members++;
  }
  return members > 0 && members <= MAX_MEMBERS && keys.size === members;
}

/** The header with the key, as problems write it. */
export const KEY_HEADER = 'X-Api-Key';

const CHALLENGE = { 'www-authenticate': `ApiKey realm="plumecast", header="${KEY_HEADER}"` };

/** What decides whether a request is admitted: options of a handler. */
interface Admission {
  readonly keys: KeyStore;
  readonly rateLimit?: RateLimit;
  readonly usage?: UsageMeter;
  readonly tracing?: Tracing;
  readonly now?: () => Date;
}

/** Admits a request: finds the record of its key. */
export type Admit = (context: RequestContext) => KeyRecord | Promise<KeyRecord>;

/**
 * Creates what finds the record of a request's key, and asks `rateLimit` and `usage` about it. It throws, or rejects with,
 * ProblemError: 401 where the key is missing, unknown or not valid now, 429 where it has to wait.
 */
export function createAdmission(
  { keys, rateLimit, usage, tracing, now }: Admission,
  sourceErrors: SourceErrorLog,
  unknownKeys: UnknownKeys | undefined,
): Admit {
  const findKey = traced(tracing, 'key', (key: string) => sourceErrors.guard('keys', () => keys.find(key)));
  const enforceLimits = traced(tracing, 'limits', (record: KeyRecord, context: RequestContext) => {
    const admitted = rateLimit && enforceRateLimit(rateLimit, record, context);
    if (usage === undefined || record.dailyQuota === undefined) return admitted;
    return whenReady(admitted, () => enforceQuota(usage, record, context, sourceErrors));
  });
  return (context) => {
    const key = context.head.header('x-api-key');
    if (key === null || key === '') {
      throw new ProblemError(401, 'key-missing', `The header ${KEY_HEADER} is missing.`, { headers: CHALLENGE });
    }
    return whenReady(key.length > MAX_KEY_LENGTH ? undefined : findKey(key), (record) => {
      if (keys.ageSeconds !== undefined) context.keysAge = keys.ageSeconds();
      const problem = keyProblem(record, now);
      if (record === undefined || problem !== undefined) {
        unknownKeys?.take(context.head.client);
        throw problem;
      }
      context.key = record;
      return whenReady(enforceLimits(record, context), () => record);
    });
  };
}

/** Why a key cannot be used now: undefined where it can. */
function keyProblem(record: KeyRecord | undefined, clock: (() => Date) | undefined): ProblemError | undefined {
  const reject = (code: string, detail: string) => new ProblemError(401, code, detail, { headers: CHALLENGE });
  if (record === undefined) return reject('key-unknown', 'The key is not known.');
  const { starts, expires, revoked } = record;
  if (revoked !== undefined) return reject('key-revoked', `The key was revoked at ${timeText(revoked)}.`);
  if (starts === undefined && expires === undefined) return undefined;
  const now = clock?.() ?? new Date();
  if (starts !== undefined && now < starts)
    return reject('key-not-yet-valid', `The key is valid from ${timeText(starts)} on.`);
  if (expires !== undefined && now >= expires) return reject('key-expired', `The key expired at ${timeText(expires)}.`);
  return undefined;
}

/** `2026-11-29T14:35:00Z` */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/**
 * Asks `rateLimit` about a request, and remembers what its key has left. Throws, or rejects with, ProblemError (429)
 * where the key has to wait.
 */
function enforceRateLimit(
  rateLimit: RateLimit,
  { id, owner, rate }: KeyRecord,
  context: RequestContext,
): void | Promise<void> {
  const { head, requestId } = context;
  return whenReady(rateLimit({ keyId: id, owner, rate, path: head.path, requestId }), (decision) => {
    context.allowance = decision?.allowance;
    if (decision?.retryAfterSeconds === undefined) return;
    const seconds = `${Math.max(1, Math.ceil(decision.retryAfterSeconds))}`;
    const detail = `The key has made too many requests; try again in ${seconds} s.`;
    throw new ProblemError(429, 'rate-limited', detail, { headers: { 'retry-after': seconds } });
  });
}

/** Looks what a key has left today. Throws, or rejects with, ProblemError (429) where that is nothing. */
function enforceQuota(
  usage: UsageMeter,
  record: KeyRecord,
  context: RequestContext,
  sourceErrors: SourceErrorLog,
): void | Promise<void> {
  return whenReady(
    sourceErrors.guard('usage', () => usage.quotaOf(record)),
    (quota) => {
      context.quota = quota;
      if (quota === undefined || quota.left > 0) return;
      const detail = `The key has used its quota of ${quota.quota} for this day; it begins anew at 00:00 UTC.`;
      const headers = { 'retry-after': `${Math.max(1, Math.ceil(quota.resetSeconds))}` };
      throw new ProblemError(429, 'quota-exceeded', detail, { headers });
    },
  );
}

/**
 * Finds the stored location that a segment of a path names. Throws, or rejects with, the same ProblemError (404) where
 * the segment is not an id and where `owner` has no location with that id.
 */
export function findStoredLocation(
  segment: string,
  owner: string,
  locations: LocationStore | undefined,
  sourceErrors: SourceErrorLog,
): StoredLocation | Promise<StoredLocation> {
  const id = locationId(segment);
  const found =
    id === undefined || locations === undefined
      ? undefined
      : sourceErrors.guard('locations', () => locations.find(id, owner));
  return whenReady(found, (location) => {
    if (location !== undefined) return location;
    throw new ProblemError(404, 'location-not-found', 'There is no stored location with this id.');
  });
}

function locationId(segment: string): string | undefined {
  let id: string;
  try {
    id = decodeURIComponent(segment);
  } catch {
    return undefined;
  }
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : undefined;
}
