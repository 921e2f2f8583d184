import type { ForecastMembers, ForecastStatistics, History } from './bodies.js';
import { type ClientOptions, checkedBaseUrl, checkedHeaders, checkedTimeout } from './client-options.js';
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

/** A client of the service at `baseUrl`. Throws OptionError for an address, a key or a time that is none. */
export function createClient(options: ClientOptions): Client {
  const baseUrl = checkedBaseUrl(options.baseUrl);
  const headers = checkedHeaders(options);
  const timeoutMs = checkedTimeout(options.timeoutMs);
  const send = options.fetch ?? ((request: Request) => fetch(request));
  /** The entity tags of answers, while somebody holds these. */
  const tags = new WeakMap<object, string>();

  const ask = async (path: string, query: StatisticsQuery, { as = 'json', ...how }: AskOptions<AnswerForm> = {}) => {
    const request = new Request(`${baseUrl}${path}?${queryString(query)}`, { headers, signal: signalOf(how.signal) });
    request.headers.set('accept', MEDIA_TYPES[as]);
    const tag = how.previous && tags.get(how.previous);
    if (tag !== undefined) request.headers.set('if-none-match', tag);
    try {
      const response = await send(request);
      if (response.status === 304 && tag !== undefined) return how.previous;
      if (!response.ok) throw await readProblem(response);
      const answer = await readAnswer(response, as);
      remember(answer, response.headers.get('etag'));
      return answer;
    } catch (error) {
      how.signal?.throwIfAborted();
      throw error instanceof ServiceError ? error : notReached(error);
    }
  };

  function signalOf(signal: AbortSignal | undefined): AbortSignal | undefined {
    if (timeoutMs === 0) return signal;
    const timeout = AbortSignal.timeout(timeoutMs);
    return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  }

  function remember(answer: unknown, tag: string | null): void {
    if (typeof answer === 'object' && answer !== null && tag !== null) tags.set(answer, tag);
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
