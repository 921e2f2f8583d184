import { readFile } from 'node:fs/promises';
import { FileError } from '../errors.js';

/** The name of standard input and output. */
export const STANDARD = '-';

/** What a file is called in messages. */
export function sourceName(path: string): string {
  return path === STANDARD ? 'standard input' : path;
}

/** The bytes of a file, or of standard input. Throws FileError. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (path !== STANDARD) return readFile(path).catch((cause) => Promise.reject(unreadable(path, cause)));
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function unreadable(path: string, cause: NodeJS.ErrnoException): FileError {
  return new FileError({
    subject: path,
    problem: `cannot be read: ${reason(cause)}`,
    allowed: 'a readable file',
    cause,
  });
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'part of its path is no folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
};

/** What a failure of the file system means. */
export function reason({ code, message }: NodeJS.ErrnoException): string {
  return (code !== undefined && REASONS[code]) || message;
}
