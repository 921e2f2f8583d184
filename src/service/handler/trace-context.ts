import type { RequestHead } from './request-head.js';

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

/** So many UUIDs differ in their last digits only. */
const UUIDS = 4096;
const LAST_DIGITS = 3;

/** Gives requests their ids. */
export class RequestIds {
  #uuid = '';
  #used = UUIDS;
  readonly #endings = Array.from({ length: UUIDS }, (_, i) => i.toString(16).padStart(LAST_DIGITS, '0'));

  /** The id of a request: its `X-Request-Id` of 1 to 128 of `A-Z a-z 0-9 _ . : / + = @ -`, else a new UUID. */
  idOf(head: RequestHead): string {
    const received = head.header('x-request-id');
    return received !== null && REQUEST_ID.test(received) ? received : this.#next();
  }

  /** A random UUID, or one after it: an id need not be a secret, and random bits take longer than all else of it. */
  #next(): string {
    if (this.#used === UUIDS) {
      this.#uuid = crypto.randomUUID().slice(0, -LAST_DIGITS);
      this.#used = 0;
    }
    return this.#uuid + this.#endings[this.#used++];
  }
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
