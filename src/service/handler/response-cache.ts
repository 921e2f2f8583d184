import { LRUCache } from 'lru-cache';
import type { KeyRecord } from '../access/key-store.js';
import { whenReady } from '../point/pause.js';
import { type ContentCoding, type ResponseCompression, streamCompression } from './compression.js';
import type { LongBody } from './long-body.js';
import type { RequestHead } from './request-head.js';
import { type AnswerNames, codedTag, type RequestShape, requestText, tagBits } from './request-shape.js';
import type { HeaderList } from './response-parts.js';

/** Roughly the bytes that an entry takes besides its body and the text of its key. */
const OVERHEAD = 200;

/** So many answers that were asked for are remembered, at most: a power of two. */
const REMEMBERED = 65_536;

/** What was answered to a request: enough to find it again without reading the request's parameters. */
export interface KnownAnswer {
  /** A text that no other body has; empty where the body is not kept. */
  readonly identity: string;
  readonly etag: string;
  readonly shape: RequestShape;
  /** The names of the shape's answers from the data behind this one. */
  readonly names: AnswerNames;
  /** What the answer costs a key. */
  readonly cost: number;
}

/**
 * Keeps the bodies of answers, and which requests had them: the most recently used ones, up to a size in bytes. An answer
 * is worth it once it is asked for a second time: most points are asked for once, and would drive out the others.
 */
export class ResponseCache {
  /** Bodies by their identities, and answers by the texts of requests, which begin with a digit. */
  readonly #kept: LRUCache<string, Uint8Array | KnownAnswer>;
  /** Bits of the tags of answers that were asked for, in the place that other bits of them give: later ones take it. */
  #requested: Int32Array | undefined;
  /** How many more bytes may be gathered of bodies while they are sent. */
  #gatherable: number;

  constructor(bytes: number) {
    this.#gatherable = bytes;
    this.#kept = new LRUCache({ maxSize: bytes, sizeCalculation: entryBytes });
  }

