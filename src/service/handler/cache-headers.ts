import type { Point } from '../../ensemble/nearest-place.js';
import { DAY_MILLISECONDS, DAY_SECONDS } from '../../period/day.js';
import type { DataQuery, Endpoint } from '../endpoints/endpoint.js';
import type { Snapshot } from '../source/source.js';

const LETTER_A = 97;

/** The bits of two coordinates, as words. */
const WORDS = /* @__PURE__ */ new Int32Array(4);
const COORDINATES = /* @__PURE__ */ new Float64Array(WORDS.buffer);

/** Identifies the answers to requests that differ in their points only. */
export class AnswerNames {
  readonly #text: string;
  readonly #hash: TextHash;

  /** `text` is the same for these answers only. */
  constructor(text: string) {
    this.#text = text;
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
    const { a, b, length } = points.reduce(mixPoint, this.#hash);
    // One point in a list has another body than a point by itself.
    return toTag({ a: mixA(a, points.length), b: mixB(b, points.length), length: length + 1 });
  }
}

function mixPoint({ a, b, length }: TextHash, { latitude, longitude }: Point): TextHash {
  COORDINATES[0] = latitude;
  COORDINATES[1] = longitude;
  let [c, d] = [a, b];
  for (let i = 0; i < WORDS.length; i++) {
    c = mixA(c, WORDS[i]);
    d = mixB(d, WORDS[i]);
  }
  return { a: c, b: d, length: length + WORDS.length };
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
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    a = mixA(a, text.charCodeAt(i));
    b = mixB(b, text.charCodeAt(i));
  }
  return { a, b, length: text.length };
}

function mixA(hash: number, unit: number): number {
  const h = Math.imul(hash ^ unit, 0xcc9e2d51);
  return h ^ (h >>> 15);
}

function mixB(hash: number, unit: number): number {
  const h = Math.imul(hash ^ unit, 0x1b873593);
  return h ^ (h >>> 13);
}

function toTag({ a, b, length }: TextHash): string {
  return `"${letters(mixed(a ^ length))}${letters(mixed(b ^ a))}"`;
}

/** A number as eight letters from a to p: engines take ten times as long to write it in digits of any base but ten. */
function letters(bits: number): string {
  const at = (shift: number) => LETTER_A + ((bits >>> shift) & 15);
  return String.fromCharCode(at(0), at(4), at(8), at(12), at(16), at(20), at(24), at(28));
}

/**
 * The entity tag that an `If-None-Match` header names: that of an answer as it is, or in a content coding; undefined
 * where it names neither.
 */
export function findTag(header: string | null, tag: string, coding: string | undefined): string | undefined {
  if (header === null) return undefined;
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
function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
}

function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** How long an answer is fresh, at least and at most, in seconds. */
const MIN_SECONDS = 60;
const MAX_SECONDS = DAY_SECONDS;

/**
 * The `Cache-Control` of an answer: private and, of forecasts, fresh until the next run is expected, or for ten minutes
 * where that time is unknown. A history grows by a day every day: it is fresh until the next day, or the next run where
 * that is earlier. At least a minute, and at most a day.
 */
export function cacheControl({ family }: Endpoint, { forecast }: Snapshot, now: Date): string {
  const time = now.getTime();
  const nextRun = forecast?.nextInitTime === undefined ? Number.NaN : Date.parse(forecast.nextInitTime);
  const until = family === 'forecast' ? orElse(nextRun, time + 600_000) : earlier(nextRun, time, nextDay(time));
  const seconds = Math.floor((until - time) / 1000);
  return `private, max-age=${Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS)}`;
}

function nextDay(time: number): number {
  return (Math.floor(time / DAY_MILLISECONDS) + 1) * DAY_MILLISECONDS;
}

function earlier(nextRun: number, time: number, day: number): number {
  // A run that is overdue does not show when the history changes.
  return nextRun > time && nextRun < day ? nextRun : day;
}

function orElse(value: number, fallback: number): number {
  return Number.isNaN(value) ? fallback : value;
}
