import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, normalize, relative } from 'node:path';
import picomatch from 'picomatch';
import { FileError, OptionError } from '../errors.js';
import { unreadable } from '../file-fault.js';
import { holdsResults, resultsIn } from './results-in.js';

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
const DATA_ENDING = /\.(nc|nc3|nc4|cdf|netcdf|h5|hdf5|zarr|arrow|arrows|feather|ipc|parquet|pq|(?:csv|tsv)(?:\.gz)?)$/i;
/** What the folder of a Zarr store holds, at the top. */
const ZARR_FILES = ['zarr.json', '.zgroup', '.zarray', '.zmetadata'];

/**
 * The files and stores that paths, folders and globs mean, each once: in the order given, within a folder or glob by name. Of folders
 * the stores, and the files whose endings are of formats that are read; neither in folders nor by globs what begins with a dot, or what a batch made. What
 * does not exist, cannot be read, or holds nothing is told to `fault`, as FileError or OptionError; where that does not throw, all else
 * is found.
 */
export async function findInputs(given: readonly string[], fault: OnFault): Promise<BatchInput[]> {
  const found = new Map<string, BatchInput>();
  for (const path of given) {
    for (const input of await inputsOf(plain(path), fault)) if (!found.has(input.path)) found.set(input.path, input);
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
      return await below(
        given,
        given,
        (path, isStore) => isStore || DATA_ENDING.test(path),
        Number.POSITIVE_INFINITY,
        fault,
      );
    refuseSpecial(given, status);
    return [{ path: given, name: nameOf(basename(given)) }];
  } catch (error) {
    fault(error as Error);
    return [];
  }
}

const ALLOWED = 'a file, a folder, a Zarr store, or a glob such as "runs/*.nc"';

function matching(glob: string, fault: OnFault): Promise<BatchInput[]> {
  const { base, glob: steps } = picomatch.scan(glob);
  return below(glob, base === '' ? '.' : base, matches(glob), depthOf(steps), fault);
}

function matches(glob: string): IsMeant {
  const match = picomatch(glob);
  return (path) => match(path);
}

/** How many folders below its first a glob can lead into, the first counted. */
function depthOf(steps: string): number {
  return /\*\*|[({]/.test(steps) ? Number.POSITIVE_INFINITY : steps.split('/').length;
}

async function below(
  given: string,
  folder: string,
  isMeant: IsMeant,
  depth: number,
  fault: OnFault,
): Promise<BatchInput[]> {
  const inputs: BatchInput[] = [];
  const search = { isMeant, fault, results: new Set<string>() };
  for await (const path of filesBelow(folder, await withoutCircle(folder, []), depth, search)) {
    inputs.push({ path, name: nameOf(relative(folder, path)) });
  }
  if (inputs.length > 0) return inputs;
  throw new OptionError({ subject: 'inputs', problem: 'no data file is meant by', received: given, allowed: ALLOWED });
}

type IsMeant = (path: string, isStore: boolean) => boolean;

interface Search {
  readonly isMeant: IsMeant;
  readonly fault: OnFault;
  /** Files that batches made, as far as they are known so far. */
  readonly results: Set<string>;
}

/** The files and Zarr stores that are meant below a folder, by name; `above` are the real paths of it and of the folders above it. */
async function* filesBelow(
  folder: string,
  above: readonly string[],
  depth: number,
  search: Search,
): AsyncGenerator<string> {
  const { isMeant, fault, results } = search;
  const entries = await entriesOf(folder);
  if (holdsResults(entries)) for (const name of await resultsIn(folder)) results.add(join(folder, name));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    try {
      const status = await statusOf(entry, path);
      if (!status.isDirectory() || holdsStore(await entriesOf(path))) {
        if (!isMeant(path, status.isDirectory()) || results.has(path)) continue;
        refuseSpecial(path, status);
        yield path;
      } else if (depth > 1) {
        yield* filesBelow(path, await withoutCircle(path, above), depth - 1, search);
      }
    } catch (error) {
      fault(error as Error);
    }
  }
}

/** The real paths of a folder and of those above it. Throws FileError where it is one of these. */
async function withoutCircle(folder: string, above: readonly string[]): Promise<string[]> {
  const real = await realpath(folder).catch((cause) => {
    throw unreadable(folder, cause, ALLOWED);
  });
  if (!above.includes(real)) return [...above, real];
  throw new FileError({
    subject: folder,
    problem: 'is a link to a folder above it',
    allowed: 'folders without circles',
  });
}

/** A link is what it leads to; one that leads nowhere is itself. */
async function statusOf(entry: Dirent, path: string): Promise<Kind> {
  return entry.isSymbolicLink() ? stat(path).catch(() => entry) : entry;
}

type Kind = Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isCharacterDevice'>;

/** Throws FileError for what looks like a file and never ends, or can be read but once. */
function refuseSpecial(path: string, status: Kind): void {
  if (!status.isFIFO() && !status.isSocket() && !status.isCharacterDevice()) return;
  throw new FileError({
    subject: path,
    problem: `is a ${status.isFIFO() ? 'pipe' : status.isSocket() ? 'socket' : 'device'}`,
    allowed: 'a file, which can be read more than once',
  });
}

/** A path in one of its spellings, so that it is known where it is given twice. */
function plain(path: string): string {
  return path === '' ? path : normalize(path).replace(/(?<=.)[\\/]+$/, '');
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
