import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { unreadable } from '../disk/file-fault.js';
import { isAddress } from '../disk/local-path.js';
import { readRegularFile } from '../disk/regular-file.node.js';
import { standardPieces } from '../disk/standard-pieces.node.js';
import { FileError } from '../errors.js';
import { readHead } from '../files/disk-file.node.js';
import { isGzip, isZip } from '../files/foreign-format.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';
import { isArchiveAddress, parseArchiveAddress } from './archive-address.js';
import type { InputFile } from './input-of-files.js';
import { copiedFile } from './temporary-input.js';

export { arraysInput, type InputFile, joinedInput } from './input-of-files.js';

/** The name of standard input and output. */
export const STANDARD = '-';

/** The name of a file in messages. */
export function sourceName(path: string): string {
  if (isArchiveAddress(path)) return parseArchiveAddress(path).name;
  return path === STANDARD ? 'standard input' : path;
}

/** Other names of standard input. */
const STANDARD_PATHS = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];

/** Whether a path is `-`, or another name of standard input where that is no file: a file can be read by its path. */
export async function isStandardInput(path: string): Promise<boolean> {
  if (path === STANDARD) return true;
  return STANDARD_PATHS.includes(path) && !(await statusOf(path))?.isFile();
}

function statusOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** Reads the bytes of a file, or of standard input. Throws FileError. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (await isStandardInput(path)) return joinPieces(standardInput());
  try {
    return await readRegularFile(path);
  } catch (cause) {
    throw unreadable(path, cause, 'a readable file');
  }
}

/** By these an Arrow stream, gzip and archives are known. */
const FIRST_BYTES = 4;

/** Opens standard input piece by piece, with its first bytes, which are also in the first piece. */
export async function openStandardInput(): Promise<{ head: Uint8Array; pieces: AsyncIterable<Uint8Array> }> {
  const rest: AsyncIterator<Uint8Array> = standardInput();
  let head = Buffer.alloc(0);
  while (head.length < FIRST_BYTES) {
    const { done, value } = await rest.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* pieces() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head, pieces: pieces() };
}

/** The pieces of standard input. Throws FileError. */
async function* standardInput(): AsyncGenerator<Uint8Array> {
  try {
    yield* standardPieces();
  } catch (cause) {
    throw unreadable('standard input', cause, 'a file or a pipe');
  }
}

/** The pieces of a named pipe, such as a shell makes of `<(...)`. Throws FileError. */
async function* pipePieces(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (cause) {
    throw unreadable(path, cause, 'a pipe that can be read');
  }
}

export async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/**
 * Opens the file of an input. Standard input and named pipes are copied to a temporary file, so that they can have any
 * format and length; see `openRemoteInput` for addresses. Throws FileError.
 */
export async function openInputFile(
  path: string,
  pieces: () => AsyncIterable<Uint8Array> = standardInput,
): Promise<InputFile> {
  if (await isStandardInput(path)) return copiedFile(sourceName(path), pieces());
  if (FILE_URL.test(path)) return openInputFile(pathOfUrl(path));
  if (isArchiveAddress(path)) return (await import('./archive-input.js')).openArchiveInput(path);
  if (icechunkAddress(path) !== undefined) return { path, source: path, close: async () => {} };
  if (isAddress(path)) return (await import('./remote-input.js')).openRemoteInput(path);
  const status = await statusOf(path);
  if (status?.isFIFO()) return copiedFile(path, pipePieces(path));
  const head = status?.isFile() ? await readHead(path).catch(() => undefined) : undefined;
  const isPacked = head !== undefined && (isGzip(head) || isZip(head));
  const unpacked = isPacked ? await (await import('./unpacked-file.js')).unpackedFile(path) : undefined;
  if (unpacked !== undefined) return unpacked;
  const start = status !== undefined && head !== undefined && { start: { status, head } };
  return { path, source: path, ...start, close: async () => {} };
}

const FILE_URL = /^file:/i;

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new FileError({
      subject: url,
      problem: 'is no address of a file here',
      allowed: 'file:///and/its/path',
      cause,
    });
  }
}
