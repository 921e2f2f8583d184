import { createReadStream, type Stats } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unreadable, unwritable } from '../disk/file-fault.js';
import { readRegularFile } from '../disk/regular-file.node.js';
import { standardPieces } from '../disk/standard-pieces.node.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../disk/temporary-file.node.js';
import { isAddress, openAddress } from './remote-file.js';

/** The name of standard input and output. */
export const STANDARD = '-';

/** The name of a file in messages. */
export function sourceName(path: string): string {
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

/** By these an Arrow stream is known. */
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

/** The file of an input, and its name in messages. */
export interface InputFile {
  readonly path: string;
  readonly source: string;
  /** All files of the input, where several GRIB files make one: `path` is the first. */
  readonly files?: readonly string[];
  /** Call it when the file is no longer needed. */
  close(): Promise<void>;
}

/** One input of several GRIB files, such as one for each member and step. */
export function gribInput(files: readonly string[]): InputFile {
  const [path] = files;
  return { path, files, source: `${path} and ${files.length - 1} more`, close: async () => {} };
}

/**
 * Opens the file of an input. Standard input, named pipes and files at web addresses are copied to a temporary file, so
 * that they can have any format and length; a Zarr store at an address stays there. Throws FileError.
 */
export async function openInputFile(
  path: string,
  pieces: () => AsyncIterable<Uint8Array> = standardInput,
): Promise<InputFile> {
  if (await isStandardInput(path)) return copiedFile(sourceName(path), pieces());
  if (isAddress(path)) {
    const found = await openAddress(path);
    if (found.kind === 'file') return copiedFile(found.source, found.pieces());
    return { path, source: found.source, close: async () => {} };
  }
  if ((await statusOf(path))?.isFIFO()) return copiedFile(path, pipePieces(path));
  return { path, source: path, close: async () => {} };
}

/** The name of a copy in its temporary folder. */
const COPY = 'input';

async function copiedFile(source: string, pieces: AsyncIterable<Uint8Array>): Promise<InputFile> {
  await removeLeftTemporaries(tmpdir(), 'plumecast');
  const folder = temporaryPath(tmpdir(), 'plumecast');
  const stop = removeWhenStopped(folder);
  const close = () => rm(folder, { recursive: true, force: true }).finally(stop);
  try {
    await mkdir(folder, { mode: 0o700 });
    const copy = join(folder, COPY);
    const file = await open(copy, 'wx');
    try {
      for await (const piece of pieces) await file.appendFile(piece);
    } finally {
      await file.close();
    }
    return { path: copy, source, close };
  } catch (error) {
    await close();
    throw unwritable(folder, error);
  }
}
