import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, normalize, relative } from 'node:path';
import picomatch from 'picomatch';
import { unreadable } from '../disk/file-fault.js';
import { FileError, OptionError } from '../errors.js';
import { isOtherJson } from './other-json.js';
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
export const DATA_ENDING =
  /\.(nc|nc3|nc4|cdf|netcdf|h5|hdf5|zarr|arrow|arrows|feather|ipc|parquet|pq|(?:csv|tsv|json)(?:\.gz)?)$/i;
/** What the folder of a Zarr store holds, at the top. */
const ZARR_FILES = ['zarr.json', '.zgroup', '.zarray', '.zmetadata'];

/**
 * The files and stores that paths, folders and globs mean, each once: in the order given, within a folder or glob by name. Of folders
 * the stores, and the files whose endings are of formats that are read (JSON only of Open-Meteo); neither in folders nor by globs what begins with a dot, or what a batch made. What
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
      if (cause.code === 'ENOENT' && isGlob(given)) return undefined;
      throw unreadable(given, cause, ALLOWED);
    });
    if (status === undefined) return await matching(given, { fault, skipsResults: true });
    if (status.isDirectory() && !holdsStore(await entriesOf(given))) {
      const isMeant: IsMeant = async (path, isStore) =>
        isStore || (DATA_ENDING.test(path) && !(await isOtherJson(path)));
      return await below(given, given, isMeant, Number.POSITIVE_INFINITY, { fault, skipsResults: true });
    }
    assertOrdinaryFile(given, status);
    return [{ path: given, name: nameOf(basename(given)) }];
  } catch (error) {
    fault(error as Error);
    return [];
  }
}

function noMatch(glob: string): OptionError {
  const allowed = 'a pattern such as "runs/*.nc", in quotes, that files match';
  return new OptionError({ subject: glob, problem: 'no file matches this pattern', allowed });
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Whether a path that does not exist is a pattern of others. */
export function isGlob(path: string): boolean {
  return picomatch.scan(path).isGlob;
}

/** The files and stores that a glob means, by name, also those that a batch made. Throws FileError, and OptionError where it means none. */
export async function filesOfGlob(glob: string): Promise<string[]> {
  const fault = (error: Error) => {
    throw error;
  };
  const { base } = picomatch.scan(glob);
  if (base !== '' && !(await isThere(base))) throw noMatch(glob);
  const inputs = await matching(plain(glob), { fault, skipsResults: false });
  return inputs.map(({ path }) => path);
}

const ALLOWED = 'a file, a folder, a Zarr store, or a glob such as "runs/*.nc"';

function matching(glob: string, how: SearchOptions): Promise<BatchInput[]> {
  const { base, glob: steps } = picomatch.scan(glob);
  return below(glob, base === '' ? '.' : base, matches(glob), depthOf(steps), how);
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
  how: SearchOptions,
): Promise<BatchInput[]> {
  const inputs: BatchInput[] = [];
  const search = { ...how, isMeant, results: new Set<string>() };
  for await (const path of filesBelow(folder, await withoutCircle(folder, []), depth, search)) {
    inputs.push({ path, name: nameOf(relative(folder, path)) });
  }
  if (inputs.length > 0) return inputs;
  if (isGlob(given)) throw noMatch(given);
  throw new OptionError({ subject: given, problem: 'holds no file that is read, by its ending', allowed: ALLOWED });
}

type IsMeant = (path: string, isStore: boolean) => boolean | Promise<boolean>;

interface SearchOptions {
  readonly fault: OnFault;
  /** Whether files that batches made are left out. */
  readonly skipsResults: boolean;
}

interface Search extends SearchOptions {
  readonly isMeant: IsMeant;
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
  const { isMeant, fault, results, skipsResults } = search;
  const entries = await entriesOf(folder);
  if (skipsResults && holdsResults(entries))
    for (const name of await resultsIn(folder)) results.add(join(folder, name));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    try {
      const status = await statusOf(entry, path);
      if (!status.isDirectory() || holdsStore(await entriesOf(path))) {
        if (results.has(path) || !(await isMeant(path, status.isDirectory()))) continue;
        assertOrdinaryFile(path, status);
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
function assertOrdinaryFile(path: string, status: Kind): void {
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

/** Whether what a folder holds makes it a Zarr store. */
export function holdsStore(entries: readonly Dirent[]): boolean {
  return entries.some(({ name }) => ZARR_FILES.includes(name));
}

function nameOf(path: string): string {
  const name = path.replaceAll('\\', '/');
  return name.replace(DATA_ENDING, '') || name;
}
