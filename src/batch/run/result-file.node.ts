import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { unreadable, unwritable } from '../../disk/file-fault.js';
import type { ResultBytes } from './result-buffer.js';

/** Results in a file; several threads may write to different positions at the same time. */
export class FileStore implements ResultBytes {
  readonly #path: string;
  readonly #file: number;

  /** Opens a file, and creates it if needed. Throws FileError. */
  constructor(path: string) {
    this.#path = path;
    try {
      // Not 'a+', which writes everything to the end, nor 'w+', which empties the file.
      this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT);
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
        if (count === 0) throw Object.assign(new Error('it ends before the last result'), { code: 'EOF' });
        done += count;
      }
    } catch (cause) {
      throw unreadable(this.#path, cause, 'the results that were written to it');
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
