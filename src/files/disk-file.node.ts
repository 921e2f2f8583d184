import { closeSync, fstatSync, read, readSync, type Stats } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { Work } from '../check/work.js';
import { unreadable } from '../disk/file-fault.js';
import { openNow } from '../disk/regular-file.node.js';
import { FileError } from '../errors.js';
import { endsEarly, type ReadyAccess } from './array/random-access.js';
import { HEAD_BYTES } from './byte-source.js';
import type { PartsFile } from './parts-of-file.js';

const READABLE = 'a readable file';
/** One system call reads no more than 2 GiB. */
const MAX_AT_ONCE = 1 << 30;
/** Bytes of a piece of a file. */
const PIECE_BYTES = 1_048_576;
/** To wait for so few bytes takes longer than to read them, where the system has them in memory. */
const FEW_BYTES = 262_144;
/** The milliseconds in which so few bytes are there if the system has them in memory. */
const FEW_MS = 1;
/** The most bytes that are read without waiting: milliseconds. */
const MAX_CACHED_BYTES = 8_388_608;
/**
 * A thread of its own may wait for so many bytes: what is cached is there in microseconds, and the way through the
 * system's threads takes as long as to unpack some thousand numbers.
 */
const MAX_AT_ONCE_IN_THREADS = isMainThread ? 0 : 1 << 20;

/** No descriptor: the system rejects it. */
const CLOSED = -1;

/** A file that is open for reading, and must not change until it is closed. Its methods throw FileError. */
export class DiskFile implements ReadyAccess, PartsFile {
  readonly source: string;
  readonly size: number;
  /** When it was modified, in milliseconds. */
  readonly modified: number;
  /** What distinguishes this file from others, and from what it was before a change. */
  readonly state: string;
  #fd: number;
  /** Reads that are in progress. */
  readonly #reads = new Set<Promise<unknown>>();
  readonly #work: Work | undefined;

  private constructor(fd: number, source: string, { size, mtimeMs, ino }: Stats, work: Work | undefined) {
    this.source = source;
    this.size = size;
    this.modified = mtimeMs;
    this.state = `${ino} ${size} ${mtimeMs}`;
    this.#fd = fd;
    this.#work = work;
  }

  /** Opens a file; `source` is its name in messages, and `work` pauses before it reads. Throws FileError. */
  static async open(path: string, source = path, work?: Work): Promise<DiskFile> {
    try {
      const { fd, status } = openNow(path, source);
      return new DiskFile(fd, source, status, work);
    } catch (cause) {
      throw unreadable(source, cause, READABLE);
    }
  }

  get byteLength(): number {
    return this.size;
  }

