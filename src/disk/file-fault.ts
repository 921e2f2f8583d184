import { FileError, isPlumecastError } from '../errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'part of its path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ELOOP: 'its links lead in a circle',
};

/** The reason of a failure of the file system, in words. */
export function reason({ code, message }: { readonly code?: string; readonly message: string }): string {
  return (code !== undefined && REASONS[code]) || message;
}

/**
 * The FileError for a file that cannot be read, by default one of a store; plumecast's own errors are returned as they
 * are.
 */
export function unreadable(path: string, cause: unknown, allowed = 'a readable file of a store'): Error {
  return fault(path, 'cannot be read', allowed, cause);
}

/**
 * The FileError for a file of a store that cannot be written; errors without a system code are returned as they are.
 */
export function unwritable(path: string, cause: unknown): Error {
  return fault(path, 'cannot be written', 'a folder that can be written to, on a disk with free space', cause);
}

function fault(path: string, problem: string, allowed: string, cause: unknown): Error {
  const error = cause as Error & { code?: string };
  if (isPlumecastError(error) || typeof error.code !== 'string') return error;
  return new FileError({ subject: path, problem: `${problem}: ${reason(error)}`, allowed, cause });
}
