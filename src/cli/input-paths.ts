import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { isAddress } from '../disk/local-path.js';
import { archiveOrPath } from './archive-options.js';

/**
 * The files and stores for the arguments of a command, in their order. Globs in quotes stand for the files that match,
 * by name; a name that exists stands for itself. Throws FileError for folders that are not stores, which says what to
 * type instead of `command`, and OptionError for globs without matches.
 */
export async function inputPaths(given: readonly string[], command: Command): Promise<string[]> {
  const paths: string[] = [];
  for (const name of given) {
    const path = await archiveOrPath(name, command);
    if (isAddress(path) || (await existsAsInput(path, command))) paths.push(path);
    else paths.push(...(await (await import('./folder-paths.js')).pathsOfName(path)));
  }
  return paths;
}

/**
 * Whether there is a file or a store of this name. Throws FileError for a folder that is not a store, which says what to type
 * instead of `command`.
 */
export async function existsAsInput(path: string, command: Command): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  if (status?.isDirectory()) await (await import('./folder-paths.js')).assertStore(path, command);
  return status !== undefined;
}
