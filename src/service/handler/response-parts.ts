import { OptionError } from '../../errors.js';
import { LongBody } from './long-body.js';

/** What differs from one response to another. */
export interface ResponseParts {
  readonly status: number;
  /** Names in lower case. The object belongs to the reply: headers that all replies have are added to it. */
  readonly headers: Record<string, string>;
  /** Undefined where the status allows none. */
  readonly body: Uint8Array | LongBody | undefined;
}

/** The request headers that a response depends on besides the path and query. */
const VARY = 'Accept, X-Api-Key, Origin';

/** Adds the headers that all responses have; `origin` is the header of the request. */
export function addCommonHeaders({ headers, body }: ResponseParts, origin: string | null, allow: AllowOrigin): void {
  headers.vary = VARY;
  const allowed = allow(origin);
  if (allowed !== undefined) {
    headers['access-control-allow-origin'] = allowed;
    headers['access-control-expose-headers'] = 'ETag, Retry-After';
  }
  if (body instanceof Uint8Array) headers['content-length'] = `${body.byteLength}`;
}

/** Makes the response of the Fetch API; leaves the body out for HEAD. */
export function toResponse({ status, headers, body }: ResponseParts, method: string): Response {
  const isHead = method === 'HEAD';
  if (body instanceof LongBody) {
    if (isHead) body.drop();
    return new Response(isHead ? null : body.stream(), { status, headers });
  }
  return new Response(isHead || body === undefined ? null : (body as Uint8Array<ArrayBuffer>), { status, headers });
}

/** A reply of JSON. */
export function jsonReply(status: number, headers: Record<string, string>, value: unknown): ResponseParts {
  return { status, headers, body: new TextEncoder().encode(JSON.stringify(value)) };
}

/** Which web pages may read responses. */
export interface CorsOptions {
  /** `*` for all, or a list of origins such as `https://example.org`. */
  readonly origins: '*' | readonly string[];
}

/** The `Access-Control-Allow-Origin` for an `Origin` header; undefined where the page may not read. */
export type AllowOrigin = (origin: string | null) => string | undefined;

/** Checks `options`. Throws OptionError where `origins` is neither `*` nor a list of origins. */
export function allowOrigin(cors: CorsOptions = { origins: '*' }): AllowOrigin {
  const { origins } = cors;
  if (origins === '*') return () => '*';
  if (!Array.isArray(origins) || !origins.every(isOrigin)) {
    throw new OptionError({
      subject: 'cors.origins',
      problem: 'is not a list of origins',
      received: origins,
      allowed: "'*', or origins such as 'https://example.org', without a path",
    });
  }
  const allowed = new Set<string>(origins);
  return (origin) => (origin !== null && allowed.has(origin) ? origin : undefined);
}

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,]+$/.test(text);
}