  /** The size of all that is kept. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** Whether the answer of an entity tag was asked for before, as far as is remembered; remembers it. */
  isRequestedAgain(etag: string): boolean {
    this.#requested ??= new Int32Array(REMEMBERED);
    const place = tagBits(etag, 0) & (REMEMBERED - 1);
    // Not 0, which stands for none.
    const bits = tagBits(etag, 1) | 1;
    if (this.#requested[place] === bits) return true;
    this.#requested[place] = bits;
    return false;
  }

  find(identity: string): Uint8Array | undefined {
    return this.#kept.get(identity) as Uint8Array | undefined;
  }

  /** Keeps a copy of a body that shares its buffer with others: these would be kept, too. */
  keep(identity: string, body: Uint8Array): void {
    this.#kept.set(identity, body.byteLength === body.buffer.byteLength ? body : body.slice());
  }

  /** What was last answered to a request of this text. */
  findAnswer(head: RequestHead, key: KeyRecord): KnownAnswer | undefined {
    return this.#kept.get(requestText(head, key, head.query)) as KnownAnswer | undefined;
  }

  keepAnswer(head: RequestHead, key: KeyRecord, answer: KnownAnswer): void {
    this.#kept.set(requestText(head, key, head.query), answer);
  }

  /**
   * Yields the pieces of a body, and keeps the body after the last one. All gathered pieces together never exceed the
   * cache's size.
   */
  *gather(key: string, pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
    const gathered: Uint8Array[] = [];
    let bytes = 0;
    let fits = true;
    try {
      for (const piece of pieces) {
        fits &&= piece.length <= this.#gatherable;
        if (fits) {
          gathered.push(piece);
          bytes += piece.length;
          this.#gatherable -= piece.length;
        }
        yield piece;
      }
      if (fits) this.keep(key, joined(gathered, bytes));
    } finally {
      this.#gatherable += bytes;
    }
  }
}

function entryBytes(entry: Uint8Array | KnownAnswer, key: string): number {
  return (entry instanceof Uint8Array ? entry.byteLength : 0) + 2 * key.length + OVERHEAD;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** A body as it is sent; `coding` is undefined where it is not compressed. */
export interface CodedBody {
  readonly body: Uint8Array | LongBody;
  readonly coding: ContentCoding | undefined;
  /** Whether the data of some of its points cannot be read: it is not kept. */
  readonly hasFaults?: boolean;
}

/** Compresses bodies for clients that accept it, and keeps both forms: each is compressed once while it is kept. */
export class BodyCoder {
  readonly #compression: ResponseCompression | undefined;
  readonly #cache: ResponseCache | undefined;
  /** The last header and its coding: most requests have the same. */
  #header: string | null = null;
  #coding: AcceptedCoding | undefined;

  constructor(compression: ResponseCompression | false = streamCompression(), cache: ResponseCache | undefined) {
    this.#compression = compression || undefined;
    this.#cache = cache;
  }

  /** The coding for a client with an `Accept-Encoding`, where the body is long enough or may not be sent as it is. */
  codingFor(acceptEncoding: string | null): AcceptedCoding | undefined {
    if (acceptEncoding !== this.#header) {
      this.#header = acceptEncoding;
      this.#coding = this.#compression && negotiateCoding(acceptEncoding, this.#compression.codings);
    }
    return this.#coding;
  }

  /** Compresses a body that was kept, unless its compressed form was kept, too. */
  encodeKept(identity: string, body: Uint8Array, accepted: AcceptedCoding | undefined): CodedBody | Promise<CodedBody> {
    const coding = accepted && this.#codingOf(body, accepted);
    const compressed = coding && this.#cache?.find(codedIdentity(identity, coding));
    return compressed === undefined ? this.encode(identity, body, accepted) : { body: compressed, coding };
  }

  /** Compresses a body that is long enough, and keeps the compressed form of one that has an identity. */
  encode(
    identity: string | undefined,
    body: Uint8Array,
    accepted: AcceptedCoding | undefined,
  ): CodedBody | Promise<CodedBody> {
    const compression = this.#compression;
    const coding = accepted && this.#codingOf(body, accepted);
    if (coding === undefined || compression === undefined) return { body, coding: undefined };
    return whenReady(compression.compress(coding, body), (compressed) => {
      if (identity !== undefined) this.#cache?.keep(codedIdentity(identity, coding), compressed);
      return { body: compressed, coding };
    });
  }

  /** Compresses a body while it is sent. */
  encodeLong(body: LongBody, accepted: AcceptedCoding | undefined): CodedBody {
    const compression = this.#compression;
    if (accepted === undefined || compression === undefined) return { body, coding: undefined };
    const coding = accepted.name;
    body.encode((pieces) => compression.compressPieces(coding, pieces));
    return { body, coding };
  }

  /** The coding of a body; undefined for one that is sent as it is. */
  #codingOf(body: Uint8Array, { name, isRequired }: AcceptedCoding): ContentCoding | undefined {
    return isRequired || body.length >= (this.#compression?.minBytes ?? 0) ? name : undefined;
  }
}

/** Adds the entity tag of a body, and its coding where it has one: the tag of an answer, or of its compressed bytes. */
export function describeBody(headers: HeaderList, etag: string, { coding }: CodedBody): void {
  if (coding === undefined) headers.push('etag', etag);
  else headers.push('etag', codedTag(etag, coding), 'content-encoding', coding);
}

function codedIdentity(identity: string, coding: ContentCoding): string {
  return `${identity}|${coding}`;
}

/** An item of the header, and its weight of at most three decimals; 1 by default. */
const ITEM = /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

/** A coding that a client accepts. */
export interface AcceptedCoding {
  readonly name: ContentCoding;
  /** Whether it does not accept the answer as it is, by `identity;q=0` or `*;q=0`. */
  readonly isRequired: boolean;
}

/**
 * The coding of an answer by the `Accept-Encoding` header of RFC 9110: the one of `offered` with the highest weight,
 * the first of several; undefined where none is acceptable, where the answer itself is preferred to all, and without
 * a header. Malformed items are ignored.
 */
export function negotiateCoding(header: string | null, offered: readonly ContentCoding[]): AcceptedCoding | undefined {
  if (header === null || header === '') return undefined;
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [, name, weight = '1'] = ITEM.exec(item) ?? [];
    if (name !== undefined) weights.set(nameOf(name.toLowerCase()), Number(weight));
  }
  const others = weights.get('*');
  let best: ContentCoding | undefined;
  let highest = 0;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight <= highest) continue;
    best = coding;
    highest = weight;
  }
  if (best === undefined || highest < (weights.get('identity') ?? 0)) return undefined;
  return { name: best, isRequired: (weights.get('identity') ?? others) === 0 };
}

/** RFC 9110 has another name for one coding. */
function nameOf(name: string): string {
  return name === 'x-gzip' ? 'gzip' : name;
}
