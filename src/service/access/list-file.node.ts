import { readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unreadable } from '../../disk/file-fault.js';
import { type FileLock, takeLock } from '../../disk/file-lock.node.js';
import { readFileStamp } from '../../disk/file-stamp.node.js';
import { assertLocalPath } from '../../disk/local-path.js';
import { readRegularFile } from '../../disk/regular-file.node.js';
import { replaceText } from '../../disk/replace-file.node.js';
import { FileError, FormatError, isPlumecastError, OptionError, type PlumecastError } from '../../errors.js';
import type { OnFault } from '../fault-report.js';
import { type Look, RefreshedValue } from '../refreshed-value.js';

/** A kind of list that a store folder keeps in a JSON file: `keys.json` holds `{ "keys": [...] }`. */
export interface ListKind<T> {
  /** The name of the list; its file is called the same, with `.json`. */
  readonly name: string;
  /** Which entries are in a second list of the file, and its name: `{ "keys": [...], "revoked": [...] }`. */
  readonly apart?: { readonly name: string; holds(entry: T): boolean };
  /** The file's permissions. */
  readonly mode: number;
  /** Throws OptionError for unusable entries. */
  check(entries: readonly T[]): void;
}

/** The path of a list in a store folder. */
function listPath(dir: string, { name }: ListKind<never>): string {
  return join(dir, `${name}.json`);
}

/** The entries of a list, none where there is no file. Throws FileError, and FormatError where the file is broken. */
export async function readList<T>(dir: string, kind: ListKind<T>): Promise<readonly T[]> {
  return (await findList(listPath(dir, kind), kind)) ?? [];
}

/** The entries of the list in a file; undefined where there is no file. */
async function findList<T>(path: string, kind: ListKind<T>): Promise<readonly T[] | undefined> {
  const bytes = await unlessAbsent(path, readRegularFile(path));
  return bytes && parseList(path, bytes.toString(), kind);
}

/** What was read of a file; undefined where there is no file. Rejects with FileError where it cannot be read. */
async function unlessAbsent<T>(path: string, reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw unreadable(path, cause);
  });
}

/**
 * A value that is made from a list, and made again where the list's file has changed a second after the last look at
 * it, or later. Where the file becomes unreadable or broken, or is gone, the value before stays, and the fault is
 * reported once. An absent file is an empty list, until there is one. Rejects with FileError, and with FormatError
 * where the file is broken.
 */
export async function watchList<T, V>(
  dir: string,
  kind: ListKind<T>,
  make: (entries: readonly T[]) => V,
  onFault?: OnFault,
): Promise<RefreshedValue<V>> {
  const path = listPath(dir, kind);
  let wasThere = false;
  const look = async (): Promise<Look<V>> => {
    const stamp = await unlessAbsent(path, readFileStamp(path));
    const load = async () => {
      const entries = stamp === undefined ? undefined : await findList(path, kind);
      if (entries === undefined && wasThere) throw goneError(path);
      const value = make(entries ?? []);
      wasThere = entries !== undefined;
      return value;
    };
    return { stamp: stamp ?? 'no file', load };
  };
  // All wait, so that a key that was revoked more than a second ago is not found.
  return RefreshedValue.open({ look, seconds: 1, waiting: 'all', onFault });
}

function goneError(path: string): FileError {
  return new FileError({ subject: path, problem: 'is gone', allowed: 'a file with an empty list, to have none' });
}

/** The entries in the text of a list's file; `path` is its name in messages. Throws FormatError where it is broken. */
export function parseList<T>(path: string, text: string, kind: ListKind<T>): readonly T[] {
  const { name, apart } = kind;
  const allowed = `{ "${name}": [...] }`;
  const lists = parseLists(text, apart === undefined ? [name] : [name, apart.name]);
  if (lists === undefined) throw new FormatError({ subject: path, problem: `holds no list of ${name}`, allowed });
  const entries = lists.flat();
  const fault = findFault(entries, kind);
  if (fault === undefined) return entries as T[];
  const wrong = entries.findIndex((entry) => findFault([entry], kind) !== undefined);
  const first = lists[0].length;
  const field = wrong < first ? `${name}[${wrong}]` : `${apart?.name}[${wrong - first}]`;
  const place = wrong < 0 ? '' : ` at ${field}`;
  throw new FormatError({ subject: path, problem: `is broken${place}: ${fault.message}`, cause: fault });
}

/** Finds the first fault of entries. */
function findFault<T>(entries: readonly unknown[], kind: ListKind<T>): PlumecastError | undefined {
  try {
    if (entries.every(isObject)) kind.check(entries as T[]);
    else throw new OptionError({ subject: 'entry', problem: 'is not an object' });
    return undefined;
  } catch (error) {
    if (isPlumecastError(error)) return error;
    throw error;
  }
}

/** The lists in a JSON text, of which only the first has to be there; undefined where there is none. */
function parseLists(text: string, names: readonly string[]): unknown[][] | undefined {
  try {
    const fields = JSON.parse(text);
    const lists: unknown[] = names.map((name, i) => (i > 0 ? (fields?.[name] ?? []) : fields?.[name]));
    return lists.every((list) => Array.isArray(list)) ? lists : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How long to wait for other processes that rewrite the same list. */
const PATIENCE_MS = 5000;

/**
 * Replaces the entries of a list with those that `change` returns, unless it returns the same array. Returns the
 * entries before. The file is always complete: the old one or the new one. Processes that rewrite it take turns, by a
 * lock file next to it.
 *
 * Throws what `change` throws, OptionError for unusable entries, FileError where the file cannot be read or written, or
 * is locked for 5 seconds, and FormatError where it is broken.
 */
export async function rewriteList<T>(
  dir: string,
  kind: ListKind<T>,
  change: (entries: readonly T[]) => readonly T[],
): Promise<readonly T[]> {
  assertLocalPath(dir);
  const path = await linkedPath(listPath(dir, kind));
  const lock = await lockList(path);
  try {
    const before = await readList(dir, kind);
    const after = change(before);
    if (after !== before) {
      kind.check(after);
      await lock.assertHeld();
      // Only the holder of the lock writes.
      await replaceText(path, `${JSON.stringify(listsOf(after, kind), null, 1)}\n`, kind.mode);
    }
    return before;
  } finally {
    await lock.release();
  }
}

/** What the file holds. */
function listsOf<T>(entries: readonly T[], { name, apart }: ListKind<T>): object {
  const second = apart === undefined ? [] : entries.filter((entry) => apart.holds(entry));
  if (apart === undefined || second.length === 0) return { [name]: entries };
  return { [name]: entries.filter((entry) => !apart.holds(entry)), [apart.name]: second };
}

/** The path of the file that a link leads to, which stays a link; others as they are. Rejects with FileError. */
async function linkedPath(path: string): Promise<string> {
  try {
    const target = await realpath(path);
    // What is no file is rejected by its own name.
    return (await stat(target)).isFile() ? target : path;
  } catch (cause) {
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) return path;
    throw new FileError({
      subject: path,
      problem: `is a link to ${target}, which cannot be opened`,
      allowed: 'a file, or a link to one',
      cause,
    });
  }
}

async function lockList(path: string): Promise<FileLock> {
  const lock = `${path}.lock`;
  return takeLock(lock, { problem: 'is held by', patienceMs: PATIENCE_MS }).catch((error: FileError) => {
    throw (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
      ? noFolder(dirname(lock), error)
      : error;
  });
}

function noFolder(dir: string, cause: unknown): FileError {
  const allowed = 'the folder of a store: plumecast ingest makes one';
  return new FileError({ subject: dir, problem: 'there is no such folder', allowed, cause });
}
