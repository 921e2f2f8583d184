import { withinTime } from '../../check/within-time.js';
import { FileError, OptionError } from '../../errors.js';
import { ByteFeed, readPieces } from '../byte-source.js';
import { addressOf, type Elsewhere, retry, sendRequest, unreachable, withoutCredentials } from '../http-requests.js';
import type { CachePolicy } from '../remote/cache-policy.js';
import { type CachedSend, sendCached } from '../remote/send-cached.js';
import type {
  ByteRange,
  EndBytes,
  ExpectedObject,
  StoreKey,
  StoreReadOptions,
  VersionedBytes,
  ZarrStore,
} from './zarr-store.js';

/** How a store is read over HTTP. */
export interface HttpStoreOptions {
  /** Sent with every request, to the origin of the store alone: a redirect to another one is an error. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Replaces the runtime's own, for example to sign requests. Redirects are left to the store (`redirect: 'manual'`): it
   * follows those within its origin. A function that sends nothing secret may follow all, by `redirect: 'follow'`.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Statuses for values that do not exist: 404, and also 403 for a bucket that cannot be listed. Default [404]. */
  readonly missingStatuses?: readonly number[];
  /** The time limit of a response, including its body: 30 seconds by default. */
  readonly timeoutSeconds?: number;
  /** How often a request is repeated after a temporary failure (408, 429, 5xx, network): 3 times by default. */
  readonly retries?: number;
}

/** Options for other origins, which get nothing that may be secret. */
function withoutSecrets({ headers: _, fetch: __, ...others }: HttpStoreOptions): HttpStoreOptions {
  return others;
}

/** Opens the objects below an address. Throws FileError for one that is no web address. */
export function httpObjects(prefix: URL, options: HttpStoreOptions = {}): ZarrStore {
  if (/^https?:$/.test(prefix.protocol)) return new HttpStore(prefix, options);
  const allowed = 'https: and http:, and files for a store in a folder';
  throw new FileError({ subject: prefix.href, problem: 'addresses of this kind are not read', allowed });
}

/** The status for a range that lies beyond the end of a value. */
const RANGE_NOT_SATISFIABLE = 416;

/** A store of files on a web server. */
export class HttpStore implements ZarrStore {
  /** The address without parts that may be secret. */
  readonly source: string;
  readonly location: URL;
  readonly #base: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #send: (request: Request, policy: CachePolicy) => Promise<Response>;
  readonly #elsewhere: Elsewhere;
  readonly #missing: readonly number[];
  readonly #timeout: number;
  readonly #retries: number;
  readonly #options: HttpStoreOptions;

  constructor(url: URL, options: HttpStoreOptions) {
    const { headers = {}, missingStatuses = [404], timeoutSeconds = 30, retries = 3 } = options;
    this.#options = options;
    assertSendable(headers);
    const base = withoutCredentials(url);
    this.#headers = { ...headers, ...base.headers };
    this.#base = base.url;
    this.location = new URL(base.url);
    this.location.search = '';
    if (!this.location.pathname.endsWith('/')) this.location.pathname += '/';
    this.source = addressOf(url);
    const { fetch: own } = options;
    // A function of the caller gets nothing but the request.
    const send = own && 'isCached' in own ? (own as CachedSend) : own && ((request: Request) => own(request));
    this.#send = send ?? sendCached;
    const isOwn = options.fetch !== undefined || Object.keys(headers).length > 0;
    this.#elsewhere = isOwn ? 'nothing' : 'authorization' in base.headers ? 'without-credentials' : 'same';
    this.#missing = missingStatuses;
    this.#timeout = 1000 * timeoutSeconds;
    this.#retries = retries;
  }

