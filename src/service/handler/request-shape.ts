import { version } from '../../../package.json';
import type { MediaType } from '../../respond/body.js';
import type { KeyRecord } from '../access/key-store.js';
import type { DataQuery, Endpoint } from '../endpoints/endpoint.js';
import { plainDegrees } from '../endpoints/plain-degrees.js';
import { queryShape } from '../endpoints/query-fields.js';
import { AnswerNames } from './cache-headers.js';
import type { RequestHead } from './request-head.js';

/** What requests that differ in their points only have in common. */
export class RequestShape {
  /** A text that no other shape of query has. */
  readonly text: string;
  readonly mediaType: MediaType;
  #revision: string | undefined;
  #names: AnswerNames | undefined;

  constructor(text: string, mediaType: MediaType) {
    this.text = text;
    this.mediaType = mediaType;
  }

  /** The names of the answers from data of a revision. */
  names(revision: string | undefined): AnswerNames {
    if (this.#names === undefined || this.#revision !== revision) {
      this.#names = new AnswerNames(`${this.text}|${this.mediaType}|${revision}|${version}`);
      this.#revision = revision;
    }
    return this.#names;
  }
}

/** A request for data as it was read. */
export interface ReadRequest {
  readonly query: DataQuery;
  readonly shape: RequestShape;
}

/** The values of a request's parameters, and the media type of its answer. */
interface RequestValues {
  readonly values: Record<string, unknown>;
  readonly mediaType: MediaType;
}

/** So many requests are remembered, of so many characters at most. */
const MAX_REQUESTS = 256;
const MAX_LENGTH = 512;

/** Reads requests; those that differ from an earlier one in their points only without parsing the rest again. */
export class RequestReader {
  readonly #known = new Map<string, ReadRequest>();

  /** Reads a request to a path without a stored location; `parse` reads one that is not known. */
  read(endpoint: Endpoint, head: RequestHead, key: KeyRecord, parse: () => RequestValues): ReadRequest {
    const split = head.query.length <= MAX_LENGTH ? splitPoint(head.query) : undefined;
    const text = split && requestText(head, key, split.rest);
    const known = text === undefined ? undefined : this.#known.get(text);
    if (split !== undefined && known !== undefined) {
      const { latitude, longitude } = split;
      return { query: { ...known.query, point: { latitude, longitude } }, shape: known.shape };
    }
    const { values, mediaType } = parse();
    const query = endpoint.query(values, { key, location: undefined });
    const read = { query, shape: new RequestShape(queryShape(endpoint, query), mediaType) };
    if (text !== undefined) {
      if (this.#known.size === MAX_REQUESTS) this.#known.delete(this.#known.keys().next().value as string);
      this.#known.set(text, read);
    }
    return read;
  }
}

/**
 * All that a request's answer depends on but the data, with `query` as its query. To be added to: each request header
 * that changes the body, and each property of a key.
 */
export function requestText(head: RequestHead, { downscaling }: KeyRecord, query: string): string {
  return `${downscaling ? 1 : 0}${head.header('accept') ?? ''}\n${head.path}?${query}`;
}

/**
 * Takes the coordinates out of a query; undefined where they are not there, not within range or not written plainly.
 */
function splitPoint(query: string): { latitude: number; longitude: number; rest: string } | undefined {
  const lat = findValue(query, 'lat=');
  const lon = findValue(query, 'lon=');
  if (lat < 0 || lon < 0) return undefined;
  const latEnd = valueEnd(query, lat);
  const lonEnd = valueEnd(query, lon);
  const latitude = plainDegrees(query, lat, latEnd, 90);
  const longitude = plainDegrees(query, lon, lonEnd, 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  const rest =
    lat < lon
      ? query.slice(0, lat) + query.slice(latEnd, lon) + query.slice(lonEnd)
      : query.slice(0, lon) + query.slice(lonEnd, lat) + query.slice(latEnd);
  return { latitude, longitude, rest };
}

/** Where the value of a parameter begins, -1 if it is not there; `name` ends with an equals sign. */
function findValue(query: string, name: string): number {
  for (let at = query.indexOf(name); at >= 0; at = query.indexOf(name, at + 1)) {
    if (at === 0 || query[at - 1] === '&') return at + name.length;
  }
  return -1;
}

function valueEnd(query: string, from: number): number {
  const end = query.indexOf('&', from);
  return end < 0 ? query.length : end;
}
