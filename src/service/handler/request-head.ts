/** The headers that the service reads: a listener gives exactly these. */
export type RequestHeader =
  | ('accept' | 'accept-encoding' | 'if-none-match' | 'origin' | 'x-api-key')
  | ('x-request-id' | 'traceparent' | 'tracestate' | 'user-agent')
  | ('content-type' | 'mcp-protocol-version');

/** What a request says, whatever server it came through. Nothing is decoded. */
export interface RequestHead {
  /** In upper case. */
  readonly method: string;
  /** As written in the URL. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Whether its target or its Host header makes no URL: it has no path and no query then. */
  readonly isUnreadable?: boolean;
  /** Whether its client had gone before its turn: nothing is computed for it, and nothing sent. */
  readonly isGone?: boolean;
  /** The address of the client, where the listener knows it. It is read only for logs and for unknown keys. */
  readonly client?: string | undefined;
  /** Shows that the client has gone. It is read only where a request waits. */
  readonly signal?: AbortSignal | undefined;
  /** Reads the body; undefined where it is longer than `maxBytes`. It is called for messages of assistants alone. */
  body?(maxBytes: number): Promise<Uint8Array | undefined>;
  /** The value of a header, the values of several lines joined by `, `; null where there is none. */
  header(name: RequestHeader): string | null;
}

/** The pieces of a body, up to a size. */
export class BodyChunks {
  readonly #chunks: Uint8Array[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False where the body is too long. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.byteLength;
    this.#chunks.push(chunk);
    return this.#bytes <= this.#maxBytes;
  }

  joined(): Uint8Array {
    const all = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.byteLength;
    }
    return all;
  }
}

/** The head of a request of the Fetch API. */
export class FetchHead implements RequestHead {
  readonly path: string;
  readonly query: string;
  readonly #request: Request;

  constructor(request: Request) {
    const { path, query } = requestTarget(request.url);
    this.path = path;
    this.query = query;
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get signal(): AbortSignal | undefined {
    return this.#request.signal;
  }

  header(name: RequestHeader): string | null {
    return this.#request.headers.get(name);
  }

  async body(maxBytes: number): Promise<Uint8Array | undefined> {
    const { body } = this.#request;
    const chunks = new BodyChunks(maxBytes);
    if (body !== null) {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) if (!chunks.add(chunk)) return undefined;
    }
    return chunks.joined();
  }
}

/** The path and the query of an absolute URL, as written there: nothing is decoded. */
export function requestTarget(url: string): { path: string; query: string } {
  const hash = url.indexOf('#');
  const end = hash < 0 ? url.length : hash;
  const authority = url.indexOf('://') + 3;
  const mark = url.indexOf('?', authority);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const slash = url.indexOf('/', authority);
  return {
    path: slash < 0 || slash >= pathEnd ? '/' : url.slice(slash, pathEnd),
    query: pathEnd < end ? url.slice(pathEnd + 1, end) : '',
  };
}
