import type { Work } from '../../check/work.js';
import { FileError } from '../../errors.js';
import { endsEarly } from '../array/random-access.js';
import type { PartsFile } from '../parts-of-file.js';
import type { RemoteAddress } from './remote-server.js';

/** Shorter bodies come sooner than the parts of them that are requested. */
const MIN_BYTES = 4_194_304;

/** What a response offers: parts of as many bytes, of the version with this tag and time. */
interface Offer {
  readonly address: RemoteAddress;
  readonly size: number;
  readonly tag: string | null;
  readonly modified: string | null;
}

/** The body of a response that has begun. */
export interface BegunBody {
  /** All of its bytes. */
  bytes(): Promise<Uint8Array>;
  /** Ends it: the rest is not sent. */
  close(): Promise<void>;
}

/**
 * A file that a server has begun to send, and that says that it gives ranges of it: what is read of it is requested, and
 * the rest of the body is not sent. Where the first range does not come (the server wants headers that only the first
 * request had, or gives none after all), the body is read.
 */
export class ResponseFile implements PartsFile {
  readonly source: string;
  readonly size: number;
  readonly #offer: Offer;
  readonly #work: Work;
  readonly #body: BegunBody;
  #isRanged: Promise<boolean> | undefined;
  #whole: Promise<Uint8Array> | undefined;

  private constructor(offer: Offer, work: Work, body: BegunBody) {
    this.source = offer.address.source;
    this.size = offer.size;
    this.#offer = offer;
    this.#work = work;
    this.#body = body;
  }

  /** Undefined for a response of which no ranges can be requested, and for a short one. */
  static of({ status, url, headers }: Response, source: string, work: Work, body: BegunBody): ResponseFile | undefined {
    const size = Number(headers.get('content-length'));
    const isPlain = ['', 'identity'].includes(headers.get('content-encoding') ?? '');
    const isOffered = headers.get('accept-ranges')?.trim().toLowerCase() === 'bytes';
    if (status !== 200 || !isOffered || !isPlain || !(size >= MIN_BYTES) || !/^https?:/.test(url)) return undefined;
    const address = { source, url: new URL(url), headers: {}, elsewhere: 'same' } as const;
    const version = { tag: headers.get('etag'), modified: headers.get('last-modified') };
    return new ResponseFile({ address, size, ...version }, work, body);
  }

  get byteLength(): number {
    return this.size;
  }

  async slice(start: number, end = this.size): Promise<ArrayBuffer> {
    await this.#work.pause();
    const last = Math.min(end, this.size);
    if (this.#isRanged === undefined) {
      const first = this.#range(start, last).catch((error) => {
        this.#work.check();
        if (error instanceof FileError) return undefined;
        throw error;
      });
      this.#isRanged = first.then((bytes) => bytes !== undefined);
      const bytes = await first;
      if (bytes !== undefined) {
        await this.#body.close();
        return bytes;
      }
    }
    if (await this.#isRanged) return this.#range(start, last);
    this.#whole ??= this.#body.bytes();
    return (await this.#whole).slice(start, last).buffer as ArrayBuffer;
  }

  async read(at: number, into: Uint8Array): Promise<void> {
    if (at + into.length > this.size) throw endsEarly(this.source, this.size, at + into.length);
    into.set(new Uint8Array(await this.slice(at, at + into.length)));
  }

  async *pieces(from: number): AsyncGenerator<Uint8Array> {
    for (let at = from; at < this.size; at += MIN_BYTES) yield new Uint8Array(await this.slice(at, at + MIN_BYTES));
  }

  /** Each range is of the version that was begun. */
  async checkUnchanged(): Promise<void> {}

  async close(): Promise<void> {}

  async #range(start: number, end: number): Promise<ArrayBuffer> {
    const { requestRange } = await import('./remote-object.js');
    const { address, ...known } = this.#offer;
    const { signal } = this.#work;
    const retries = this.#isRanged === undefined ? { retries: 0 } : {};
    const span = { offset: start, length: end - start };
    const { bytes } = await requestRange(address, span, { ...retries, ...(signal && { signal }) }, known);
    this.#work.advance(bytes.length);
    return bytes.buffer as ArrayBuffer;
  }
}
