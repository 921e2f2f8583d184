import { addressOf, type Elsewhere, retry, sendRequest, unreachable, withoutCredentials } from '../http-requests.js';
import type { CachePolicy } from './cache-policy.js';
import { type CachedSend, sendCached } from './send-cached.js';

/** How a server is asked. */
export interface RemoteOptions {
  /** The longest pause before a response and between its parts, in milliseconds. */
  readonly pauseMs?: number;
  /** How often a request is repeated after a temporary failure. */
  readonly retries?: number;
  readonly signal?: AbortSignal | undefined;
  /** What may be taken from the cache. */
  readonly cached?: CachePolicy | undefined;
}

const PAUSE_MS = 60_000;
const RETRIES = 3;
/** Servers that give several formats are asked for those that keep numbers as they are. */
const ACCEPT = 'application/vnd.apache.arrow.stream, text/csv;q=0.9, */*;q=0.8';

/** Where an object is, and how requests for it are sent. */
export interface RemoteAddress {
  /** The address for messages: without user, password and query. */
  readonly source: string;
  /** Without user and password. */
  readonly url: URL;
  /** Sent with each request, to the origin of the address alone. */
  readonly headers: Readonly<Record<string, string>>;
  readonly elsewhere: Elsewhere;
  /** Signs a request, by default a GET; its headers are for this request alone. */
  sign?(url: URL, headers: Headers, method?: string): Promise<Headers>;
}

/** An address of HTTP; its user and password become a header. */
export function httpRemote(given: URL): RemoteAddress {
  const { url, headers } = withoutCredentials(given);
  const elsewhere = 'authorization' in headers ? 'without-credentials' : 'same';
  return { source: addressOf(url), url, headers, elsewhere };
}

/** Sends requests that are signed, through the cache. */
export function signed(sign: NonNullable<RemoteAddress['sign']>): CachedSend {
  const send = async (request: Request, policy: CachePolicy = {}) => {
    const headers = await sign(new URL(request.url), request.headers);
    return sendCached(new Request(request, { headers }), policy);
  };
  return Object.assign(send, { isCached: true } as const);
}

/** A response, and how the rest of its body is waited for. */
export interface RemoteResponse {
  readonly response: Response;
  /** The pieces of the body. Rejects where nothing comes for too long, or the connection ends. */
  pieces(): AsyncGenerator<Uint8Array>;
}

/**
 * Requests an object. `read` takes what is needed of the response, in time: where it fails by another error than
 * FileError, the request is repeated. Throws FileError where the server cannot be reached.
 */
export async function requestRemote<T>(
  { source, url, headers, elsewhere, sign }: RemoteAddress,
  requested: Readonly<Record<string, string>>,
  { pauseMs = PAUSE_MS, retries = RETRIES, signal, cached = {} }: RemoteOptions,
  read: (answer: RemoteResponse) => Promise<T>,
): Promise<T> {
  const send = (request: Request) => sendCached(request, cached);
  const attempt = async () => {
    const ending = new AbortController();
    const watch = new PauseWatch(ending, pauseMs);
    const abort = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      signal?.throwIfAborted();
      const all = new Headers({ accept: ACCEPT, ...headers, ...requested });
      const signed = sign === undefined ? all : await sign(url, all);
      const request = new Request(url, { headers: signed, signal: ending.signal });
      // Signatures and tokens are for one server.
      const isSigned = sign !== undefined && signed.has('authorization');
      const response = await watch.during(sendRequest(request, send, isSigned ? 'nothing' : elsewhere));
      return { response, result: await read({ response, pieces: () => piecesOf(response, watch) }) };
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  };
  const { result } = await retry(attempt, retries, signal).catch((cause) => {
    throw signal?.aborted ? signal.reason : unreachable(source, cause);
  });
  return result;
}

async function* piecesOf({ body }: Response, watch: PauseWatch): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await watch.during(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Ends requests in which nothing happens. */
class PauseWatch {
  readonly #ending: AbortController;
  readonly #pauseMs: number;

  constructor(ending: AbortController, pauseMs: number) {
    this.#ending = ending;
    this.#pauseMs = pauseMs;
  }

  async during<T>(step: Promise<T>): Promise<T> {
    const end = () => this.#ending.abort(new DOMException(`nothing within ${this.#pauseMs} ms`, 'TimeoutError'));
    const timer = setTimeout(end, this.#pauseMs);
    try {
      return await step;
    } finally {
      clearTimeout(timer);
    }
  }
}
