import { readFile } from 'node:fs/promises';
import { FileError } from '../errors.js';
import { reason } from '../file-fault.js';

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
