import { version } from '../../../package.json';
import type { Point } from '../../ensemble/nearest-place.js';
import type { MediaType } from '../../respond/body.js';
import type { KeyRecord } from '../access/key-store.js';
import type { DataQuery, Endpoint, Revision } from '../endpoints/endpoint.js';
import { plainDegrees } from '../endpoints/parameters.js';
import { queryShape } from '../endpoints/query-fields.js';
import type { Snapshot } from '../source/source.js';
import type { RequestHead } from './request-head.js';

/** What requests that differ in their points only have in common. */
export class RequestShape {
  /** A text that no other shape of query has. */
  readonly text: string;
  readonly mediaType: MediaType;
  readonly #findRevision: Revision;
  /** By snapshot, and the last ones: a new snapshot may have the same data. */
  readonly #names = new WeakMap<Snapshot, AnswerNames>();
  #last: AnswerNames | undefined;

  constructor(endpoint: Endpoint, query: DataQuery, mediaType: MediaType) {
    this.text = queryShape(endpoint, query);
    this.mediaType = mediaType;
    this.#findRevision = endpoint.revision(query);
  }

  /** The names of the answers from the data of a snapshot: the same for all snapshots of one revision in a row. */
  names(data: Snapshot): AnswerNames {
    const known = this.#names.get(data);
    if (known !== undefined) return known;
    const revision = this.#findRevision(data);
    if (this.#last === undefined || this.#last.revision !== revision) {
      this.#last = new AnswerNames(`${this.text}|${this.mediaType}|${revision}|${version}`, revision);
    }
    this.#names.set(data, this.#last);
    return this.#last;
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
    const read = { query, shape: new RequestShape(endpoint, query, mediaType) };
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
  const latitude = findCoordinate(query, 'lat=', 90);
  const longitude = findCoordinate(query, 'lon=', 180);
  if (latitude === undefined || longitude === undefined) return undefined;
  const [first, second] = latitude.from < longitude.from ? [latitude, longitude] : [longitude, latitude];
  const rest = query.slice(0, first.from) + query.slice(first.end, second.from) + query.slice(second.end);
  return { latitude: latitude.degrees, longitude: longitude.degrees, rest };
}

/** A coordinate, and where its value is in a query; undefined as \`splitPoint\`. \`name\` ends with an equals sign. */
function findCoordinate(query: string, name: string, limit: number) {
  let at = query.indexOf(name);
  while (at > 0 && query[at - 1] !== '&') at = query.indexOf(name, at + 1);
  if (at < 0) return undefined;
  const from = at + name.length;
  const next = query.indexOf('&', from);
  const end = next < 0 ? query.length : next;
  const degrees = plainDegrees(query, from, end, limit);
  return degrees === undefined ? undefined : { from, end, degrees };
}

const LETTER_A = 97;

/** The bits of two coordinates, as words. */
const WORDS = /* @__PURE__ */ new Int32Array(4);
const COORDINATES = /* @__PURE__ */ new Float64Array(WORDS.buffer);

/** Identifies the answers to requests that differ in their points only. */
export class AnswerNames {
  readonly #text: string;
  readonly #hash: TextHash;
  /** Of the data behind them; undefined where a snapshot does not have these. */
  readonly revision: string | undefined;

  /** `text` is the same for these answers only. */
  constructor(text: string, revision: string | undefined) {
    this.#text = text;
    this.revision = revision;
    this.#hash = hashText(text);
  }

  /** A text that no other answer has. */
  identity({ point, points }: DataQuery): string {
    const places = points === undefined ? pointText(point) : `${points.length}:${points.map(pointText).join(';')}`;
    return `${this.#text}|${places}`;
  }

  /** A strong entity tag, made without the identity: most points are requested once. */
  etag({ point, points }: DataQuery): string {
    if (points === undefined) return toTag(mixPoint(this.#hash, point));
    // One point in a list has another body than a point by itself.
    return toTag(mix(points.reduce(mixPoint, this.#hash), [points.length]));
  }
}

function mixPoint(hash: TextHash, { latitude, longitude }: Point): TextHash {
  COORDINATES[0] = latitude;
  COORDINATES[1] = longitude;
  return mix(hash, WORDS);
}

function pointText({ latitude, longitude }: Point): string {
  return `${degrees(latitude)}|${degrees(longitude)}`;
}

/**
 * A coordinate as a text that no other coordinate has. Not by `String`: engines cache its texts for a while, so that
 * memory grows with random points.
 */
function degrees(value: number): string {
  const text = value.toFixed(6);
  return Number(text) === value ? text : value.toPrecision(17);
}

/** A strong entity tag of a text: 64 bits of it mixed, so that two texts of one URL practically never share one. */
export function entityTag(text: string): string {
  return toTag(hashText(text));
}

/** Two rounds of 32 bits after MurmurHash3 (Austin Appleby): https://github.com/aappleby/smhasher */
interface TextHash {
  readonly a: number;
  readonly b: number;
  /** The number of units that are in it. */
  readonly length: number;
}

function hashText(text: string): TextHash {
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return mix({ a: 0x9e3779b9, b: 0x85ebca6b, length: 0 }, units);
}

function mix(hash: TextHash, units: ArrayLike<number>): TextHash {
  let { a, b } = hash;
  for (let i = 0; i < units.length; i++) {
    a = Math.imul(a ^ units[i], 0xcc9e2d51);
    a ^= a >>> 15;
    b = Math.imul(b ^ units[i], 0x1b873593);
    b ^= b >>> 13;
  }
  return { a, b, length: hash.length + units.length };
}

function toTag({ a, b, length }: TextHash): string {
  return `"${letters(a ^ length)}${letters(b ^ a)}"`;
}

/**
 * The mixed bits of a hash as eight letters from a to p: engines take ten times as long to write a number in digits of
 * any base but ten.
 */
function letters(hash: number): string {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  bits ^= bits >>> 16;
  return String.fromCharCode(
    LETTER_A + (bits & 15),
    LETTER_A + ((bits >>> 4) & 15),
    LETTER_A + ((bits >>> 8) & 15),
    LETTER_A + ((bits >>> 12) & 15),
    LETTER_A + ((bits >>> 16) & 15),
    LETTER_A + ((bits >>> 20) & 15),
    LETTER_A + ((bits >>> 24) & 15),
    LETTER_A + (bits >>> 28),
  );
}

/** The first or the second 32 bits that an entity tag is made from, mixed. */
export function tagBits(tag: string, half: 0 | 1): number {
  let bits = 0;
  for (let i = 1 + 8 * half; i < 9 + 8 * half; i++) bits = (bits << 4) | (tag.charCodeAt(i) - LETTER_A);
  return bits;
}

/**
 * The entity tag that an `If-None-Match` header names: that of an answer as it is, or in a content coding; undefined
 * where it names neither.
 */
export function findTag(header: string, tag: string, coding: string | undefined): string | undefined {
  if (matchesTag(header, tag)) return tag;
  const coded = coding && codedTag(tag, coding);
  return coded !== undefined && matchesTag(header, coded) ? coded : undefined;
}

/** The entity tag of an answer in a content coding: RFC 9110 demands another one for other bytes. */
export function codedTag(tag: string, coding: string): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

/**
 * Whether an `If-None-Match` header names `tag`, by the weak comparison of RFC 9110: also as `W/` or in a list, or by
 * `*`.
 */
function matchesTag(header: string, tag: string): boolean {
  if (header === tag || header.trim() === '*') return true;
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
}
