import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, normalize, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { unreadable } from '../disk/file-fault.js';
import { FileError, OptionError } from '../errors.js';
import { readHead } from '../files/disk-file.node.js';
import { endingsOf, FORMATS } from '../files/formats.js';
import { DISK_FORMATS } from '../files/formats.node.js';
import { grib } from '../files/grib/grib-format.js';
import { openMeteoJson } from '../files/open-meteo/open-meteo-format.js';
import { findFolderFormat, readFolderNames } from '../files/open-source.node.js';
import { MAY_BE_ARCHIVE } from '../input/archive-address.js';
import type { Notice } from '../input/notice.js';
import type { WantedOfArchive } from '../input/pinned-archive.js';
import { type BatchInput, DATA_ENDING, isElsewhere, isGlob, splitEnding } from './batch-input.js';
import { namesOfResults } from './known-results.js';
import { LocalOutputs, WORK } from './local-outputs.js';
import { MANIFEST } from './manifest.js';

/** Handles an error: by throwing it, or by continuing without the file or folder that it is about. */
export type OnFault = (error: Error) => void;

/** What is read of archives, and who hears what was found of them. */
export interface SearchedFor {
  readonly wanted?: WantedOfArchive;
  readonly report?: (notice: Notice) => void;
}

/** The endings of data files that are not GRIB; an index beside a GRIB file may be JSON. */
const OTHER_DATA = endingsOf(FORMATS.filter(({ name }) => name !== grib.name && name !== openMeteoJson.name));

/**
 * Finds the files and stores that paths, folders and globs stand for, each once: in the order given, within a folder or
 * glob by name. An address stands for a file, in a bucket of S3 also for what a glob matches or a prefix holds; the name of an archive for a run of it. A table in Parquet files partitioned by keys is a store, too, and so is a folder of GRIB files. A
 * folder stands for the stores and data files in it, at any depth (JSON files only if they are from Open-Meteo).
 * Folders and globs skip names that begin with a dot, and files that a batch made. Calls `fault` with a FileError or
 * OptionError for what does not exist, cannot be read, or contains no data; if `fault` does not throw, the search
 * continues.
 */
export async function findInputs(
  given: readonly string[],
  fault: OnFault,
  searched: SearchedFor = {},
): Promise<BatchInput[]> {
  const found = new Map<string, BatchInput>();
  for (const path of given) {
    for (const input of await expandInput(path, fault, searched))
      if (!found.has(input.path)) found.set(input.path, input);
  }
  return [...found.values()];
}

async function expandInput(path: string, fault: OnFault, searched: SearchedFor): Promise<BatchInput[]> {
  const given = isElsewhere(path) ? path : normalized(path);
  try {
    const archive = MAY_BE_ARCHIVE.test(path) ? await archiveAt(path, searched) : undefined;
    if (archive !== undefined) return [archive];
    if (isElsewhere(path)) return await (await import('./address-inputs.js')).addressInputs(path);
    const status = await stat(given).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' && isGlob(given)) return undefined;
      throw unreadable(given, cause, ALLOWED);
    });
    if (status === undefined) return await searchGlob(given, { fault, skipsResults: true });
    if (status.isDirectory() && !(await isStore(given))) {
      const isMeant: IsMeant = async (path, isStore) =>
        isStore || (DATA_ENDING.test(path) && !(await isOtherJson(path)));
      return await searchFolder(given, given, isMeant, Number.POSITIVE_INFINITY, { fault, skipsResults: true });
    }
    assertOrdinaryFile(given, status);
    // `.` has the name of its folder.
    return [{ path: given, ...splitEnding(basename(resolve(given))) }];
  } catch (error) {
    fault(error as Error);
    return [];
  }
}

/** The run of an archive that a text names, where no file has this name. */
async function archiveAt(
  text: string,
  { wanted = {}, report = () => {} }: SearchedFor,
): Promise<BatchInput | undefined> {
  const { archiveInput, archiveOfInput } = await import('./archive-inputs.js');
  const address = archiveOfInput(text);
  return address === undefined || (await exists(text)) ? undefined : archiveInput(address, wanted, report);
}

