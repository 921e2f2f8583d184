import { mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwritable } from '../../disk/file-fault.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../../disk/temporary-file.node.js';
import { STANDARD, sourceName, standardPieces } from './read-input.js';

/** A file that an input is in, and what messages call it. */
export interface InputFile {
  readonly path: string;
  readonly source: string;
  /** To be called when it is no longer needed. */
  close(): Promise<void>;
}

/** The file that an input is in: standard input is put into a temporary one, so that it can be of any format and of any length. */
export async function inputFile(path: string): Promise<InputFile> {
  const source = sourceName(path);
  if (path !== STANDARD) return { path, source, close: async () => {} };
  await removeLeftTemporaries(tmpdir(), 'plumecast');
  const folder = temporaryPath(tmpdir(), 'plumecast');
  const stop = removeWhenStopped(folder);
  const close = () => rm(folder, { recursive: true, force: true }).finally(stop);
  try {
    await mkdir(folder, { mode: 0o700 });
    const copy = join(folder, source);
    const file = await open(copy, 'wx');
    try {
      for await (const piece of standardPieces()) await file.appendFile(piece);
    } finally {
      await file.close();
    }
    return { path: copy, source, close };
  } catch (error) {
    await close();
    throw unwritable(folder, error);
  }
}
