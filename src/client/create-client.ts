import { withinTime } from '../check/within-time.js';
import { unusable } from '../errors.js';
import type { ForecastMembers, ForecastStatistics, History } from './bodies.js';
import { type ClientOptions, checkedBaseUrl, checkedHeaders, checkedTimeout, checkOptions } from './client-options.js';
import { type ForecastQuery, type HistoryQuery, queryString, type StatisticsQuery } from './queries.js';
import { type AnswerForm, type Forms, MEDIA_TYPES, readAnswer, readProblem } from './read-response.js';
import { ServiceError } from './service-error.js';

/** How to ask, beside what for. */
export interface AskOptions<Form extends AnswerForm = 'json'> {
  /** Ends the request: the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The form of the answer. Default: `json`. */
  readonly as?: Form;
  /** An answer of this client to the same query: where it still holds, it is not sent again, and this very object is given back. */
  readonly previous?: object;
}

/**
 * Asks a weather service. Each call is one request, and rejects with ServiceError where it is not answered; nothing is tried again
 * by itself: `retryAfterSeconds` of the error says when it is worth it.
 */
export interface Client {
  /** The members of the blended forecast, day by day. */
  forecast<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: ForecastQuery<Slug>,
    options?: AskOptions<Form>,
  ): Promise<Forms<ForecastMembers<Slug>>[Form]>;
  /** Mean and quantiles over the members of the blended forecast, by day, week or month. */
  forecastStatistics<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: StatisticsQuery<Slug>,
    options?: AskOptions<Form>,
  ): Promise<Forms<ForecastStatistics<Slug>>[Form]>;
  /** What was observed or reanalysed, by day, week or month. */
  history<const Slug extends string = string, Form extends AnswerForm = 'json'>(
    query: HistoryQuery<Slug>,
    options?: AskOptions<Form>,
  ): Promise<Forms<History<Slug>>[Form]>;
}

/** The query as text. Throws OptionError for a query of values that are none, and for options that cannot be used. */
function checkedQuery(query: StatisticsQuery, how: AskOptions<AnswerForm>): string {
  if (typeof how !== 'object' || how === null) throw unusable('options', how, '{ signal?, as?, previous? }');
  const { as = 'json', signal } = how;
  if (typeof as !== 'string' || !Object.hasOwn(MEDIA_TYPES, as))
    throw unusable('as', as, Object.keys(MEDIA_TYPES).join(', '));
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw unusable('signal', signal, 'an AbortSignal');
  }
  try {
    return queryString(query);
  } catch (cause) {
    throw unusable('query', query, `a query, such as { latitude: 37.3, longitude: -79.8 } (${cause})`);
  }
}

/** A client of the service at `baseUrl`. Throws OptionError for an address, a key or a time that is none. */
export function createClient(options: ClientOptions): Client {
  checkOptions(options);
  const baseUrl = checkedBaseUrl(options.baseUrl);
  const headers = checkedHeaders(options);
  const timeoutMs = checkedTimeout(options.timeoutMs);
  const send = options.fetch ?? ((request: Request) => fetch(request));
  /** The entity tags of answers, while somebody holds these. */
  const tags = new WeakMap<object, string>();

  const ask = async (path: string, query: StatisticsQuery, how: AskOptions<AnswerForm> = {}) => {
    const url = `${baseUrl}${path}?${checkedQuery(query, how)}`;
    try {
      return await withinTime({ timeoutMs, signal: how.signal }, async (signal) =>
        answer(new Request(url, { headers, signal }), how),
      );
    } catch (error) {
      how.signal?.throwIfAborted();
      throw error instanceof ServiceError ? error : notReached(error);
    }
  };

  async function answer(request: Request, { as = 'json', previous }: AskOptions<AnswerForm>): Promise<unknown> {
    request.headers.set('accept', MEDIA_TYPES[as]);
    const tag = previous && tags.get(previous);
    if (tag !== undefined) request.headers.set('if-none-match', tag);
    const response = await send(request);
    if (response.status === 304 && tag !== undefined) return previous;
    if (!response.ok) throw await readProblem(response);
    const body = await readAnswer(response, as);
    remember(body, response.headers.get('etag'));
    return body;
  }

  function remember(body: unknown, tag: string | null): void {
    if (typeof body === 'object' && body !== null && tag !== null) tags.set(body, tag);
  }

  function notReached(cause: unknown): ServiceError {
    if (cause instanceof Error && cause.name === 'TimeoutError') {
      return new ServiceError({ code: 'timeout', detail: `There was no answer within ${timeoutMs} ms.`, cause });
    }
    return new ServiceError({ code: 'unreachable', detail: `${baseUrl} was not reached: ${cause}`, cause });
  }

  return {
    forecast: (query, how) => ask('/v2/forecast', query, how),
    forecastStatistics: (query, how) => ask('/v2/forecast/statistics', query, how),
    history: (query, how) => ask('/v2/history', query, how),
  } as Client;
}
