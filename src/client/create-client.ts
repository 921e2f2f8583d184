import { RedirectFault, sendWithinOrigin } from '../check/same-origin.js';
import { withinTime } from '../check/within-time.js';
import { type Ask, type AskOptions, checkAskOptions } from './ask-options.js';
import type { ForecastMembers, ForecastStatistics, History, Points } from './bodies.js';
import {
  addHeaders,
  type ClientOptions,
  checkOptions,
  checkRetries,
  checkTimeout,
  createHeaders,
  parseBaseUrl,
} from './client-options.js';
import {
  type AnyQuery,
  type ForecastQuery,
  formatQuery,
  type HistoryQuery,
  type PointsQuery,
  type StatisticsQuery,
} from './queries.js';
import { type AnswerForm, type Forms, MEDIA_TYPES, readAnswer, readProblem } from './read-response.js';
import { readResponseInfo } from './response-info.js';
import { pause, retrySeconds } from './retry-after.js';
import { ServiceError } from './service-error.js';
import type { V1Client, V1Endpoints } from './v1-endpoints.js';

/**
 * A client of a weather service. Each call is one request, and rejects with ServiceError where the service does not
 * answer it. Without the option `retries` it is not sent again: `retryAfterSeconds` of the error states when that is useful.
 */
export interface Client {
  /** The members of the blended forecast, day by day; of one point, or of several. */
  forecast<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: ForecastQuery<Slug>,
    options?: AskOptions<Form>,
  ): Promise<Forms<ForecastMembers<Slug>>[Form]>;
  forecast<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: PointsQuery<ForecastQuery<Slug>>,
    options?: AskOptions<Form>,
  ): Promise<Forms<Points<ForecastMembers<Slug>>>[Form]>;
  /** Mean and quantiles over the members of the blended forecast, and shares of members, by day, week or month. */
  forecastStatistics<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: StatisticsQuery<Slug>,
    options?: AskOptions<Form>,
  ): Promise<Forms<ForecastStatistics<Slug>>[Form]>;
  forecastStatistics<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: PointsQuery<StatisticsQuery<Slug>>,
    options?: AskOptions<Form>,
  ): Promise<Forms<Points<ForecastStatistics<Slug>>>[Form]>;
  /** The observed or reanalysed weather, by day, week or month. */
  history<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: HistoryQuery<Slug>,
    options?: AskOptions<Form>,
  ): Promise<Forms<History<Slug>>[Form]>;
  history<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: PointsQuery<HistoryQuery<Slug>>,
    options?: AskOptions<Form>,
  ): Promise<Forms<Points<History<Slug>>>[Form]>;
}

/**
 * Creates a client of the service at `baseUrl`. Throws OptionError for an invalid address, key or time limit.
 *
 * @example
 * ```js
 * import { createClient } from 'plumecast/client';
 *
 * // A service may be called by its handler, too; here it is one line.
 * const fetch = async () => Response.json({ variables: {} }, { headers: { 'x-request-id': 'id-1' } });
 * const client = createClient({ baseUrl: 'https://example.org/weather', apiKey: 'a key', fetch });
 * const { variables } = await client.forecastStatistics({ latitude: 37.3, longitude: -79.8, granularity: 'weekly' });
 * console.log(variables);
 * ```
 *
 * ```text
 * {}
 * ```
 */
export function createClient(
  clientOptions: ClientOptions & { readonly v1: V1Endpoints },
): Client & { readonly v1: V1Client };
export function createClient(clientOptions: ClientOptions): Client;
export function createClient(clientOptions: ClientOptions): Client & { readonly v1?: V1Client } {
  checkOptions(clientOptions);
  const baseUrl = parseBaseUrl(clientOptions.baseUrl);
  const headers = createHeaders(clientOptions);
  const timeoutMs = checkTimeout(clientOptions.timeoutMs);
  const retries = checkRetries(clientOptions.retries);
  const send = clientOptions.fetch ?? ((request: Request) => fetch(request));
  /** The entity tags of answers that the caller still holds. */
  const tags = new WeakMap<object, string>();

  const request: Ask = async (target, options = {}) => {
    checkAskOptions(options);
    const url = baseUrl + target();
    const all = addHeaders(headers, options.headers);
    for (let sent = 0; ; sent++) {
      try {
        return await withinTime({ timeoutMs, signal: options.signal }, async (signal) =>
          fetchAnswer(new Request(url, { headers: all, signal, redirect: 'manual' }), options),
        );
      } catch (cause) {
        options.signal?.throwIfAborted();
        const error = cause instanceof ServiceError ? cause : toServiceError(cause);
        const seconds = sent < retries ? retrySeconds(error, sent) : undefined;
        if (seconds === undefined) throw error;
        await pause(seconds, options.signal);
        options.signal?.throwIfAborted();
      }
    }
  };

  async function fetchAnswer(toSend: Request, { as = 'json', previous }: AskOptions<AnswerForm>): Promise<unknown> {
    toSend.headers.set('accept', MEDIA_TYPES[as]);
    const tag = previous && tags.get(previous);
    if (tag !== undefined) toSend.headers.set('if-none-match', tag);
    const response = await sendWithinOrigin(toSend, send);
    if (response instanceof RedirectFault) throw redirected(response);
    report(response);
    if (response.status === 304 && tag !== undefined) return previous;
    if (response.status !== 200) throw await readProblem(response);
    const body = await readAnswer(response, as);
    remember(body, response.headers.get('etag'));
    return body;
  }

  function report(response: Response): void {
    try {
      clientOptions.onResponse?.(readResponseInfo(response));
    } catch {}
  }

  function remember(body: unknown, tag: string | null): void {
    if (body instanceof Object && tag !== null) tags.set(body, tag);
  }

  function redirected({ from, to, problem }: RedirectFault): ServiceError {
    const address = to === undefined ? '' : `, ${to.protocol}//${to.host}${to.pathname}`;
    const remedy = 'The key is sent to the origin of baseUrl alone: where the service has moved, give its new address.';
    return new ServiceError({ code: 'redirected', detail: `${from.origin} ${problem}${address}. ${remedy}` });
  }

  function toServiceError(cause: unknown): ServiceError {
    if (cause instanceof Error && cause.name === 'TimeoutError') {
      return new ServiceError({ code: 'timeout', detail: `There was no answer within ${timeoutMs} ms.`, cause });
    }
    return new ServiceError({ code: 'unreachable', detail: `${baseUrl} was not reached: ${cause}`, cause });
  }

  const endpoint = (path: string) => (query: AnyQuery, options?: AskOptions<AnswerForm>) =>
    request(() => `${path}?${formatQuery(query)}`, options);
  return {
    forecast: endpoint('/v2/forecast'),
    forecastStatistics: endpoint('/v2/forecast/statistics'),
    history: endpoint('/v2/history'),
    ...(clientOptions.v1 && { v1: clientOptions.v1(request) }),
  } as Client;
}
