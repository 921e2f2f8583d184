import { version } from '../../../package.json';
import { JsonWriter } from '../../respond/index.js';
import type { KeyRecord } from '../access/key-store.js';
import { createAnswers } from '../answers/create-answers.js';
import type { Snapshot } from '../source/source.js';
import { CONTENT_TYPES, type DataQuery, type MediaType } from './answer-forms.js';
import { authenticate, KEY_HEADER } from './authenticate.js';
import { cacheControl, dataRevision, entityTag, matchesTag } from './cache-headers.js';
import { dataQuery, findStoredLocation, queryKey } from './data-query.js';
import type { Endpoint } from './endpoints.js';
import type { HandlerOptions } from './handler-options.js';
import { LongBody } from './long-body.js';
import { negotiate } from './media-type.js';
import { readParameters, rejectCurrentOnly, suggestNearest } from './parameters/read-parameters.js';
import { ProblemError } from './problem-error.js';
import type { RequestContext } from './request-context.js';
import { ResponseCache } from './response-cache.js';
import type { ResponseParts } from './response-parts.js';
import type { SourceErrorLog } from './source-fault.js';
import { WorkQueue } from './work-queue.js';

/** Longer queries are rejected, in characters. */
const MAX_QUERY_LENGTH = 16_384;

/** Replies to a request for data; rejects with ProblemError, SourceFault, or whatever else fails. */
export type DataReplies = (
  context: RequestContext,
  endpoint: Endpoint,
  segment: string | undefined,
) => Promise<ResponseParts>;

/** Replies with data: the key is checked first, then the parameters, then the data are read. */
export function createDataReplies(
  options: HandlerOptions,
  endpoints: readonly Endpoint[],
  sourceErrors: SourceErrorLog,
): DataReplies {
  const { source, keys, locations, now = () => new Date(), responseCacheBytes = 0 } = options;
  const { answers = createAnswers(options) } = options;
  const cache = new ResponseCache(responseCacheBytes);
  const queue = new WorkQueue(options.limits);
  // One writer serves all short bodies: they are written without waiting, so one after the other.
  const writer = new JsonWriter();
  const unknown = new Map(
    endpoints.map((endpoint) => [
      endpoint,
      endpoint.generation === 'current' ? suggestNearest : rejectCurrentOnly(endpoint, endpoints),
    ]),
  );

  return async (context, endpoint, segment): Promise<ResponseParts> => {
    const { headers } = context.request;
    const key = await authenticate(headers.get(KEY_HEADER), keys, sourceErrors);
    context.key = key;
    await enforceRateLimit(context, key);

    const query = await readQuery(context.query, endpoint, segment, key);
    const mediaType = negotiate(headers.get('accept'), endpoint.form.mediaTypes);

    const data = await sourceErrors.store('source', () => source.snapshot());
    const requested = queryKey(endpoint, query);
    const revision = dataRevision(endpoint, data);
    const identity = `${requested}|${mediaType}|${revision}|${version}`;
    const etag = entityTag(identity);
    const freshness = cacheControl(endpoint, data, now());
    const known = headers.get('if-none-match');
    const unchanged: ResponseParts = { status: 304, headers: { etag, 'cache-control': freshness }, body: undefined };
    // A client that sends a tag has had the answer; an asterisk stands for any answer, and whether there is one is not
    // known yet.
    if (revision !== undefined && known?.trim() !== '*' && matchesTag(known, etag)) return unchanged;
    const body = await bodyOf(context, key, endpoint, { identity, requested, data, query, mediaType });
    if (matchesTag(known, etag)) {
      if (body instanceof LongBody) body.drop();
      return unchanged;
    }
    const type = CONTENT_TYPES[mediaType];
    return { status: 200, headers: { 'content-type': type, etag, 'cache-control': freshness }, body };
  };

  async function enforceRateLimit({ path }: RequestContext, { id, owner }: KeyRecord): Promise<void> {
    const wait = await options.rateLimit?.({ keyId: id, owner, path });
    if (!wait) return;
    const seconds = `${Math.max(1, Math.ceil(wait.retryAfterSeconds))}`;
    const detail = `The key has made too many requests; try again in ${seconds} s.`;
    throw new ProblemError(429, 'rate-limited', detail, { headers: { 'retry-after': seconds } });
  }

  async function readQuery(
    text: string,
    endpoint: Endpoint,
    segment: string | undefined,
    key: KeyRecord,
  ): Promise<DataQuery> {
    if (text.length > MAX_QUERY_LENGTH) {
      throw new ProblemError(414, 'query-too-long', `The query has more than ${MAX_QUERY_LENGTH} characters.`);
    }
    const values = readParameters(endpoint.parameters, text, unknown.get(endpoint) ?? suggestNearest);
    const location =
      segment === undefined ? undefined : await findStoredLocation(segment, key.owner, locations, sourceErrors);
    return dataQuery(endpoint, values, location, key);
  }

  async function bodyOf(
    context: RequestContext,
    key: KeyRecord,
    endpoint: Endpoint,
    wanted: WantedBody,
  ): Promise<Uint8Array | LongBody> {
    const { identity, requested, data, query, mediaType } = wanted;
    const kept = cache.find(identity);
    context.cached = kept !== undefined;
    if (kept !== undefined) return kept;
    const begun = queue.begin(key.id, context.request);
    const work = begun instanceof Promise ? await begun : begun;
    let isLong = false;
    try {
      const tools = { writer, pause: work.pause };
      const body = await sourceErrors.data(requested, () => endpoint.form.body(answers, data, query, mediaType, tools));
      if (body instanceof Uint8Array) {
        cache.keep(identity, body);
        return body;
      }
      work.send();
      isLong = true;
      return new LongBody(cache.gather(identity, body), work);
    } finally {
      if (!isLong) work.end();
    }
  }
}

interface WantedBody {
  /** A text that no other body has. */
  readonly identity: string;
  readonly requested: string;
  readonly data: Snapshot;
  readonly query: DataQuery;
  readonly mediaType: MediaType;
}
