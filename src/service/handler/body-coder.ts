import { whenReady } from '../when-ready.js';
import { codedTag } from './cache-headers.js';
import { type Compression, type ContentCoding, streamCompression } from './compression.js';
import { type AcceptedCoding, negotiateCoding } from './content-coding.js';
import type { LongBody } from './long-body.js';
import type { ResponseCache } from './response-cache.js';
import type { HeaderList } from './response-parts.js';

/** A body as it is sent; `coding` is undefined where it is not compressed. */
export interface CodedBody {
  readonly body: Uint8Array | LongBody;
  readonly coding: ContentCoding | undefined;
}

/** Compresses bodies for clients that accept it, and keeps both forms: each is compressed once while it is kept. */
export class BodyCoder {
  readonly #compression: Compression | undefined;
  readonly #cache: ResponseCache;
  /** The last header and its coding: most requests have the same. */
  #header: string | null = null;
  #coding: AcceptedCoding | undefined;

  constructor(compression: Compression | false = streamCompression(), cache: ResponseCache) {
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
    const compressed = coding && this.#cache.find(codedIdentity(identity, coding));
    return compressed === undefined ? this.encode(identity, body, accepted) : { body: compressed, coding };
  }

  /** Compresses a body that is long enough, and keeps the compressed form. */
  encode(identity: string, body: Uint8Array, accepted: AcceptedCoding | undefined): CodedBody | Promise<CodedBody> {
    const compression = this.#compression;
    const coding = accepted && this.#codingOf(body, accepted);
    if (coding === undefined || compression === undefined) return { body, coding: undefined };
    return whenReady(compression.compress(coding, body), (compressed) => {
      this.#cache.keep(codedIdentity(identity, coding), compressed);
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
