import { isOfTooManyFiles } from '../../disk/file-fault.js';
import type { StatisticsAnswer } from '../../respond/answer-data.js';
import { type Body, CONTENT_TYPES, JSON_TYPE, type MediaType } from '../../respond/body.js';
import { JsonWriter } from '../../respond/json-writer.js';
import type { KeyRecord } from '../access/key-store.js';
import type { OwnAnswers } from '../endpoints/answers.js';
import type { DataQuery, Endpoint } from '../endpoints/endpoint.js';
import type { StatisticsParameters } from '../endpoints/forecast-statistics.js';
import { answerPoints, type PointAnswers } from '../endpoints/point-answers.js';
import { isPromise, type Pause, whenReady } from '../point/pause.js';
import { ProblemError } from '../problem-error.js';
import type { Snapshot } from '../source/source.js';
import { traced } from '../tracing.js';
import type { HandlerOptions } from './handler-options.js';
import { LongBody } from './long-body.js';
import { readParameters, rejectCurrentOnly, rejectPlace, suggestNearest } from './read-parameters.js';
import { type Admit, findStoredLocation, type RequestContext } from './request-context.js';
import { findTag, type ReadRequest, RequestReader, RequestShape } from './request-shape.js';
import {
  type AcceptedCoding,
  BodyCoder,
  type CodedBody,
  describeBody,
  type KnownAnswer,
  type ResponseCache,
} from './response-cache.js';
import { cacheControl, ForecastHeaders, type HeaderList, isSameForAll, type ResponseParts } from './response-parts.js';
import { isDataFault, type SourceErrorLog, SourceFault } from './source-fault.js';
import { costOf } from './usage-meter.js';
import { endWith, type Work, type WorkQueue } from './work-queue.js';

/** Replies to a request for data; throws, or rejects with, ProblemError, SourceFault, or whatever else fails. */
export type DataReplies = (
  context: RequestContext,
  endpoint: Endpoint,
  segment: string | undefined,
) => ResponseParts | Promise<ResponseParts>;

/** The methods of `Answers` as the pipeline sees them: an endpoint names the one that takes its queries. */
type AnswerMethods = Readonly<Record<Endpoint['answer'], AnyMethod['compute']>>;

interface AnyMethod {
  compute(data: Snapshot, query: DataQuery, pause: Pause): unknown;
}

/** What computes answers unless the options do, what keeps them, and what bounds the work on them. */
interface ReplyParts {
  readonly own: OwnAnswers | undefined;
  /** Undefined where nothing is kept. */
  readonly cache: ResponseCache | undefined;
  readonly queue: WorkQueue;
  readonly admit: Admit;
  /** Reports that the data of one of several points cannot be read, and returns the problem of the point. */
  readonly reportFault: (fault: SourceFault, context: RequestContext) => ProblemError;
}

