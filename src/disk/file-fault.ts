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

/** What to do where the process, or the system, has no room for another open file. */
const MORE_FILES = 'a higher limit of open files, such as ulimit -n 1024';

/**
 * The FileError for a system error of too many open files, wherever it occurred; other errors are returned as they are.
 */
export function tooManyFiles(error: unknown): unknown {
  if (isPlumecastError(error) || !isOfTooManyFiles(error)) return error;
  const { path = 'this process', code } = error as NodeJS.ErrnoException;
  const problem = `cannot be opened: ${REASONS[code as string]}`;
  return new FileError({ subject: path, problem, allowed: MORE_FILES, cause: error });
}

/** Whether an error, or its cause, is that the process, or the system, has too many open files. */
export function isOfTooManyFiles(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  return code === 'EMFILE' || code === 'ENFILE' || (cause !== undefined && isOfTooManyFiles(cause));
}

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
  const remedy = isOfTooManyFiles(error) ? MORE_FILES : allowed;
  return new FileError({ subject: path, problem: `${problem}: ${reason(error)}`, allowed: remedy, cause });
}
