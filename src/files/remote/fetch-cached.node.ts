import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { addressOf } from '../http-requests.js';
import type { CachePolicy } from './cache-policy.js';
import { DiskCache, type Kept, type KeptHead } from './disk-cache.node.js';

const DEFAULT_BYTES = 2_000_000_000;
/** Caches that are open, by their folders. */
const caches = new Map<string, DiskCache>();

/** The cache in a folder: one for all that use it. */
export function openCache(folder: string, maxBytes = DEFAULT_BYTES): DiskCache {
  const path = resolve(folder);
  const cache = caches.get(path) ?? new DiskCache(path, maxBytes);
  caches.set(path, cache);
  return cache;
}

/** The headers of a response that readers look at. */
const HEADERS = ['content-type', 'content-length', 'content-range', 'etag', 'last-modified'];
/** Times of a change have seconds: one that is younger may have been followed by another one (RFC 9110, section 8.8.2.2). */
const SURE_MS = 60_000;
/** An object counts as unchanged for a tenth of the time that it has not been changed (RFC 9111, section 4.2.2). */
const FRESH_SHARE = 1 / 10;

/**
 * Sends a request for an object, or a range of it, unless a folder has what it gives: of an object that never changes; of
 * the version that the request names by If-Match; of one that counts as unchanged. Otherwise the server is asked whether it
 * was changed. Rejects as `fetch` does.
 */
export async function fetchCached(
  request: Request,
  { isImmutable = false, freshMs = 0, isReload = false, onAnswer }: CachePolicy,
  folder: string,
  maxBytes?: number,
): Promise<Response> {
  const cache = openCache(folder, maxBytes);
  const key = keyOf(request);
  const kept = isReload ? undefined : await cache.read(key);
  const wanted = request.headers.get('if-match');
  const tag = kept?.head.headers.etag;
  if (kept !== undefined) {
    if (isImmutable || (wanted !== null && wanted === tag)) return responseOf(kept);
    if (isFresh(kept.head, freshMs)) {
      onAnswer?.('fresh');
      return responseOf(kept);
    }
  }
  // Of another version than the one that is wanted, it is of no use.
  const known = wanted === null ? kept : undefined;
  const response = await fetch(known === undefined ? request : conditional(request, known.head));
  if (response.ok || response.status === 304) onAnswer?.(response.ok ? 'new' : 'unchanged');
  if (known !== undefined && response.status === 304) {
    await response.body?.cancel();
    await cache.write(key, {
      ...known,
      head: { ...known.head, ...timesOf(response, known.head.headers['last-modified']) },
    });
    return responseOf(known);
  }
  const length = keptLength(request, response, isImmutable);
  if (length === undefined || length > cache.maxEntryBytes || response.body === null) return response;
  const head: KeptHead = {
    ...{ address: addressOf(new URL(request.url)), status: response.status, headers: headersOf(response) },
    ...timesOf(response),
  };
  const body = response.body.pipeThrough(collector(length, (bytes) => cache.write(key, { head, bytes })));
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** What a request is for, and by whose rights: what one may read is not for all. */
function keyOf({ url, headers }: Request): string {
  const authorization = headers.get('authorization') ?? '';
  // Signatures differ from request to request.
  const [, who = authorization] = /^AWS4-\S+ Credential=([^/,]+)/.exec(authorization) ?? [];
  const parts = [url, headers.get('range') ?? '', headers.get('accept') ?? '', who];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function conditional(request: Request, { headers: { etag, 'last-modified': modified } }: KeptHead): Request {
  const headers = new Headers(request.headers);
  if (etag !== undefined) headers.set('if-none-match', etag);
  else if (modified !== undefined) headers.set('if-modified-since', modified);
  return new Request(request, { headers });
}

function isFresh({ came, age = 0 }: KeptHead, freshMs: number): boolean {
  const passed = Date.now() - came;
  return passed >= 0 && passed < Math.min(freshMs, age * FRESH_SHARE);
}

function timesOf({ headers }: Response, before?: string): Pick<KeptHead, 'came' | 'age'> {
  const age = Date.parse(headers.get('date') ?? '') - Date.parse(headers.get('last-modified') ?? before ?? '');
  return { came: Date.now(), age: Number.isFinite(age) ? age : undefined };
}

function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) as string]] : [])),
  );
}

function responseOf({ head: { status, headers }, bytes }: Kept): Response {
  return new Response(bytes, { status, headers: { ...headers } });
}

/** The bytes of a response that may be kept; undefined for others: those that nothing tells from later ones. */
function keptLength(request: Request, { status, headers }: Response, isImmutable: boolean): number | undefined {
  const range = request.headers.get('range');
  if (headers.has('content-encoding') || /no-store/i.test(headers.get('cache-control') ?? '')) return undefined;
  if (status !== (range === null ? 200 : 206)) return undefined;
  const [, first, last] = /^bytes (\d+)-(\d+)\//i.exec(headers.get('content-range') ?? '') ?? [];
  const stated = headers.get('content-length');
  const length = range === null ? Number(stated ?? Number.NaN) : Number(last) - Number(first) + 1;
  if (!Number.isSafeInteger(length) || (stated !== null && Number(stated) !== length)) return undefined;
  const tag = headers.get('etag');
  const { age = 0 } = timesOf({ headers } as Response);
  // Parts of versions that are alike need not be the same bytes.
  const hasVersion = tag === null ? age >= SURE_MS : range === null || !tag.startsWith('W/');
  return isImmutable || hasVersion ? length : undefined;
}

/** Passes pieces on, and all of them at the end to `keep`, if they have the length that was stated. */
function collector(length: number, keep: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>) {
  const bytes = new Uint8Array(length);
  let at = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (at + piece.length <= length) bytes.set(piece, at);
      at += piece.length;
      controller.enqueue(piece);
    },
    flush: () => (at === length ? keep(bytes) : undefined),
  });
}