/** Replies with data: the key is checked first, then the parameters, then the data are read. */
export function createDataReplies(
  options: HandlerOptions,
  endpoints: readonly Endpoint[],
  sourceErrors: SourceErrorLog,
  { own, cache, queue, admit, reportFault }: ReplyParts,
): DataReplies {
  const { source, locations, usage, tracing, now } = options;
  const answers = (options.answers ?? own) as AnswerMethods;
  const snapshot = traced(tracing, 'store', () => sourceErrors.guard('source', () => source.snapshot()));
  const answerBody = traced(tracing, 'answer', computeBody);
  const reader = new RequestReader();
  const coder = new BodyCoder(options.compression, cache);
  const forecastHeaders = new ForecastHeaders();
  // One writer serves all short bodies: they are written without waiting, so one after the other.
  const writer = new JsonWriter({ isPooled: true });
  const unknown = new Map(
    endpoints.map((endpoint) => [
      endpoint,
      endpoint.generation === 'current' ? rejectPlace(endpoint) : rejectCurrentOnly(endpoint, endpoints),
    ]),
  );

  return (context, endpoint, segment) =>
    // Messages of assistants are admitted before they ask for data.
    whenReady(context.key ?? admit(context), (key) => {
      // The place of a stored location may change: such a request is read anew.
      const known = segment === undefined ? cache?.findAnswer(context.head, key) : undefined;
      if (known === undefined) return newReply(context, endpoint, segment, key);
      return whenReady(
        snapshot(),
        (data) => keptReply(context, endpoint, data, known) ?? newReply(context, endpoint, segment, key, data),
      );
    });

  /** Replies with the kept answer to the same request: nothing is parsed. Undefined where it is not kept any more. */
  function keptReply(
    context: RequestContext,
    endpoint: Endpoint,
    data: Snapshot,
    known: KnownAnswer,
  ): ResponseParts | Promise<ResponseParts> | undefined {
    const body = known.names === known.shape.names(data) ? cache?.find(known.identity) : undefined;
    context.isForAll = options.publicCache === true && isSameForAll(endpoint, data, context.head);
    return (
      body &&
      conditionalReply(context, endpoint, data, known, (coding) => coder.encodeKept(known.identity, body, coding))
    );
  }

  /** Reads the parameters, then replies; `current` are the data where they were looked at already. */
  function newReply(
    context: RequestContext,
    endpoint: Endpoint,
    segment: string | undefined,
    key: KeyRecord,
    current?: Snapshot,
  ): ResponseParts | Promise<ResponseParts> {
    const { head } = context;
    const values = () => readParameters(endpoint.parameters, head.query, unknown.get(endpoint) ?? suggestNearest);
    const mediaType = () => negotiate(head.header('accept'), endpoint.mediaTypes);
    if (segment === undefined) {
      const parse = () => ({ values: values(), mediaType: mediaType() });
      return replyTo(context, endpoint, key, reader.read(endpoint, head, key, parse), current);
    }
    const read = values();
    return whenReady(findStoredLocation(segment, key.owner, locations, sourceErrors), (location) => {
      const query = endpoint.query(read, { key, location });
      return replyTo(context, endpoint, key, { query, shape: new RequestShape(endpoint, query, mediaType()) }, current);
    });
  }

  /** Replies to a request that has been read. */
  function replyTo(
    context: RequestContext,
    endpoint: Endpoint,
    key: KeyRecord,
    { query, shape }: ReadRequest,
    current: Snapshot | undefined,
  ): ResponseParts | Promise<ResponseParts> {
    return whenReady(current ?? snapshot(), (data) => {
      const names = shape.names(data);
      context.isForAll = options.publicCache === true && isSameForAll(endpoint, data, context.head, query.locationId);
      const etag = names.etag(query);
      const keeps = cache?.isRequestedAgain(etag) === true;
      // To make its text takes long.
      const identity = keeps ? names.identity(query) : '';
      const cost = usage === undefined ? 0 : costOf(query, data, endpoint.family);
      const answer = { identity, etag, shape, names, cost };
      // The place of a stored location may change.
      if (keeps && query.locationId === undefined) cache.keepAnswer(context.head, key, answer);
      return conditionalReply(context, endpoint, data, answer, (coding) => {
        const body = keeps ? cache.find(identity) : undefined;
        if (body !== undefined) return coder.encodeKept(identity, body, coding);
        const wanted: Wanted = { endpoint, data, query, answer, coding, hasFaults: false };
        return answerBody(context, key.id, wanted);
      });
    });
  }

  /** The body of an answer; of several points, those whose data cannot be read have their problem in their place. */
  function write(context: RequestContext, wanted: Wanted, pause: Pause): Body | Promise<Body> {
    const { endpoint, data, query } = wanted;
    const { shape, names } = wanted.answer;
    const { mediaType, text } = shape;
    const preparing = endpoint.answer === 'statistics' && mediaType === JSON_TYPE ? own : undefined;
    if (query.points === undefined) {
      const prepared = preparing?.bodies()?.write(data, text, query as StatisticsParameters, writer);
      if (prepared !== undefined) return prepared;
    }
    const compute = (one: DataQuery) =>
      whenReady(answers[endpoint.answer](data, one, pause), (answer) => {
        preparing?.bodies()?.learn(data, text, one as StatisticsParameters, answer as StatisticsAnswer);
        return answer;
      });
    const answer =
      query.points === undefined
        ? compute(query)
        : answerPoints(query.points, pause, {
            async compute(point) {
              const one = Object.assign({}, query, { point, points: undefined });
              try {
                return await sourceErrors.guard(
                  () => names.identity(one),
                  () => compute(one),
                  isDataFault,
                );
              } catch (error) {
                // Open files are too many for all points.
                if (!(error instanceof SourceFault) || isOfTooManyFiles(error)) throw error;
                throw reportFault(error, context);
              }
            },
            writeSome: (points, from) => preparing?.bodies()?.writeSome(data, text, points, from, writer, pause),
          });
    return whenReady(answer, (answered) => {
      if (answered instanceof Uint8Array) return answered;
      wanted.hasFaults = (answered as Partial<PointAnswers<unknown>> | undefined)?.fault !== undefined;
      return endpoint.write(answered, mediaType, writer);
    });
  }

  /** Replies with a body, or with 304 to a client that has it. */
  function conditionalReply(
    context: RequestContext,
    endpoint: Endpoint,
    data: Snapshot,
    { etag, shape, names, cost }: KnownAnswer,
    findBody: (coding: AcceptedCoding | undefined) => CodedBody | Promise<CodedBody>,
  ): ResponseParts | Promise<ResponseParts> {
    const { head } = context;
    const time = now?.() ?? new Date();
    const freshness = cacheControl(endpoint, data, time, context.isForAll);
    const about = (headers: HeaderList) => {
      const age = source.ageSeconds?.() ?? 0;
      if (age > 0) headers.push('source-age', `${Math.ceil(age)}`);
      if (endpoint.family === 'forecast' && data.forecast) forecastHeaders.add(headers, data.forecast, time.getTime());
      return headers;
    };
    const tags = head.header('if-none-match');
    const coding = coder.codingFor(head.header('accept-encoding'));
    const matched = tags === null ? undefined : findTag(tags, etag, coding?.name);
    const unchanged = (tag: string): ResponseParts => ({
      status: 304,
      headers: about(['etag', tag, 'cache-control', freshness]),
      body: undefined,
    });
    // A client that sends a tag has had the answer; an asterisk stands for any answer, and whether there is one is not
    // known yet.
    if (names.revision !== undefined && matched !== undefined && tags?.trim() !== '*') return unchanged(matched);
    // Unless it has to be computed.
    context.cached = true;
    return whenReady(findBody(coding), (coded) => {
      const { body, hasFaults } = coded;
      context.cost = cost;
      if (hasFaults) {
        // Another time, the same request may have another answer.
        const headers = about(['content-type', CONTENT_TYPES[shape.mediaType], 'cache-control', 'no-store']);
        if (coded.coding !== undefined) headers.push('content-encoding', coded.coding);
        return { status: 200, headers, body };
      }
      if (matched !== undefined) {
        if (body instanceof LongBody) body.drop();
        context.cost = 0;
        return unchanged(matched);
      }
      const headers = about(['content-type', CONTENT_TYPES[shape.mediaType], 'cache-control', freshness]);
      describeBody(headers, etag, coded);
      return { status: 200, headers, body };
    });
  }

  /** Waits for the key's turn, computes and writes a body, and keeps it; a long one is written when it is sent. */
  function computeBody(context: RequestContext, keyId: string, wanted: Wanted): CodedBody | Promise<CodedBody> {
    context.cached = false;
    return whenReady(queue.begin(keyId, context.head), (work) => {
      let body: Body | Promise<Body>;
      try {
        const scope = () => wanted.answer.names.identity(wanted.query);
        body = sourceErrors.guard(scope, () => write(context, wanted, work.pause), isDataFault);
      } catch (error) {
        work.end();
        throw error;
      }
      return isPromise(body)
        ? body.then((ready) => completeBody(work, wanted, ready), endWith(work))
        : completeBody(work, wanted, body);
    });
  }

  /** Keeps a body and ends the work on it; that on a long one goes on while it is sent. */
  function completeBody(
    work: Work,
    { query, answer, coding, hasFaults }: Wanted,
    body: Body,
  ): CodedBody | Promise<CodedBody> {
    const identity = hasFaults || answer.identity === '' ? undefined : answer.identity;
    if (!(body instanceof Uint8Array)) {
      const pieces = (identity === undefined ? undefined : cache?.gather(identity, body)) ?? body;
      const long = coder.encodeLong(beginLongBody(pieces, work, query.points?.length ?? 1), coding);
      return { ...long, hasFaults };
    }
    if (identity !== undefined) cache?.keep(identity, body);
    // Compressing is part of the key's work.
    const encoded = coder.encode(identity, body, coding);
    const coded = hasFaults ? whenReady(encoded, (each) => ({ ...each, hasFaults })) : encoded;
    if (isPromise(coded)) return coded.finally(() => work.end());
    work.end();
    return coded;
  }
}

