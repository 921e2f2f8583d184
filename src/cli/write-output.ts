import { rmSync } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { FileWriter } from '../batch/file-writer.js';
import { FileError, isPlumecastError } from '../errors.js';
import { reason } from '../file-fault.js';
import { STANDARD } from '../input/read-input.js';

type Blocks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Output of which no more than this is held in memory before it is written. */
const HELD_BYTES = 16_777_216;

/**
 * Writes blocks of bytes to a file, or to standard output, as they come. A file is written under another name and then
 * renamed: it is whole, or it is what it was before. Standard output, too, gets all or nothing: what is too long to hold waits
 * in a temporary file. Throws FileError, and whatever the blocks' maker throws.
 */
export async function writeOutput(path: string, blocks: Blocks): Promise<void> {
  if (path === STANDARD) await writeStandard(blocks);
  else await writeFile(path, blocks);
}

/** Throws FileError where the output would replace one of the inputs, or lie within the folder of one. */
export async function refuseInput(path: string, inputs: readonly string[]): Promise<void> {
  if (path === STANDARD) return;
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
    const file = await open(temporary, 'wx');
    const writer = new FileWriter(file);
    try {
      for await (const block of blocks) await writer.write(block);
    } finally {
      await writer.end().finally(() => file.close());
    }
  });
}

/**
 * Has a file written under a temporary name, and then renames it: it is whole, or it is what it was before. Throws FileError, and
 * whatever `write` throws.
 */
export async function writeWhole(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = temporaryIn(dirname(path), basename(path));
  const stop = removeWhenStopped(temporary);
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw unwritable(path, cause);
  } finally {
    stop();
  }
}

/** Removes a file where the process is told to stop, until the function that it returns is called. */
function removeWhenStopped(path: string): () => void {
  const remove = (signal: NodeJS.Signals) => {
    rmSync(path, { force: true });
    process.kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, remove);
  return () => {
    for (const signal of signals) process.off(signal, remove);
  };
}

async function writeStandard(blocks: Blocks): Promise<void> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  const temporary = temporaryIn(tmpdir(), 'plumecast');
  const stop = removeWhenStopped(temporary);
  try {
    for await (const block of blocks) {
      held.push(block);
      bytes += block.length;
      if (bytes < HELD_BYTES) continue;
      file ??= await open(temporary, 'wx+');
      for (const part of held.splice(0)) await file.appendFile(part);
      bytes = 0;
    }
    if (file !== undefined) {
      for await (const block of file.createReadStream({ start: 0, autoClose: false })) await print(block);
    }
    for (const block of held) await print(block);
  } catch (cause) {
    throw unwritable('standard output', cause);
  } finally {
    await file?.close();
    if (file !== undefined) await rm(temporary, { force: true });
    stop();
  }
}

function print(block: Uint8Array): Promise<void> {
  return new Promise((done, failed) => {
    process.stdout.write(block, (error) => (error ? failed(error) : done()));
  });
}

function temporaryIn(folder: string, name: string): string {
  return join(folder, `.${name}.${process.pid}-${Date.now().toString(36)}.tmp`);
}

/** What the blocks' maker throws is its own; anything else is a fault of the file system. */
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
