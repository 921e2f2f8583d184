import { version } from '../../../package.json';
import { type Body, CONTENT_TYPES } from '../../respond/body.js';
import { JsonWriter } from '../../respond/json-writer.js';
import { createAnswers } from '../endpoints/answers.js';
import type { DataQuery, Endpoint } from '../endpoints/endpoint.js';
import type { Pause } from '../point/pause.js';
import type { Snapshot } from '../source/source.js';
import { cacheControl, entityTag, matchesTag, queryKey } from './cache-headers.js';
import { authenticate, enforceRateLimit, findStoredLocation, KEY_HEADER } from './caller.js';
import type { HandlerOptions } from './handler-options.js';
import { LongBody } from './long-body.js';
import { negotiate } from './media-type.js';
import { readParameters, rejectCurrentOnly, suggestNearest } from './read-parameters.js';
import type { RequestContext } from './request-context.js';
import { ResponseCache } from './response-cache.js';
import type { ResponseParts } from './response-parts.js';
import type { SourceErrorLog } from './source-fault.js';
import { WorkQueue } from './work-queue.js';

/** Replies to a request for data; rejects with ProblemError, SourceFault, or whatever else fails. */
export type DataReplies = (
  context: RequestContext,
  endpoint: Endpoint,
  segment: string | undefined,
) => Promise<ResponseParts>;

/** The methods of `Answers` as the pipeline sees them: an endpoint names the one that takes its queries. */
type AnswerMethods = Readonly<Record<Endpoint['answer'], AnyMethod['compute']>>;

interface AnyMethod {
  compute(data: Snapshot, query: DataQuery, pause: Pause): unknown;
}

/** Replies with data: the key is checked first, then the parameters, then the data are read. */
export function createDataReplies(
  options: HandlerOptions,
  endpoints: readonly Endpoint[],
  sourceErrors: SourceErrorLog,
): DataReplies {
  const { source, keys, locations, rateLimit, now = () => new Date(), responseCacheBytes = 0 } = options;
  const answers: AnswerMethods = options.answers ?? createAnswers(options);
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
    await enforceRateLimit(rateLimit, key, context.path);

    const values = readParameters(endpoint.parameters, context.query, unknown.get(endpoint) ?? suggestNearest);
    const location =
      segment === undefined ? undefined : await findStoredLocation(segment, key.owner, locations, sourceErrors);
    const query = endpoint.query(values, { key, location });
    const mediaType = negotiate(headers.get('accept'), endpoint.mediaTypes);

    const data = await sourceErrors.store('source', () => source.snapshot());
    const requested = queryKey(endpoint, query);
    const revision = endpoint.revision(data);
    // A text that no other body has.
    const identity = `${requested}|${mediaType}|${revision}|${version}`;
    const etag = entityTag(identity);
    const freshness = cacheControl(endpoint, data, now());
    const known = headers.get('if-none-match');
    const unchanged: ResponseParts = { status: 304, headers: { etag, 'cache-control': freshness }, body: undefined };
    // A client that sends a tag has had the answer; an asterisk stands for any answer, and whether there is one is not
    // known yet.
    if (revision !== undefined && known?.trim() !== '*' && matchesTag(known, etag)) return unchanged;

    const kept = cache.find(identity);
    context.cached = kept !== undefined;
    const body =
      kept ??
      (await computeBody(context, key.id, identity, requested, async (pause) => {
        const answer = await answers[endpoint.answer](data, query, pause);
        return endpoint.write(answer, mediaType, writer);
      }));
    if (matchesTag(known, etag)) {
      if (body instanceof LongBody) body.drop();
      return unchanged;
    }
    const type = CONTENT_TYPES[mediaType];
    return { status: 200, headers: { 'content-type': type, etag, 'cache-control': freshness }, body };
  };

  /** Waits for the key's turn, computes and writes a body, and keeps it; a long one is written when it is sent. */
  async function computeBody(
    { request }: RequestContext,
    keyId: string,
    identity: string,
    requested: string,
    compute: (pause: Pause) => Promise<Body>,
  ): Promise<Uint8Array | LongBody> {
    const begun = queue.begin(keyId, request);
    const work = begun instanceof Promise ? await begun : begun;
    let isLong = false;
    try {
      const body = await sourceErrors.data(requested, () => compute(work.pause));
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