/** What a body is made from, what is known of its answer, and its coding. */
interface Wanted {
  readonly endpoint: Endpoint;
  readonly data: Snapshot;
  readonly query: DataQuery;
  readonly answer: KnownAnswer;
  readonly coding: AcceptedCoding | undefined;
  /** Whether the data of some of its points cannot be read, which is known once the body is there. */
  hasFaults: boolean;
}

/** A body whose work goes on while it is sent. Throws ProblemError where too much is being sent already. */
function beginLongBody(pieces: Iterator<Uint8Array>, work: Work, points: number): LongBody {
  const body = new LongBody(pieces, work);
  try {
    work.send(points, body);
  } catch (error) {
    body.drop();
    throw error;
  }
  return body;
}

/** How well a media range of an `Accept` header names a media type. */
interface Range {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/**
 * The media type of a response, by the `Accept` header of RFC 9110: the type of `offered` with the highest quality, the
 * first of several; for each the most specific range decides. JSON where there is no header. Malformed media ranges are
 * ignored. Throws ProblemError (406) where no type is acceptable.
 */
function negotiate(accept: string | null, offered: readonly MediaType[]): MediaType {
  if (accept === null || accept === '*/*' || accept === JSON_TYPE || accept.trim() === '') return offered[0];
  const ranges = accept.split(',').flatMap(readRange);
  let best: MediaType | undefined;
  let highest = 0;
  for (const mediaType of offered) {
    const quality = qualityOf(mediaType, ranges);
    if (quality <= highest) continue;
    best = mediaType;
    highest = quality;
  }
  if (best !== undefined) return best;
  throw new ProblemError(406, 'not-acceptable', `The answer is available as ${offered.join(', ')}.`);
}

function qualityOf(mediaType: MediaType, ranges: readonly Range[]): number {
  const [type, subtype] = mediaType.split('/');
  let quality = 0;
  let closeness = 0;
  for (const range of ranges) {
    const close = closenessOf(range, type, subtype);
    if (close <= closeness) continue;
    closeness = close;
    quality = range.quality;
  }
  return quality;
}

function closenessOf(range: Range, type: string, subtype: string): number {
  if (range.type === '*') return 1;
  if (range.type !== type) return 0;
  if (range.subtype === '*') return 2;
  return range.subtype === subtype ? 3 : 0;
}

const RANGE = /^\s*(\*|[!#$%&'*+.^_`|~\w-]+)\/(\*|[!#$%&'*+.^_`|~\w-]+)\s*(?:;(.*))?$/;
const QUALITY = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i;

function readRange(text: string): Range[] {
  const [, type, subtype, parameters] = RANGE.exec(text) ?? [];
  if (type === undefined || (type === '*' && subtype !== '*')) return [];
  const weight = parameters?.split(';').find((parameter) => /^\s*q\s*=/i.test(parameter));
  const quality = weight === undefined ? '1' : QUALITY.exec(weight)?.[1];
  if (quality === undefined) return [];
  return [{ type: type.toLowerCase(), subtype: subtype.toLowerCase(), quality: Number(quality) }];
}
