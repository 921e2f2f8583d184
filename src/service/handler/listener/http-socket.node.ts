import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A socket of `node:http`, which keeps there the response that is being sent, or is to be sent next. Not documented, but
 * so in every version; to remember each response here would take a microsecond a request.
 */
export interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}
