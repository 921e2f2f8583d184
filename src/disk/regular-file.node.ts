import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FileError } from '../errors.js';

/** A named pipe that nobody writes to would be waited for without end; a terminal must not become that of the process. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file for reading. Rejects with FileError where the path is that of a folder, a named pipe, a device or a
 * socket: these may never end, or give other bytes to each reader. `source` names it in messages. Rejects with the error
 * of the system where it cannot be opened.
 */
export async function openRegularFile(path: string, source = path): Promise<FileHandle> {
  const handle = await open(path, READ_AT_ONCE).catch((cause: NodeJS.ErrnoException) => {
    // What the system says of a socket, and of a device that is not there.
    throw cause.code === 'ENXIO' ? notRegular(source, 'a socket or a device', cause) : cause;
  });
  try {
    assertRegularFile(await handle.stat(), source);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a file into memory. Rejects as `openRegularFile`. */
export async function readRegularFile(path: string, source = path): Promise<Buffer> {
  const handle = await openRegularFile(path, source);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Throws FileError unless the status of `source` is that of a file. */
export function assertRegularFile(status: Stats, source: string): void {
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
