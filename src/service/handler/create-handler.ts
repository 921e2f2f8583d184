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
 *
 * @example
 * ```js
 * import { createHandler, memoryDataset, memoryKeys, memorySource } from 'plumecast/service';
 *
 * const places = { latitude: Float64Array.of(37.25), longitude: Float64Array.of(-80) };
 * const rain = { firstDay: 20_514, days: 7, members: 2, values: Float32Array.from({ length: 14 }, (_, i) => i) };
 * const timeline = memoryDataset({ revision: 'run-1', ...places, variables: { precipitation: rain } });
 * const run = { initTime: '2026-03-02T00:00:00Z', version: 'a', generation: 'run-1', timeline, horizons: {} };
 * const keys = memoryKeys([{ id: 'key-1', owner: 'me', downscaling: false, key: 'a key' }]);
 * const handler = createHandler({ source: memorySource({ forecast: run }), keys }); // Request to Response
 *
 * const url = 'http://localhost/v2/forecast/statistics?lat=37.25&lon=-80&granularity=weekly&statistics=0.5';
 * const response = await handler(new Request(url, { headers: { 'X-Api-Key': 'a key' } }));
 * console.log((await response.json()).variables.precipitation.statistics);
 * ```
 *
 * ```text
 * { '2026-W10': { mean: 45.5, q50: 45.5 } }
 * ```
 */
export function createHandler(options: HandlerOptions): Handler {
  const { reply, state } = createReplies(options);
  const handle = async (request: Request) => {
    const head = new FetchHead(request);
    return toResponse(await reply(head), head.method);
  };
  return Object.assign(handle, { reply, state });
}