  below(prefix: URL): ZarrStore {
    return httpObjects(prefix, prefix.origin === this.#base.origin ? this.#options : withoutSecrets(this.#options));
  }

  async get(key: StoreKey, options?: StoreReadOptions): Promise<Uint8Array | undefined> {
    return (await this.getVersioned(key, options))?.bytes;
  }

  async getVersioned(key: StoreKey, options?: StoreReadOptions): Promise<VersionedBytes | undefined> {
    const found = await this.#request(key, {}, options);
    if (found === undefined) return undefined;
    const { bytes, response } = found;
    const version = response.headers.get('etag') ?? response.headers.get('last-modified') ?? '';
    return { bytes, version };
  }

  async getRange(key: StoreKey, range: ByteRange, options?: StoreReadOptions): Promise<Uint8Array | undefined> {
    if ('suffixLength' in range) return (await this.getEnd(key, range.suffixLength, options))?.bytes;
    if (range.length === 0) return new Uint8Array();
    const end = range.offset + range.length;
    const found = await this.#request(key, { range: `bytes=${range.offset}-${end - 1}` }, options);
    // Servers may send the entire value instead.
    return found?.response.status === 200 ? found.bytes.subarray(range.offset, end) : found?.bytes;
  }

  async getEnd(key: StoreKey, length: number, options?: StoreReadOptions): Promise<EndBytes | undefined> {
    const found = await this.#request(key, { range: `bytes=-${length}` }, options);
    if (found === undefined) return undefined;
    const { bytes, response } = found;
    if (response.status === 200) return { bytes: bytes.subarray(-length), size: bytes.length };
    const [, size] = /^bytes .*\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
    return { bytes, ...(size !== undefined && { size: Number(size) }) };
  }

  /** Undefined if there is no such value. */
  async #request(
    key: StoreKey,
    headers: Readonly<Record<string, string>>,
    { signal, maxBytes = Number.POSITIVE_INFINITY, expected = {}, isImmutable }: StoreReadOptions = {},
  ) {
    const url = new URL(this.#base);
    url.pathname = url.pathname.replace(/\/+$/, '') + key.split('/').map(encodeURIComponent).join('/');
    const attempt = () =>
      withinTime({ timeoutMs: this.#timeout, signal }, async (ending) => {
        const request = new Request(url, { headers: { ...this.#headers, ...headers }, signal: ending });
        const response = await sendRequest(request, (each) => this.#send(each, { isImmutable }), this.#elsewhere);
        if (response.ok) assertUnchanged(response, expected, addressOf(url));
        if (response.ok) return { response, bytes: await readBody(response, maxBytes, addressOf(url)) };
        await response.body?.cancel();
        return { response, bytes: new Uint8Array() };
      });
    const found = await retry(attempt, this.#retries, signal).catch((cause) => {
      throw signal?.aborted === true ? cause : unreachable(addressOf(url), cause);
    });
    const { status, ok } = found.response;
    if (ok || status === RANGE_NOT_SATISFIABLE) return found;
    if (this.#missing.includes(status)) return undefined;
    throw rejected(addressOf(url), found.response);
  }
}

/** Throws FileError for an object that is another one than was referred to, as far as its server says. */
function assertUnchanged({ headers }: Response, { etag, lastModified }: ExpectedObject, subject: string): void {
  const found = headers.get('etag');
  const changed = Date.parse(headers.get('last-modified') ?? '') / 1000;
  const isOther = etag !== undefined && found !== null && bareTag(found) !== bareTag(etag);
  if (!isOther && !(lastModified !== undefined && changed > lastModified)) return;
  const received = isOther ? found : headers.get('last-modified');
  const allowed = isOther ? etag : `at most ${new Date(1000 * (lastModified as number)).toUTCString()}`;
  throw new FileError({ subject, problem: 'was changed since it was referred to', received, allowed });
}

/** An ETag without its quotes, and the mark of a weak one. */
function bareTag(tag: string): string {
  return tag.replace(/^W\//, '').replaceAll('"', '');
}

/** Reads a body to its end. Throws FileError, and reads no further, where it is longer than `maxBytes`. */
async function readBody(response: Response, maxBytes: number, subject: string): Promise<Uint8Array> {
  const stated = statedBytes(response);
  const body = new ByteFeed(readPieces(response.body ?? []));
  try {
    if (stated <= maxBytes && !(await body.has(maxBytes + 1))) return body.takeUpTo(Number.POSITIVE_INFINITY);
  } finally {
    await body.close();
  }
  const received = stated > maxBytes ? `${stated} bytes` : `more than ${maxBytes} bytes`;
  throw new FileError({ subject, problem: 'is too long', received, allowed: `at most ${maxBytes} bytes` });
}

/** The bytes that a response says to have; 0 where it does not say, or is compressed on its way. */
function statedBytes({ headers }: Response): number {
  return headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
}

/** Throws OptionError for headers that cannot be sent; it does not repeat them, as they may be secret. */
function assertSendable(headers: Readonly<Record<string, string>>): void {
  try {
    new Headers(headers);
  } catch {
    const allowed = 'texts on one line by the names of headers';
    throw new OptionError({ subject: 'headers', problem: 'cannot be sent', allowed });
  }
}

function rejected(subject: string, { status, statusText }: Response): FileError {
  const allowed =
    status === 403
      ? 'a permitted request; missingStatuses: [403, 404] where the server answers so for what is not there'
      : 'a server that answers 200, 206 or 404';
  return new FileError({
    subject,
    problem: 'cannot be read: the server rejected the request',
    received: `${status} ${statusText}`.trim(),
    allowed,
  });
}
