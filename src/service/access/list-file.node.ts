import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unreadable } from '../../disk/file-fault.js';
import { FormatError, isPlumecastError, OptionError, type PlumecastError } from '../../errors.js';

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
  const fault = faultOf(entries, kind);
  if (fault === undefined) return entries as T[];
  const wrong = entries.findIndex((entry) => faultOf([entry], kind) !== undefined);
  const place = wrong < 0 ? '' : ` at ${kind.name}[${wrong}]`;
  throw new FormatError({ subject: path, problem: `is broken${place}: ${fault.message}`, cause: fault });
}

/** The first thing that is wrong with entries. */
function faultOf<T>(entries: readonly unknown[], kind: ListKind<T>): PlumecastError | undefined {
  try {
    if (entries.every(isObject)) kind.check(entries as T[]);
    else throw new OptionError({ subject: 'entry', problem: 'is no object' });
    return undefined;
  } catch (error) {
    if (isPlumecastError(error)) return error;
    throw error;
  }
}

/** A list in JSON; undefined where there is none. */
function listOf(text: string, name: string): unknown[] | undefined {
  try {
    const entries: unknown = JSON.parse(text)?.[name];
    return Array.isArray(entries) ? entries : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