function noMatch(glob: string): OptionError {
  const allowed = 'a pattern such as "runs/*.nc", in quotes, that files match';
  return new OptionError({ subject: glob, problem: 'no file matches this pattern', allowed });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Finds the files and stores that match a glob, by name, also those that a batch made. Throws FileError, and
 * OptionError if none do.
 */
export async function expandGlob(glob: string): Promise<string[]> {
  const fault = (error: Error) => {
    throw error;
  };
  const { base } = picomatch.scan(glob);
  if (base !== '' && !(await exists(base))) throw noMatch(glob);
  const inputs = await searchGlob(normalized(glob), { fault, skipsResults: false });
  return inputs.map(({ path }) => path);
}

const ALLOWED = 'a file, a folder, a Zarr store, a glob such as "runs/*.nc", or the address of a file';

function searchGlob(glob: string, how: SearchOptions): Promise<BatchInput[]> {
  const { base, glob: steps } = picomatch.scan(glob);
  return searchFolder(glob, base === '' ? '.' : base, matches(glob), depthOf(steps), how);
}

function matches(glob: string): IsMeant {
  const match = picomatch(glob);
  return (path) => match(path);
}

/** How many levels of folders a glob can match. */
function depthOf(steps: string): number {
  return /\*\*|[({]/.test(steps) ? Number.POSITIVE_INFINITY : steps.split('/').length;
}

async function searchFolder(
  given: string,
  folder: string,
  isMeant: IsMeant,
  depth: number,
  how: SearchOptions,
): Promise<BatchInput[]> {
  const inputs: BatchInput[] = [];
  const search = { ...how, isMeant, results: new Set<string>() };
  for await (const path of filesBelow(folder, await pathWithoutCircle(folder, []), depth, search)) {
    inputs.push({ path, ...splitEnding(relative(folder, path)) });
  }
  if (inputs.length > 0) return inputs;
  if (isGlob(given)) throw noMatch(given);
  throw new OptionError({
    subject: given,
    problem: 'contains no file with the ending of a data file',
    allowed: ALLOWED,
  });
}

type IsMeant = (path: string, isStore: boolean) => boolean | Promise<boolean>;

interface SearchOptions {
  readonly fault: OnFault;
  /** Whether to skip files that batches made. */
  readonly skipsResults: boolean;
}

interface Search extends SearchOptions {
  readonly isMeant: IsMeant;
  /** Files that batches made, in the folders searched so far. */
  readonly results: Set<string>;
}

/**
 * Finds files and Zarr stores below a folder, by name; `above` are the real paths of the folder and of those above it.
 */
async function* filesBelow(
  folder: string,
  above: readonly string[],
  depth: number,
  search: Search,
): AsyncGenerator<string> {
  const { isMeant, fault, results, skipsResults } = search;
  const entries = await readEntries(folder);
  if (skipsResults && holdsResults(entries))
    for (const name of await namesOfResults(new LocalOutputs(folder))) results.add(join(folder, name));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    try {
      const status = await readStatus(entry, path);
      if (!status.isDirectory() || (await isStore(path))) {
        if (results.has(path) || !(await isMeant(path, status.isDirectory()))) continue;
        assertOrdinaryFile(path, status);
        yield path;
      } else if (depth > 1) {
        yield* filesBelow(path, await pathWithoutCircle(path, above), depth - 1, search);
      }
    } catch (error) {
      fault(error as Error);
    }
  }
}

/** Adds the real path of a folder to those of the folders above it. Throws FileError if it is one of them already. */
async function pathWithoutCircle(folder: string, above: readonly string[]): Promise<string[]> {
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

/** The status of a link is that of its target; of a link without a target, its own. */
async function readStatus(entry: Dirent, path: string): Promise<Kind> {
  return entry.isSymbolicLink() ? stat(path).catch(() => entry) : entry;
}

type Kind = Pick<Stats, 'isDirectory' | 'isFIFO' | 'isSocket' | 'isCharacterDevice'>;

/** Throws FileError for pipes, sockets and devices: they may never end, or can be read only once. */
function assertOrdinaryFile(path: string, status: Kind): void {
  if (!status.isFIFO() && !status.isSocket() && !status.isCharacterDevice()) return;
  throw new FileError({
    subject: path,
    problem: `is a ${status.isFIFO() ? 'pipe' : status.isSocket() ? 'socket' : 'device'}`,
    allowed: 'a file that can be read more than once',
  });
}

/** One spelling for a path, so that a path given twice is found. */
function normalized(path: string): string {
  return path === '' ? path : normalize(path).replace(/(?<=.)[\\/]+$/, '');
}

async function readEntries(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw unreadable(folder, cause, 'a folder that may be read');
  });
}

/**
 * Whether a folder is one input: a Zarr store, a table in Parquet files partitioned by keys, or GRIB files, unless
 * other data files stand beside them. Throws FileError.
 */
export async function isStore(path: string): Promise<boolean> {
  const folder = await readFolderNames(path);
  const format = await findFolderFormat(folder, DISK_FORMATS);
  if (format?.name !== grib.name) return format !== undefined;
  return ![...folder.files, ...folder.folders].some((name) => OTHER_DATA.test(name) && !name.startsWith('.'));
}

/** JSON of Open-Meteo begins with the fields of a place, or with an error. */
const OF_OPEN_METEO = /^\uFEFF?\s*\[?\s*\{[^{]*"(utc_offset_seconds|error)"/;
const HEAD_BYTES = 2_048;

/** Whether a file is JSON, but not from Open-Meteo: a folder of data may also contain settings or notes. */
async function isOtherJson(path: string): Promise<boolean> {
  if (!/\.json$/i.test(path)) return false;
  if (!(await stat(path)).isFile()) return true;
  return !OF_OPEN_METEO.test(new TextDecoder().decode(await readHead(path, path, HEAD_BYTES)));
}

/** Whether a folder with these entries may contain files that a batch made. */
function holdsResults(entries: readonly Dirent[]): boolean {
  return entries.some(({ name }) => name === MANIFEST || name === WORK);
}
