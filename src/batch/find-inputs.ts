import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import picomatch from 'picomatch';
import { FileError, OptionError } from '../errors.js';
import { unreadable } from '../file-fault.js';

/** A file or store to be read. */
export interface BatchInput {
  /** As given, or below the folder that was given. */
  readonly path: string;
  /** What it is called in names of outputs: without its ending, but with the folders below the one that was given. */
  readonly name: string;
}

/** What to do about an error: throw it, or go on without what it is about. */
export type OnFault = (error: Error) => void;

/** The endings of files that are read. */
const DATA_ENDING = /\.(nc|nc3|nc4|cdf|netcdf|h5|hdf5|zarr|arrow|arrows|feather|ipc|parquet|pq|csv|tsv)$/i;
/** What the folder of a Zarr store holds, at the top. */
const ZARR_FILES = ['zarr.json', '.zgroup', '.zarray', '.zmetadata'];

/**
 * The files and stores that paths, folders and globs mean, each once: in the order given, within a folder or glob by name. Of folders
 * those whose endings are of formats that are read. What does not exist, cannot be read, or holds nothing is told to `fault`, as FileError
 * or OptionError; where that does not throw, all else is found.
 */
export async function findInputs(given: readonly string[], fault: OnFault): Promise<BatchInput[]> {
  const found = new Map<string, BatchInput>();
  for (const path of given) {
    for (const input of await inputsOf(path, fault)) if (!found.has(input.path)) found.set(input.path, input);
  }
  return [...found.values()];
}

async function inputsOf(given: string, fault: OnFault): Promise<BatchInput[]> {
  try {
    const status = await stat(given).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' && picomatch.scan(given).isGlob) return undefined;
      throw unreadable(given, cause, ALLOWED);
    });
    if (status === undefined) return await matching(given, fault);
    if (status.isDirectory() && !holdsStore(await entriesOf(given)))
      return await below(given, given, (path) => DATA_ENDING.test(path), fault);
    return [{ path: given, name: nameOf(basename(given)) }];
  } catch (error) {
    fault(error as Error);
    return [];
  }
}

const ALLOWED = 'a file, a folder, a Zarr store, or a glob such as "runs/*.nc"';

function matching(glob: string, fault: OnFault): Promise<BatchInput[]> {
  const { base } = picomatch.scan(glob);
  return below(glob, base === '' ? '.' : base, picomatch(glob.replace(/^\.\//, '')), fault);
}

async function below(
  given: string,
  folder: string,
  isMeant: (path: string) => boolean,
  fault: OnFault,
): Promise<BatchInput[]> {
  const inputs: BatchInput[] = [];
  for await (const path of filesBelow(folder, [], fault)) {
    if (isMeant(path)) inputs.push({ path, name: nameOf(relative(folder, path)) });
  }
  if (inputs.length > 0) return inputs;
  throw new OptionError({ subject: 'inputs', problem: 'no data file is meant by', received: given, allowed: ALLOWED });
}

/** The files and Zarr stores below a folder, by name. */
async function* filesBelow(folder: string, above: readonly string[], fault: OnFault): AsyncGenerator<string> {
  for (const entry of (await entriesOf(folder)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    try {
      if (!(await isFolder(entry, path)) || holdsStore(await entriesOf(path))) yield path;
      else yield* filesBelow(path, await withoutCircle(path, above), fault);
    } catch (error) {
      fault(error as Error);
    }
  }
}

/** The real paths of a folder and of those above it. Throws FileError where it is one of these. */
async function withoutCircle(folder: string, above: readonly string[]): Promise<string[]> {
  const real = await realpath(folder);
  if (!above.includes(real)) return [...above, real];
  throw new FileError({
    subject: folder,
    problem: 'is a link to a folder above it',
    allowed: 'folders without circles',
  });
}

/** A link is what it leads to; one that leads nowhere is a file that cannot be read. */
async function isFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw unreadable(folder, cause, 'a folder that may be read');
  });
}

function holdsStore(entries: readonly Dirent[]): boolean {
  return entries.some(({ name }) => ZARR_FILES.includes(name));
}

function nameOf(path: string): string {
  const name = path.replaceAll('\\', '/');
  return name.replace(DATA_ENDING, '') || name;
}
