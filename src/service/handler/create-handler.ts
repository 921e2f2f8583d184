import type { HandlerOptions } from './handler-options.js';
import { createReplies, type HandlerState, type Replies } from './replies.js';
import { FetchHead } from './request-head.js';
import { toResponse } from './response-parts.js';

/** Answers requests; never rejects. */
export interface Handler {
  (request: Request): Promise<Response>;
  /**
   * Answers the same without objects of the Fetch API: what listeners of servers call.
   *
   * @internal
   */
  readonly reply: Replies;
  /** What it holds and does now; what its source cannot tell is undefined. */
  readonly state: () => Promise<HandlerState>;
}

/**
 * The service as one function of a fetch `Request`, to be mounted in any server: every endpoint, the OpenAPI document
 * at `/openapi.json`, `/health` and `/ready`. `createListener` of `plumecast/service/node` mounts it in `node:http`.
 *
 * Path, method, key, parameters and data are checked in this order. Errors are `application/problem+json` of RFC 9457.
 * Throws OptionError for options that cannot be used.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { reply, state } = createReplies(options);
  const handle = async (request: Request) => {
    const head = new FetchHead(request);
    return toResponse(await reply(head), head.method);
  };
  return Object.assign(handle, { reply, state });
}
