import { fstatSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { unreadable } from '../../disk/file-fault.js';
import { openWithStatus } from '../../disk/regular-file.node.js';
import { FileError } from '../../errors.js';
import { endsEarly, type ReadyAccess } from './random-access.js';

const READABLE = 'a file that can be read';
const UNCHANGING = 'a file that nobody writes to while it is read';
/** One system call reads no more than 2 GiB. */
const MAX_AT_ONCE = 1 << 30;

/**
 * A thread of its own may wait for so many bytes: what is cached is there in microseconds, and the way through the
 * system's threads takes as long as to unpack some thousand numbers.
 */
const MAX_AT_ONCE_IN_THREADS = isMainThread ? 0 : 1 << 20;

/** An open file. */
export interface FileAccess extends ReadyAccess {
  /** When it was modified, in milliseconds. */
  readonly modified: number;
}

/** Opens a file for reading range by range; `source` is its name in messages. Throws FileError. */
export async function openFileAccess(path: string, source = path): Promise<FileAccess> {
  const fault = (cause: unknown) => Promise.reject(unreadable(source, cause, READABLE));
  const { handle, status } = await openWithStatus(path, { source }).catch(fault);
  const { size, mtimeMs } = status;
  const readLater = async (into: Uint8Array, from: number, length: number, at: number) => {
    const { bytesRead } = await handle.read(into, from, length, at).catch(fault);
    return bytesRead;
  };
  const readNow = (into: Uint8Array, from: number, length: number, at: number) => {
    try {
      return readSync(handle.fd, into, from, length, at);
    } catch (cause) {
      throw unreadable(source, cause, READABLE);
    }
  };
  const stateNow = () => {
    try {
      return fstatSync(handle.fd);
    } catch (cause) {
      throw unreadable(source, cause, READABLE);
    }
  };

  return {
    source,
    size,
    modified: mtimeMs,
    async read(at, into) {
      if (at + into.length > size) throw endsEarly(source, size, at + into.length);
      for (let done = 0; done < into.length; ) {
        const length = Math.min(into.length - done, MAX_AT_ONCE);
        const bytesRead =
          length <= MAX_AT_ONCE_IN_THREADS
            ? readNow(into, done, length, at + done)
            : await readLater(into, done, length, at + done);
        if (bytesRead === 0) {
          throw new FileError({ subject: source, problem: 'became shorter while it was read', allowed: UNCHANGING });
        }
        done += bytesRead;
      }
    },
    readNow: (at, into) => readNow(into, 0, Math.min(into.length, MAX_AT_ONCE), at),
    async checkUnchanged() {
      const now = isMainThread ? await handle.stat().catch(fault) : stateNow();
      if (now.size === size && now.mtimeMs === mtimeMs) return;
      throw new FileError({ subject: source, problem: 'changed while it was read', allowed: UNCHANGING });
    },
    close: () => handle.close(),
  };
}
