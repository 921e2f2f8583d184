import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { STANDARD } from '../batch/run/input-file.js';
import { reason, unreadable } from '../disk/file-fault.js';
import { FileWriter } from '../disk/file-writer.node.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../disk/temporary-file.node.js';
import { FileError, isPlumecastError } from '../errors.js';

type Blocks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** What messages call it. */
export const STANDARD_OUTPUT = 'standard output';
/** Output of which no more than this is held in memory before it is written. */
const HELD_BYTES = 16_777_216;
/** What temporary files of no other name are called. */
const PROGRAM = 'plumecast';

/**
 * Writes blocks of bytes to a file, or to standard output, as they come. A file is written under another name and then
 * renamed: it is whole, or it is what it was before. Standard output, too, gets all or nothing: what is too long to hold waits
 * in a temporary file. Throws FileError, and whatever the blocks' maker throws.
 */
export async function writeOutput(path: string, blocks: Blocks): Promise<void> {
  if (path === STANDARD) await writeStandard(blocks);
  else await writeFile(path, blocks);
}

/**
 * Throws FileError where the output would replace one of the inputs, or lie within the folder of one, and where it is there already and
 * no file, or its folder is not.
 */
export async function assertOutput(path: string, inputs: readonly string[]): Promise<void> {
  if (path === STANDARD) return;
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined && !there.isFile()) {
    const problem = there.isDirectory() ? 'is a folder' : 'is no regular file';
    throw new FileError({ subject: path, problem, allowed: 'the path of a file, or - for standard output' });
  }
  await stat(join(dirname(path), sep)).catch((cause) => {
    throw unwritable(path, cause);
  });
  const real = (name: string) => realpath(name).catch(() => undefined);
  const [output, folder] = [await real(path), await real(dirname(path))];
  for (const input of inputs) {
    const given = input === STANDARD ? undefined : await real(input);
    if (given === undefined) continue;
    const isWithin = folder !== undefined && `${folder}${sep}`.startsWith(`${given}${sep}`);
    if (output !== given && !isWithin) continue;
    const problem = isWithin ? `lies within an input, ${input}` : 'is also an input';
    throw new FileError({ subject: path, problem, allowed: 'another path to write to' });
  }
}

async function writeFile(path: string, blocks: Blocks): Promise<void> {
  await writeWhole(path, async (temporary) => {
    const fail = (cause: unknown) => {
      throw unwritable(path, cause);
    };
    const file = await open(temporary, 'wx').catch(fail);
    const writer = new FileWriter(file);
    try {
      for await (const block of blocks) await writer.write(block).catch(fail);
      await writer.end().catch(fail);
    } finally {
      // Where the blocks' maker has failed that is told, whatever becomes of the rest.
      await writer.end().catch(() => {});
      await file.close().catch(fail);
    }
  });
}

/**
 * Has a file written under a temporary name, and then renames it: it is whole, or it is what it was before. Temporary files of the
 * same name that killed processes have left are removed. Throws FileError, and whatever `write` throws.
 */
export async function writeWhole(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  await removeLeftTemporaries(folder, name);
  const temporary = temporaryPath(folder, name);
  const stop = removeWhenStopped(temporary);
  try {
    await write(temporary);
    await rename(temporary, path).catch((cause) => {
      throw unwritable(path, cause);
    });
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw isPlumecastError(cause, 'file') && cause.subject === temporary ? unwritable(path, cause.cause) : cause;
  } finally {
    stop();
  }
}

async function writeStandard(blocks: Blocks): Promise<void> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  await removeLeftTemporaries(tmpdir(), PROGRAM);
  const temporary = temporaryPath(tmpdir(), PROGRAM);
  const stop = removeWhenStopped(temporary);
  const failTemporary = (cause: unknown) => {
    throw unwritable(temporary, cause);
  };
  try {
    for await (const block of blocks) {
      held.push(block);
      bytes += block.length;
      if (bytes < HELD_BYTES) continue;
      file ??= await open(temporary, 'wx+').catch(failTemporary);
      for (const part of held.splice(0)) await file.appendFile(part).catch(failTemporary);
      bytes = 0;
    }
    if (file !== undefined) {
      await printFile(file).catch((cause) => {
        throw unreadable(temporary, cause, 'what was written to it');
      });
    }
    for (const block of held) await print(block);
  } finally {
    await file?.close();
    if (file !== undefined) await rm(temporary, { force: true });
    stop();
  }
}

async function printFile(file: FileHandle): Promise<void> {
  for await (const block of file.createReadStream({ start: 0, autoClose: false })) await print(block);
}

function print(block: Uint8Array): Promise<void> {
  return new Promise((done, failed) => {
    process.stdout.write(block, (error) => (error ? failed(unwritable(STANDARD_OUTPUT, error)) : done()));
  });
}

/** Errors that are none of the file system are passed on. */
function unwritable(path: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (isPlumecastError(cause) || code === undefined) return cause;
  return new FileError({
    subject: path,
    problem: `cannot be written: ${reason(cause as NodeJS.ErrnoException)}`,
    allowed: 'a path in a folder that exists and can be written to',
    cause,
  });
}
