import { readFile } from 'node:fs/promises';
import { unreadable } from '../../disk/file-fault.js';
import { isGzip } from '../../files/codecs/gzip.js';

/** The name of standard input and output. */
export const STANDARD = '-';

/** What a file is called in messages. */
export function sourceName(path: string): string {
  return path === STANDARD ? 'standard input' : path;
}

/** The bytes of a file, or of standard input. Throws FileError. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (path !== STANDARD)
    return readFile(path).catch((cause) => Promise.reject(unreadable(path, cause, 'a readable file')));
  return allBytes(standardPieces());
}

/** Standard input piece by piece, and whether it begins like an Arrow IPC stream, or like gzip. */
export async function standardInput(): Promise<{
  isArrowStream: boolean;
  isPacked: boolean;
  pieces: AsyncIterable<Uint8Array>;
}> {
  const rest: AsyncIterator<Uint8Array> = standardPieces();
  let first = Buffer.alloc(0);
  while (first.length < ARROW_STREAM.length) {
    const { done, value } = await rest.next();
    if (done) break;
    first = Buffer.concat([first, value]);
  }
  async function* pieces() {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  const isArrowStream = first.subarray(0, ARROW_STREAM.length).equals(ARROW_STREAM);
  return { isArrowStream, isPacked: isGzip(first), pieces: pieces() };
}

/** What comes on standard input. Throws FileError. */
export async function* standardPieces(): AsyncGenerator<Uint8Array> {
  try {
    yield* process.stdin;
  } catch (cause) {
    throw unreadable('standard input', cause, 'a file or a pipe');
  }
}

/** What an Arrow IPC stream begins with, since Arrow 0.15. */
const ARROW_STREAM = Buffer.from([255, 255, 255, 255]);

export async function allBytes(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
