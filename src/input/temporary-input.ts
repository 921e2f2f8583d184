import { mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwritable } from '../disk/file-fault.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../disk/temporary-file.node.js';
import { isPlumecastError } from '../errors.js';
import type { InputFile } from './input-of-files.js';

/** The name of a copy in its temporary folder. */
const COPY = 'input';

/** A folder for what is unpacked or copied. Throws FileError. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  await removeLeftTemporaries(tmpdir(), 'plumecast');
  const path = temporaryPath(tmpdir(), 'plumecast');
  const stop = removeWhenStopped(path);
  await mkdir(path, { mode: 0o700 }).catch((cause) => {
    stop();
    throw unwritable(path, cause);
  });
  return { path, remove: () => rm(path, { recursive: true, force: true }).finally(stop) };
}

/** Copies bytes to a temporary file, which closing the input removes. Throws FileError, and what the bytes throw. */
export async function copiedFile(source: string, pieces: AsyncIterable<Uint8Array>): Promise<InputFile> {
  const { path: folder, remove: close } = await temporaryFolder();
  try {
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
    throw isPlumecastError(error) ? error : unwritable(folder, error);
  }
}
