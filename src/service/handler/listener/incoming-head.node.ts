import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyChunks, type RequestHead, type RequestHeader, requestTarget } from '../request-head.js';
import type { ClientAddress } from './client-address.node.js';
import { findHeader, firstHeader } from './raw-headers.js';

/**
 * The head of a request of `node:http`, read from its raw URL and header lines: no objects of the Fetch API, and no list
 * of all headers, are made.
 */
export class IncomingHead implements RequestHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly isUnreadable: boolean;
  readonly isGone: boolean;
  readonly #rawHeaders: readonly string[];
  readonly #response: ServerResponse;
  readonly #request: IncomingMessage;
  readonly #clientOf: ClientAddress;
  #signal: AbortSignal | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, isGone: boolean, clientOf: ClientAddress) {
    const target = readTarget(request);
    this.method = request.method as string;
    this.path = target?.path ?? '';
    this.query = target?.query ?? '';
    this.isUnreadable = target === undefined;
    this.isGone = isGone;
    this.#rawHeaders = request.rawHeaders;
    this.#response = response;
    this.#request = request;
    this.#clientOf = clientOf;
  }

  get client(): string | undefined {
    return this.#clientOf(this.#request);
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#response);
    return this.#signal;
  }

  header(name: RequestHeader): string | null {
    return findHeader(this.#rawHeaders, name);
  }

  body(maxBytes: number): Promise<Uint8Array | undefined> {
    const request = this.#request;
    const chunks = new BodyChunks(maxBytes);
    return new Promise((resolve, reject) => {
      const add = (chunk: Uint8Array) => {
        if (chunks.add(chunk)) return;
        // What follows is not kept, and the connection ends with the response.
        request.off('data', add).resume();
        resolve(undefined);
      };
      request.on('data', add);
      request.once('end', () => resolve(chunks.joined()));
      request.once('error', reject);
      request.once('close', () => reject(new Error('the request has ended early')));
    });
  }
}

/** What a request is about: its path and its query, as written. */
interface Target {
  readonly path: string;
  readonly query: string;
}

/** A path that every reader of URLs leaves as it is, unless it has a segment `.` or `..`; and such a query. */
const PLAIN_TARGET = /^(\/[\w\-.~!$&()*+,;=:@/]*)(?:\?([\w\-.~!$&()*+,;=:@/?%[\]]*))?$/;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;
/** A host whose URL has the same host. */
const PLAIN_HOST = /^[a-z\d._-]+(?::[1-9]\d{3,4})?$/;

/**
 * The path and the query of a request, as a URL has them. Undefined where its target or its header `Host` makes no URL.
 * Unusual ones are read by `URL`, as the Fetch API does.
 */
function readTarget({ url = '', rawHeaders }: IncomingMessage): Target | undefined {
  const host = firstHeader(rawHeaders, 'host') || 'localhost';
  const plain = PLAIN_TARGET.exec(url);
  if (plain !== null && !DOT_SEGMENT.test(plain[1]) && PLAIN_HOST.test(host)) {
    return { path: plain[1], query: plain[2] ?? '' };
  }
  return unusualTarget(url, host);
}

function unusualTarget(url: string, host: string): Target | undefined {
  const isAbsolute = /^https?:\/\//.test(url);
  if (!isAbsolute && !url.startsWith('/')) return undefined;
  try {
    if (isAbsolute) return requestTarget(new URL(url).href);
    const { href, hostname } = new URL(`http://${host}${url}`);
    // A host with anything else in it, such as a path, would change what is requested.
    const isHost = hostname.length === host.length || hostname === host.replace(/:\d+$/, '').toLowerCase();
    return isHost ? requestTarget(href) : undefined;
  } catch {
    return undefined;
  }
}

/** Aborted when the connection has closed before the response is complete. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const close = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) close();
  else response.once('close', close);
  return controller.signal;
}
