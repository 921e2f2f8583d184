import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** A response as it came. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HttpOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: a connection of its own. */
  readonly agent?: Agent;
}

/**
 * Sends a request by node:http, with its path as it is written; rejects where there is no complete response within a minute.
 */
export function httpRequest(
  address: string,
  path: string,
  { body, agent = new Agent({ keepAlive: false }), ...options }: HttpOptions = {},
): Promise<HttpResponse> {
  const { hostname, port } = new URL(address);
  return new Promise((done, failed) => {
    const sent = request(
      { hostname, port, path, agent, signal: AbortSignal.timeout(60_000), ...options },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.once('error', failed);
        response.once('end', () => {
          done({ status: response.statusCode as number, headers: response.headers, body: Buffer.concat(parts) });
        });
      },
    );
    sent.once('error', failed);
    sent.end(body);
  });
}
