import { FileError, isPlumecastError } from '../errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'part of its path is no folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
};

/** What a failure of the file system means. */
export function reason({ code, message }: { readonly code?: string; readonly message: string }): string {
  return (code !== undefined && REASONS[code]) || message;
}

/** The FileError for what kept a file from being read, by default one of a store; errors of plumecast's own are passed on. */
export function unreadable(path: string, cause: unknown, allowed = 'a readable file of a store'): Error {
  return fault(path, 'cannot be read', allowed, cause);
}

/** The FileError for what kept a file of a store from being written; errors of others, such as a caller's own, are passed on. */
export function unwritable(path: string, cause: unknown): Error {
  return fault(path, 'cannot be written', 'a folder that can be written to, on a disk with room', cause);
}

function fault(path: string, problem: string, allowed: string, cause: unknown): Error {
  const error = cause as Error & { code?: string };
  if (isPlumecastError(error) || typeof error.code !== 'string') return error;
  return new FileError({ subject: path, problem: `${problem}: ${reason(error)}`, allowed, cause });
}
