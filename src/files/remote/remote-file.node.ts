import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { forEachLimited, Work } from '../../check/work.js';
import { unreadable, unwritable } from '../../disk/file-fault.js';
import { BytesElsewhere } from '../array/bytes-elsewhere.js';
import { type ByteSpan, endsEarly, type ReadyAccess } from '../array/random-access.js';
import { byteRuns } from '../array/read-strided.js';
import type { FileAccess } from '../file-access.js';
import type { InventoryText } from '../grib/cube/grib-files.js';
import type { PartsFile } from '../parts-of-file.js';
import { HeldSpans } from './held-spans.js';
import type { RemoteObject } from './remote-object.js';

/** Requests at a time. */
const AT_ONCE = 16;
/** Longer spans are requested in parts. */
const MAX_REQUEST = 4_194_304;
/** Few bytes that are read one after the other, such as headers, are requested with what follows: at least these. */
const PAGE_BYTES = 65_536;
/** Where pages follow each other, up to these. */
const MAX_PAGE = 1_048_576;
/** Bytes of a piece of the file, and how many are requested ahead. */
const PIECE_BYTES = 4_194_304;
const PIECES_AHEAD = 4;

/** How an object becomes a file. */
interface RemoteFileOptions {
  /** The path of a file that does not exist: it will hold what has come, each byte at its place. */
  readonly copy: string;
  /** The index file that stands beside it on the server. */
  readonly inventory?: InventoryText;
}

/**
 * A file on a server, of which the bytes that are needed are requested once and kept in a file on the disk. Its methods
 * throw FileError.
 */
export class RemoteFile implements ReadyAccess, PartsFile {
  readonly source: string;
  readonly size: number;
  readonly #object: RemoteObject;
  readonly #inventory: InventoryText | undefined;
  readonly #copy: FileHandle;
  readonly #path: string;
  readonly #held = new HeldSpans();
  /** Spans that are being requested. */
  readonly #coming = new Map<ByteSpan, Promise<void>>();
  /** Where the last page ended, and its bytes. */
  #page = { end: -1, bytes: PAGE_BYTES };

  private constructor(object: RemoteObject, copy: FileHandle, { copy: path, inventory }: RemoteFileOptions) {
    this.source = object.source;
    this.size = object.size;
    this.#object = object;
    this.#inventory = inventory;
    this.#copy = copy;
    this.#path = path;
  }

  static async open(object: RemoteObject, options: RemoteFileOptions): Promise<RemoteFile> {
    const copy = await open(options.copy, 'wx+').catch((cause) => {
      throw unwritable(options.copy, cause);
    });
    const file = new RemoteFile(object, copy, options);
    try {
      await file.#keep(0, object.head);
      return file;
    } catch (error) {
      await copy.close();
      throw error;
    }
  }

  get byteLength(): number {
    return this.size;
  }

  /** The file as readers of formats take it. */
  access(work = new Work({}, 'bytes')): FileAccess {
    const inventory = this.#inventory;
    return {
      ...{ source: this.source, head: this.#object.head, random: this, work },
      bytes: async () => new Uint8Array(await this.slice(0)),
      pieces: () => this.pieces(),
      parts: { file: this, others: undefined },
      ...(inventory && { inventory: async () => inventory }),
    };
  }

  async read(at: number, into: Uint8Array): Promise<void> {
    if (at + into.length > this.size) throw endsEarly(this.source, this.size, at + into.length);
    await this.#bring(at, into.length);
    this.#readHeld(at, into);
  }

  readNow(at: number, into: Uint8Array): number {
    const length = Math.max(0, Math.min(into.length, this.size - at));
    if (this.#held.missing({ offset: at, length }).length > 0) throw new BytesElsewhere(() => this.#bring(at, length));
    this.#readHeld(at, into.subarray(0, length));
    return length;
  }

  /** Requests bytes that will be read, without those that are here: neighbours together, and several at once. */
  async fetch(spans: readonly ByteSpan[]): Promise<void> {
    for (let others = this.#others(spans); others.length > 0; others = this.#others(spans)) await Promise.all(others);
    const parts = byteRuns(
      spans.flatMap((span) => this.#held.missing(span)),
      true,
    ).flatMap(inParts);
    const requests = forEachLimited(parts, AT_ONCE, async ({ offset, length }) => {
      await this.#keep(offset, await this.#object.range(offset, length));
    });
    const end = requests.catch(() => {});
    for (const part of parts) this.#coming.set(part, end);
    try {
      await requests;
    } finally {
      for (const part of parts) this.#coming.delete(part);
    }
  }

  /** The requests under way that bring bytes of spans. */
  #others(spans: readonly ByteSpan[]): Promise<void>[] {
    return [...this.#coming].flatMap(([span, end]) => (spans.some((each) => overlap(each, span)) ? end : []));
  }

  async slice(start: number, end = this.size): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, this.size) - start));
    await this.read(start, bytes);
    return bytes.buffer;
  }

  async *pieces(from = 0): AsyncGenerator<Uint8Array> {
    for (let at = from; at < this.size; at += PIECE_BYTES) {
      await this.fetch([{ offset: at, length: Math.min(PIECES_AHEAD * PIECE_BYTES, this.size - at) }]);
      yield new Uint8Array(await this.slice(at, at + PIECE_BYTES));
    }
  }

  /** Each response is of the version that was opened. */
  async checkUnchanged(): Promise<void> {}

  /** Readers close what they read; it is kept until `end`. */
  async close(): Promise<void> {}

  /** Closes what has come. */
  async end(): Promise<void> {
    await this.#copy.close();
  }

  async #bring(at: number, length: number): Promise<void> {
    while (this.#held.missing({ offset: at, length }).length > 0) {
      await this.fetch([length < PAGE_BYTES ? this.#pageOf(at, length) : { offset: at, length }]);
    }
  }

  /** Few bytes with what follows, the more, the more pages follow each other; at the end, with what is before. */
  #pageOf(at: number, length: number): ByteSpan {
    const [{ offset: first }] = this.#held.missing({ offset: at, length });
    const offset = Math.max(0, Math.min(first, this.size - PAGE_BYTES));
    const isNext = offset === this.#page.end;
    const bytes = isNext ? Math.min(MAX_PAGE, 2 * this.#page.bytes) : PAGE_BYTES;
    const end = Math.min(this.size, Math.max(at + length, offset + bytes));
    this.#page = { end, bytes };
    return { offset, length: end - offset };
  }

  async #keep(at: number, bytes: Uint8Array): Promise<void> {
    await this.#copy.write(bytes, 0, bytes.length, at).catch((cause) => {
      throw unwritable(this.#path, cause);
    });
    this.#held.add({ offset: at, length: bytes.length });
  }

  #readHeld(at: number, into: Uint8Array): void {
    try {
      for (let done = 0; done < into.length; ) {
        const count = readSync(this.#copy.fd, into, done, into.length - done, at + done);
        if (count === 0) throw endsEarly(this.#path, at + done, at + into.length);
        done += count;
      }
    } catch (cause) {
      throw unreadable(this.#path, cause, 'a copy that stays as it is until it is read');
    }
  }
}

function overlap(one: ByteSpan, other: ByteSpan): boolean {
  return one.offset < other.offset + other.length && other.offset < one.offset + one.length;
}

function inParts({ offset, length }: ByteSpan): ByteSpan[] {
  const count = Math.ceil(length / MAX_REQUEST);
  return Array.from({ length: count }, (_, i) => {
    const from = i * MAX_REQUEST;
    return { offset: offset + from, length: Math.min(MAX_REQUEST, length - from) };
  });
}