  /** The bytes from `start` up to, not including, `end`; a few are read at once. */
  slice(start: number, end = this.size): ArrayBuffer | Promise<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, this.size) - start));
    const isShort = bytes.length <= FEW_BYTES;
    if (!isShort || this.#work?.isDue) return this.#readAll(start, bytes, isShort).then(() => bytes.buffer);
    for (let done = 0; done < bytes.length; ) done += this.#checked(this.readNow(start + done, bytes.subarray(done)));
    this.#work?.advance(bytes.length);
    return bytes.buffer;
  }

  async read(at: number, into: Uint8Array): Promise<void> {
    if (at + into.length > this.size) throw endsEarly(this.source, this.size, at + into.length);
    const isNow = into.length <= MAX_AT_ONCE_IN_THREADS;
    const done = isNow || this.#work?.isDue ? 0 : this.#readCached(at, into);
    if (done < into.length) await this.#readAll(at + done, into.subarray(done), isNow);
  }

  /**
   * Reads what the system has in memory without waiting for its threads, which takes twice as long; what is not there is
   * noticed by the time of a few bytes, and left. Returns how many bytes were read.
   */
  #readCached(at: number, into: Uint8Array): number {
    let done = 0;
    for (let begin = performance.now(); done < Math.min(into.length, MAX_CACHED_BYTES); ) {
      done += this.#checked(this.readNow(at + done, into.subarray(done, done + FEW_BYTES)));
      const end = performance.now();
      if (end - begin > FEW_MS) break;
      begin = end;
    }
    this.#work?.advance(done);
    return done;
  }

  readNow(at: number, into: Uint8Array): number {
    try {
      return readSync(this.#fd, into, 0, Math.min(into.length, MAX_AT_ONCE), at);
    } catch (cause) {
      throw unreadable(this.source, cause, READABLE);
    }
  }

  async #readAll(at: number, into: Uint8Array, isNow: boolean): Promise<void> {
    if (this.#work?.isDue) await this.#work.pause();
    for (let done = 0; done < into.length; ) {
      const rest = into.subarray(done);
      done += this.#checked(isNow ? this.readNow(at + done, rest) : await this.#readLater(at + done, rest));
    }
    this.#work?.advance(into.length);
  }

  async #readLater(at: number, into: Uint8Array): Promise<number> {
    const length = Math.min(into.length, MAX_AT_ONCE);
    const reading = new Promise<number>((resolve, reject) => {
      read(this.#fd, into, 0, length, at, (error, count) => (error === null ? resolve(count) : reject(error)));
    });
    this.#reads.add(reading);
    try {
      return await reading;
    } catch (cause) {
      throw unreadable(this.source, cause, READABLE);
    } finally {
      this.#reads.delete(reading);
    }
  }

  /** The number of bytes that were read; a file that has become shorter has none where it had some. */
  #checked(count: number): number {
    if (count === 0) throw this.#changed();
    return count;
  }

  /** All bytes from `from` on, a megabyte at a time. */
  async *pieces(from = 0): AsyncGenerator<Uint8Array> {
    for (let at = from; at < this.size; at += PIECE_BYTES) yield new Uint8Array(await this.slice(at, at + PIECE_BYTES));
  }

  /** All bytes; each piece is valid until the next one is requested, which is read meanwhile. */
  async *piecesInTurn(): AsyncGenerator<Uint8Array> {
    const buffers = [0, 1].map(() => new Uint8Array(Math.min(PIECE_BYTES, this.size)));
    const read = (at: number) => {
      const piece = buffers[(at / PIECE_BYTES) % 2].subarray(0, Math.max(0, this.size - at));
      const reading = this.#readAll(at, piece, false).then(() => piece);
      // Where the caller stops early, nobody waits for it.
      reading.catch(() => {});
      return reading;
    };
    let next = read(0);
    try {
      for (let at = 0; at < this.size; at += PIECE_BYTES) {
        const piece = await next;
        next = read(at + PIECE_BYTES);
        yield piece;
      }
    } finally {
      // The file is closed afterwards.
      await next.catch(() => {});
    }
  }

  /** Throws a FileError if the file has changed since it was opened; `cause` is the error that this led to. */
  async checkUnchanged(cause?: unknown): Promise<void> {
    const { size, mtimeMs } = this.#stateNow();
    if (size !== this.size || mtimeMs !== this.modified) throw this.#changed(cause);
  }

  #stateNow(): Stats {
    try {
      return fstatSync(this.#fd);
    } catch (cause) {
      throw unreadable(this.source, cause, READABLE);
    }
  }

  /** Closes the file when the reads that are in progress are done; for the second time it does nothing. */
  async close(): Promise<void> {
    const fd = this.#fd;
    this.#fd = CLOSED;
    if (fd === CLOSED) return;
    if (this.#reads.size > 0) await Promise.allSettled(this.#reads);
    closeSync(fd);
  }

  #changed(cause?: unknown): FileError {
    return new FileError({
      subject: this.source,
      problem: 'was changed while it was read',
      allowed: 'a file that stays as it is until it is read',
      cause,
    });
  }
}

/** The first bytes of the file at a path. Throws FileError. */
export async function readHead(path: string, source = path, bytes = HEAD_BYTES): Promise<Uint8Array> {
  const file = await DiskFile.open(path, source);
  try {
    return new Uint8Array(await file.slice(0, bytes));
  } finally {
    await file.close();
  }
}
