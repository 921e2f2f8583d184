import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { Work } from '../../check/work.js';
import { isOfTooManyFiles } from '../../disk/file-fault.js';
import { FileError } from '../../errors.js';
import type { ArrayFile } from '../array/array-file.js';
import type { ArraySelection } from '../array/array-selection.js';
import type { RandomAccess } from '../array/random-access.js';
import { DiskFile, readHead } from '../disk-file.node.js';
import { type FileAccess, randomAccess } from '../file-access.js';
import type { ArrayOptions, FolderAccess } from '../format.js';
import { OpenPool } from '../open-pool.js';
import { type GribFiles, type InventoryText, singleFile } from './cube/grib-files.js';
import { grib } from './grib-format.js';
import { InventoryFiles } from './inventory/inventory-files.node.js';

/**
 * Files that are open at the same time, besides those in use, so that months of steps of a file each are opened once for
 * all members. Systems allow about a thousand, which threads share.
 */
const MAX_OPEN = isMainThread ? 512 : 64;
/** Files whose first bytes are read at the same time. */
const LOOKED_AT_TOGETHER = 32;
/** Names of GRIB files. */
const ENDING = new RegExp(`\\.(${grib.endings.join('|')})$`, 'i');
/** Endings of files that stand beside GRIB files, and of other data: their first bytes are not read. */
const OTHER = /\.(idx|index|json|txt|md|log|sha256|md5|csv|nc|nc4|h5|arrow|parquet|zarr|py|sh|gz|zip|tar)$/i;
/** Files without a known ending, of which the first bytes are read to find out what a folder holds. */
const MAX_LOOKED_AT = 4;
const HEAD_BYTES = 512;

/** How files are opened that belong together. */
interface OpenFilesOptions extends Partial<Pick<FolderAccess, 'path' | 'work'>> {
  /** The member of each file whose messages do not state one. */
  readonly members?: readonly (number | undefined)[];
}

/**
 * Opens GRIB files that belong together as one file of arrays. Headers of all messages are read; with a selection, other
 * messages are left out where index files (`.idx` of NCEP, `.index` of ECMWF) stand beside the files. `path` is the folder
 * that names them together. Throws as `openGribFiles` does, and FileError.
 */
export async function openSelectedGrib(
  paths: readonly string[],
  selection?: ArraySelection,
  { path, work, members }: OpenFilesOptions = {},
): Promise<ArrayFile> {
  const files = new FilePool(paths, path, work, members);
  try {
    // The reader is loaded when a file is met: a command starts sooner without it.
    const { openGribFiles } = await import('./open-grib.js');
    return await openGribFiles(files, selection);
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Opens one GRIB file, with the index file that stands beside it. */
export async function openGribFile(file: FileAccess, { selection }: ArrayOptions): Promise<ArrayFile> {
  const { openGribFiles } = await import('./open-grib.js');
  const inventories = file.path === undefined ? undefined : new InventoryFiles([file.path]);
  const readInventory = file.inventory ?? (inventories && (() => inventories.read(0)));
  return openGribFiles(singleFile(await randomAccess(file), readInventory), selection);
}

/** Opens the GRIB files of a folder as one file of arrays. Throws as `openGribPaths` does. */
export async function openGribFolder(folder: FolderAccess, selection?: ArraySelection): Promise<ArrayFile> {
  return openSelectedGrib(await gribFilesOf(folder), selection, folder);
}

/** Whether a folder holds GRIB files, by their endings or, without a known ending, by the first bytes of some. */
export async function isGribFolder({ path, files }: FolderAccess): Promise<boolean> {
  const names = dataNames(files);
  if (names.some((name) => ENDING.test(name))) return true;
  for (const name of names.slice(0, MAX_LOOKED_AT)) if (await isGribFile(join(path, name))) return true;
  return false;
}

/** The GRIB files of a folder, by name. */
async function gribFilesOf({ path, files }: FolderAccess): Promise<string[]> {
  const names = dataNames(files);
  const are: boolean[] = [];
  for (let first = 0; first < names.length; first += LOOKED_AT_TOGETHER) {
    const some = names.slice(first, first + LOOKED_AT_TOGETHER);
    are.push(...(await Promise.all(some.map((name) => ENDING.test(name) || isGribFile(join(path, name))))));
  }
  return names.filter((_, i) => are[i]).map((name) => join(path, name));
}

/** The names of files that may be GRIB, in order. */
function dataNames(files: readonly string[]): string[] {
  return files.filter((name) => !name.startsWith('.') && !OTHER.test(name)).sort((a, b) => (a < b ? -1 : 1));
}

/** Whether a file begins with a GRIB message. */
export async function isGribFile(path: string): Promise<boolean> {
  const head = await readHead(path, path, HEAD_BYTES).catch(() => undefined);
  return head !== undefined && grib.matches(head);
}

/** Opens files when they are used, and keeps some of them open. */
class FilePool implements GribFiles {
  readonly source: string;
  readonly memberOf: (file: number) => number | undefined;
  readonly #paths: readonly string[];
  readonly #work: Work | undefined;
  readonly #inventories: InventoryFiles;
  readonly #pool = new OpenPool((file) => this.#access(file), MAX_OPEN, isOfTooManyFiles);
  /** The size of each file, and when it was modified, when it was opened first. */
  readonly #states = new Map<number, { readonly size: number; readonly modified: number }>();

  constructor(paths: readonly string[], folder?: string, work?: Work, members: readonly (number | undefined)[] = []) {
    this.memberOf = (file) => members[file];
    this.#paths = paths;
    this.#work = work;
    this.#inventories = new InventoryFiles(paths);
    const [first] = paths;
    const others = paths.length === 1 ? '' : ` and ${paths.length - 1} more`;
    this.source = folder ?? `${first}${others}`;
  }

  get count(): number {
    return this.#paths.length;
  }

  use<T>(file: number, work: (access: RandomAccess) => Promise<T>): Promise<T> {
    return this.#pool.use(file, work);
  }

  readInventory(file: number): Promise<InventoryText | undefined> {
    return this.#inventories.read(file);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #access(file: number): Promise<RandomAccess> {
    const path = this.#paths[file];
    const access = await DiskFile.open(path, path, this.#work);
    const { size, modified } = access;
    const before = this.#states.get(file) ?? { size, modified };
    this.#states.set(file, before);
    if (before.size === size && before.modified === modified) return access;
    await access.close();
    const received = before.size === size ? 'another time of modification' : `${size} bytes, before ${before.size}`;
    throw new FileError({
      subject: path,
      problem: 'was changed while it was read',
      received,
      allowed: 'a file that stays as it is until it is read',
    });
  }
}
