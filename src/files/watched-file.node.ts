import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { unreadable } from '../disk/file-fault.js';
import { FileError } from '../errors.js';
import { openFile } from './arrow/arrow-file.node.js';

/** One system call reads no more than 2 GiB. */
const MAX_AT_ONCE = 1 << 30;
/** Bytes of a file that are read at a time. */
const PIECE_BYTES = 1_048_576;
/** To wait for so few bytes takes longer than to read them, where the system has them in memory. */
const FEW_BYTES = 262_144;

/** A file that is open for reading, and must not change until it is closed. Its methods throw FileError. */
export class WatchedFile {
  readonly byteLength: number;
  readonly handle: FileHandle;
  /** What distinguishes this file from others, and from what it was before a change. */
  readonly state: string;
  readonly #source: string;
  /** The time of the last write, in nanoseconds. */
  readonly #written: bigint;

  private constructor(handle: FileHandle, source: string, { size, written, inode }: FileState) {
    this.handle = handle;
    this.byteLength = Number(size);
    this.state = `${inode} ${size} ${written}`;
    this.#source = source;
    this.#written = written;
  }

  static async open(path: string, source: string): Promise<WatchedFile> {
    const handle = await openFile(path, source);
    try {
      return new WatchedFile(handle, source, await readFileState(handle, source));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The bytes from `start` up to, not including, `end`; a few are read at once. */
  slice(start: number, end = this.byteLength): ArrayBuffer | Promise<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, this.byteLength) - start));
    if (bytes.length > FEW_BYTES) return this.read(bytes, start).then(() => bytes.buffer);
    this.#readNow(bytes, start);
    return bytes.buffer;
  }

  #readNow(bytes: Uint8Array, start: number): void {
    for (let done = 0; done < bytes.length; ) {
      let count: number;
      try {
        count = readSync(this.handle.fd, bytes, done, bytes.length - done, start + done);
      } catch (cause) {
        throw this.#unreadable(cause);
      }
      if (count === 0) throw changed(this.#source);
      done += count;
    }
  }

  #unreadable(cause: unknown): unknown {
    return unreadable(this.#source, cause, 'a readable file');
  }

  /** All bytes from `from` on, a megabyte at a time. */
  async *pieces(from = 0): AsyncGenerator<Uint8Array> {
    for (let at = from; at < this.byteLength; at += PIECE_BYTES)
      yield new Uint8Array(await this.slice(at, at + PIECE_BYTES));
  }

  /** As `pieces`, each valid until the next is requested: the next is read meanwhile. */
  async *piecesInTurn(): AsyncGenerator<Uint8Array> {
    const buffers = [0, 1].map(() => new Uint8Array(Math.min(PIECE_BYTES, this.byteLength)));
    const read = (at: number) => {
      const piece = buffers[(at / PIECE_BYTES) % 2].subarray(0, Math.max(0, this.byteLength - at));
      const reading = this.read(piece, at).then(() => piece);
      // Where the caller stops early, nobody waits for it.
      reading.catch(() => {});
      return reading;
    };
    let next = read(0);
    try {
      for (let at = 0; at < this.byteLength; at += PIECE_BYTES) {
        const piece = await next;
        next = read(at + PIECE_BYTES);
        yield piece;
      }
    } finally {
      // The file is closed afterwards.
      await next.catch(() => {});
    }
  }

  /** Fills `bytes` with those from `start` on. */
  async read(bytes: Uint8Array, start: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const length = Math.min(bytes.length - done, MAX_AT_ONCE);
      const { bytesRead } = await this.handle.read(bytes, done, length, start + done).catch((cause) => {
        throw this.#unreadable(cause);
      });
      if (bytesRead === 0) throw changed(this.#source);
      done += bytesRead;
    }
  }

  /** Throws a FileError if the file has changed since it was opened; `cause` is the error that this led to. */
  async assertUnchanged(cause?: unknown): Promise<void> {
    const { size, written } = await readFileState(this.handle, this.#source);
    if (Number(size) !== this.byteLength || written !== this.#written) throw changed(this.#source, cause);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

interface FileState {
  readonly size: bigint;
  /** The time of the last write, in nanoseconds. */
  readonly written: bigint;
  readonly inode: bigint;
}

async function readFileState(handle: FileHandle, source: string): Promise<FileState> {
  try {
    const { size, mtimeNs: written, ino: inode } = await handle.stat({ bigint: true });
    return { size, written, inode };
  } catch (cause) {
    throw unreadable(source, cause, 'a readable file');
  }
}

function changed(source: string, cause?: unknown): FileError {
  return new FileError({
    subject: source,
    problem: 'was changed while it was read',
    allowed: 'a file that stays as it is until it is read',
    cause,
  });
}
