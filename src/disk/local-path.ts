import { FileError } from '../errors.js';

/** Also with one slash, as a shell or a library leaves it of two. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]+:\/\/|(?:s3a?|gs|gcs|az|abfss?|hdfs|https?|ftp|file):\/)/i;

/** Whether a text is an address rather than a path. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** A path, or an address without user, password and query, for messages. */
export function nameOfPath(path: string): string {
  return isAddress(path) ? path.replace(/\/\/[^/]*@/, '//').replace(/[?#].*$/s, '') : path;
}

/** Throws FileError for an output that is an address: it would become a folder called `s3:`. */
export function assertLocalPath(path: string): void {
  if (!isAddress(path)) return;
  throw new FileError({
    subject: nameOfPath(path),
    problem: 'is an address, and outputs are written to files',
    allowed: 'the path of a file or folder',
  });
}
