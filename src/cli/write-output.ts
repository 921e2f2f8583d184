import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { reason, unreadable } from '../disk/file-fault.js';
import { FileWriter } from '../disk/file-writer.node.js';
import { isAddress } from '../disk/local-path.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../disk/temporary-file.node.js';
import { FileError, isPlumecastError } from '../errors.js';
import { STANDARD } from '../input/input-file.js';
import { checkTemplate, folderOfTemplate, isTemplate } from './write-partitions.js';

type Blocks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The name of standard output in messages. */
export const STANDARD_OUTPUT = 'standard output';
/** The maximum size of output that is held in memory before it is written. */
const HELD_BYTES = 16_777_216;
/** The name of temporary files for standard output. */
const PROGRAM = 'plumecast';

/**
 * Writes blocks of bytes to a file, or to standard output. A file is written under another name and then renamed, so
 * that it is complete, or as it was before. Standard output also gets everything or nothing: output that is too large
 * for memory is collected in a temporary file. An object in a bucket of S3 (`s3://BUCKET/KEY`) is there as a whole, or as it
 * was before, too. Throws FileError, and what `blocks` throws.
 */
export async function writeOutput(path: string, blocks: Blocks): Promise<void> {
  if (path === STANDARD) await writeStandard(blocks);
  else if (isAddress(path)) await (await import('./bucket-output.js')).writeToBucket(path, await begun(blocks));
  else await writeFile(path, blocks);
}

/**
 * Throws FileError if the output would replace one of the inputs, or is within the folder of one; if the path exists
 * and is not a file, or for a Zarr store not a store; and if its folder does not exist.
 */
export async function assertOutput(path: string, inputs: readonly string[], isStore = false): Promise<void> {
  if (path === STANDARD) return;
  if (isAddress(path)) return (await import('./bucket-output.js')).assertBucketOutput(path, inputs, isStore);
  if (isTemplate(path)) return assertTemplate(path, inputs);
  if (isStore) await (await import('../input/grid-door.js')).assertStoreOrNothing(path);
  const existing = isStore ? undefined : await stat(path).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) {
    const problem = existing.isDirectory() ? 'is a folder' : 'is not a regular file';
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
    const holds = output !== undefined && given.startsWith(`${output}${sep}`);
    if (output !== given && !isWithin && !holds) continue;
    const problem = isWithin ? `is within an input, ${input}` : holds ? `holds an input, ${input}` : 'is also an input';
    throw new FileError({ subject: path, problem, allowed: 'another path to write to' });
  }
}

/**
 * Throws FileError if the files of a template, whose names are not known yet, could replace one of the inputs, or are
 * within the folder of one.
 */
async function assertTemplate(path: string, inputs: readonly string[]): Promise<void> {
  checkTemplate(path);
  const folder = folderOfTemplate(path);
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return;
  const escaped = join(real, relative(folder, path)).replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const own = new RegExp(`^${escaped.replace(/\{\w+\}/g, '[^/]*')}$`);
  for (const input of inputs) {
    const given = input === STANDARD ? undefined : await realpath(input).catch(() => undefined);
    if (given === undefined) continue;
    const isWithin = `${real}${sep}`.startsWith(`${given}${sep}`);
    if (!isWithin && !own.test(given)) continue;
    const problem = isWithin ? `is within an input, ${input}` : `would replace an input, ${input}`;
    throw new FileError({ subject: path, problem, allowed: 'another path to write to' });
  }
}

async function writeFile(path: string, given: Blocks): Promise<void> {
  // The file is not begun before there are bytes for it: what is computed first may take long.
  const blocks = await begun(given);
  await writeAtomically(path, async (temporary) => {
    const fail = (cause: unknown) => {
      throw unwritable(path, cause);
    };
    const file = await open(temporary, 'wx').catch(fail);
    const writer = new FileWriter(file);
    try {
      for await (const block of blocks) await writer.write(block).catch(fail);
      await writer.end().catch(fail);
    } finally {
      // An error of `blocks` is more important than one of closing the file.
      await writer.end().catch(() => {});
      await file.close().catch(fail);
    }
  });
}

/** The blocks, of which the first ones are there: all, or as many as are held in memory. */
async function begun(blocks: Blocks): Promise<Blocks> {
  const iterator = Symbol.asyncIterator in blocks ? blocks[Symbol.asyncIterator]() : blocks[Symbol.iterator]();
  const held: Uint8Array[] = [];
  let bytes = 0;
  let next = await iterator.next();
  for (; !next.done; next = await iterator.next()) {
    held.push(next.value);
    bytes += next.value.length;
    if (bytes >= HELD_BYTES) break;
  }
  if (next.done) return held;
  return (async function* () {
    try {
      yield* held.splice(0);
      for (let more = await iterator.next(); !more.done; more = await iterator.next()) yield more.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

/**
 * Calls `write` with a temporary name, and then renames the file, by `move`, or writes it to its bucket, so that it is complete, or as it was before. Removes
 * temporary files of the same name that killed processes have left. Throws FileError, and what `write` throws.
 */
export async function writeAtomically(
  path: string,
  write: (temporary: string) => Promise<void>,
  move: (from: string, to: string) => Promise<void> = rename,
): Promise<void> {
  if (isAddress(path)) return (await import('./bucket-output.js')).writeByFile(path, write);
  const [folder, name] = [dirname(path), basename(path)];
  await removeLeftTemporaries(folder, name);
  const temporary = temporaryPath(folder, name);
  const stop = removeWhenStopped(temporary);
  try {
    await write(temporary);
    await move(temporary, path).catch((cause) => {
      throw unwritable(path, cause);
    });
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
    throw isPlumecastError(cause, 'file') && cause.subject === temporary ? unwritable(path, cause.cause) : cause;
  } finally {
    stop();
  }
}

async function writeStandard(blocks: Blocks): Promise<void> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let file: FileHandle | undefined;
  const temporary = temporaryPath(tmpdir(), PROGRAM);
  const failTemporary = (cause: unknown) => {
    throw unwritable(temporary, cause);
  };
  try {
    for await (const block of blocks) {
      held.push(block);
      bytes += block.length;
      if (bytes < HELD_BYTES) continue;
      file ??= await openUnnamed(temporary).catch(failTemporary);
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
  }
}

/** Creates a file that loses its name at once: it is gone when the process ends. */
async function openUnnamed(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+');
  await rm(path);
  return file;
}

async function printFile(file: FileHandle): Promise<void> {
  for await (const block of file.createReadStream({ start: 0, autoClose: false })) await print(block);
}

function print(block: Uint8Array): Promise<void> {
  return new Promise((done, failed) => {
    process.stdout.write(block, (error) => (error ? failed(unwritable(STANDARD_OUTPUT, error)) : done()));
  });
}

/** Creates a FileError for errors of the file system; returns others unchanged. */
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
