import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { unreadable, unwritable } from '../disk/file-fault.js';
import type { ResultBytes } from './result-buffer.js';

/** Bytes in a file, such as results; several threads may write to different positions at the same time. */
export class FileStore implements ResultBytes {
  readonly #path: string;
  readonly #file: number;

  /**
   * Opens a file, and creates it if needed. An `unnamed` file is created, and loses its name at once: no other program
   * can open it, and it is gone when it is closed or the process ends. Throws FileError.
   */
  constructor(path: string, kind: 'named' | 'unnamed' = 'named') {
    this.#path = path;
    try {
      // Not 'a+', which writes everything to the end, nor 'w+', which empties the file.
      const flags = constants.O_RDWR | constants.O_CREAT;
      this.#file = kind === 'named' ? openSync(path, flags) : openUnnamed(path, flags | constants.O_EXCL);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  write(bytes: Uint8Array, at: number): void {
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#file, bytes, done, bytes.length - done, at + done);
    } catch (cause) {
      throw unwritable(this.#path, cause);
    }
  }

  read(into: Uint8Array, at: number): void {
    try {
      for (let done = 0; done < into.length; ) {
        const count = readSync(this.#file, into, done, into.length - done, at + done);
        if (count === 0) throw Object.assign(new Error('it ends too early'), { code: 'EOF' });
        done += count;
      }
    } catch (cause) {
      throw unreadable(this.#path, cause, 'the bytes that were written to it');
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

function openUnnamed(path: string, flags: number): number {
  const file = openSync(path, flags, 0o600);
  try {
    unlinkSync(path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
