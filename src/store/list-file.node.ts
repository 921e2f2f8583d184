import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FormatError, isPlumecastError } from '../errors.js';
import { unreadable } from '../file-fault.js';

/** A kind of list that a store folder keeps in a JSON file: `keys.json` holds `{ "keys": [...] }`. */
export interface ListKind<T> {
  /** Of the list; the file has the same and `.json`. */
  readonly name: string;
  /** The file's permissions. */
  readonly mode: number;
  /** Throws OptionError for entries that are not usable. */
  check(entries: readonly T[]): void;
}

/** Where a store folder keeps a list. */
export function listPath(dir: string, { name }: ListKind<never>): string {
  return join(dir, `${name}.json`);
}

/** The entries of a list, none where there is no file. Throws FileError, and FormatError where the file is broken. */
export async function readList<T>(dir: string, kind: ListKind<T>): Promise<readonly T[]> {
  const path = listPath(dir, kind);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw unreadable(path, cause);
  });
  return text === undefined ? [] : parseList(path, text, kind);
}

function parseList<T>(path: string, text: string, kind: ListKind<T>): readonly T[] {
  const allowed = `{ "${kind.name}": [...] }`;
  const entries = listOf(text, kind.name);
  if (entries === undefined)
    throw new FormatError({ subject: path, problem: `holds no list of ${kind.name}`, allowed });
  try {
    kind.check(entries as T[]);
  } catch (cause) {
    if (!isPlumecastError(cause)) throw cause;
    throw new FormatError({ subject: path, problem: `is broken: ${cause.message}`, cause });
  }
  return entries as T[];
}

/** The objects of a list in JSON; undefined where it is none. */
function listOf(text: string, name: string): object[] | undefined {
  try {
    const entries: unknown = JSON.parse(text)?.[name];
    return Array.isArray(entries) && entries.every(isObject) ? entries : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
