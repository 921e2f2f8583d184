import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FileError } from '../errors.js';

/** A named pipe that nobody writes to would be waited for without end; the process must not take a terminal as its own. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A link is not followed, where the system can do that: its error is `ELOOP`. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
/** One system call reads no more than 2 GiB. */
const MAX_AT_ONCE = 1 << 30;
/** Longer files are not read in one piece. */
const MAX_BYTES = 2 ** 31 - 1;

/** A file that is open for reading, and its state when it was opened. */
export interface RegularFile {
  readonly handle: FileHandle;
  readonly status: Stats;
}

/** How a file is opened. */
export interface OpenFileOptions {
  /** The name of the file in messages. */
  readonly source?: string;
  /** Whether a link is opened as the file that it leads to; else it is an error of the system, `ELOOP`. */
  readonly followsLink?: boolean;
}

/**
 * Opens a file for reading. Rejects with FileError where the path names a folder, a named pipe, a device or a
 * socket: these may never end, or give other bytes to each reader. `source` names it in messages. Rejects with the error
 * of the system where it cannot be opened.
 */
export async function openRegularFile(path: string, source = path): Promise<FileHandle> {
  return (await openWithStatus(path, { source })).handle;
}

/** Like `openRegularFile`, with the state of the file. */
export async function openWithStatus(
  path: string,
  { source = path, followsLink = true }: OpenFileOptions = {},
): Promise<RegularFile> {
  const flags = followsLink ? READ_AT_ONCE : READ_AT_ONCE | NO_LINK;
  const handle = await open(path, flags).catch((cause) => {
    throw refusal(cause, source);
  });
  try {
    const status = await handle.stat();
    assertRegularFile(status, source);
    return { handle, status };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Like `openWithStatus`, without waiting for the system's threads, which takes five times as long where the folder is in
 * memory: many files are opened so. The caller closes the descriptor.
 */
export function openNow(path: string, source = path): { readonly fd: number; readonly status: Stats } {
  const fd = openReadable(path, source);
  try {
    const status = fstatSync(fd);
    assertRegularFile(status, source);
    return { fd, status };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openReadable(path: string, source: string): number {
  try {
    return openSync(path, READ_AT_ONCE);
  } catch (cause) {
    throw refusal(cause, source);
  }
}

/** What the system says of a socket, and of a device that is not there, in words; other errors as they are. */
function refusal(cause: unknown, source: string): unknown {
  return (cause as NodeJS.ErrnoException).code === 'ENXIO' ? notRegular(source, 'a socket or a device', cause) : cause;
}

/** How a file is read to its end. */
export interface ReadFileOptions {
  /** The name of the file in messages. */
  readonly source?: string;
  /** The most bytes that the file may have; 2 GiB by default. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a file into memory. Rejects as `openRegularFile`, and with FileError for a longer file than `maxBytes`, before
 * it reads any.
 */
export async function readRegularFile(path: string, options: ReadFileOptions = {}): Promise<Buffer> {
  const { handle, status } = await openWithStatus(path, options);
  try {
    return await readWhole(handle, status.size, { source: path, ...options });
  } finally {
    await handle.close();
  }
}

/** Reads an open file of `size` bytes into memory; fewer bytes where it became shorter. Rejects as `readRegularFile`. */
export async function readWhole(
  handle: FileHandle,
  size: number,
  { source, maxBytes = MAX_BYTES, signal }: ReadFileOptions & { readonly source: string },
): Promise<Buffer> {
  if (size > maxBytes) {
    const allowed = `at most ${maxBytes} bytes`;
    throw new FileError({ subject: source, problem: 'is too long', received: `${size} bytes`, allowed });
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let done = 0; done < size; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(bytes, done, Math.min(size - done, MAX_AT_ONCE), done);
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}

/** Throws FileError unless `source` is a file by its status. */
function assertRegularFile(status: Stats, source: string): void {
  if (!status.isFile()) throw notRegular(source, kindOf(status));
}

function notRegular(source: string, kind: string, cause?: unknown): FileError {
  return new FileError({
    subject: source,
    problem: `is ${kind}, and only files are read here`,
    allowed: 'a file',
    cause,
  });
}

function kindOf(status: Stats): string {
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a named pipe';
  if (status.isSocket()) return 'a socket';
  return 'a device';
}
