import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Command } from 'commander';
import { DATA_ENDING, expandGlob, isGlob, isStore } from '../batch/find-inputs.js';
import { shellWord } from '../check/shell-word.js';
import { unreadable } from '../disk/file-fault.js';
import { FileError, OptionError } from '../errors.js';
import { labelsOfNames } from '../files/cf/join/name-labels.js';
import { isGribFile } from '../files/grib/open-grib-files.node.js';
import { openGroups, openJoinedPaths } from '../files/joined-paths.node.js';
import { arePartsOfTable } from '../files/part-folder/find-parts.node.js';
import { holdsArrays } from '../input/input.js';
import { arraysInput, type InputFile, isAddress, joinedInput, openInputFile } from '../input/input-file.js';
import { asInvoked } from './command-words.js';

/**
 * The files and stores for the arguments of a command, in their order. Globs in quotes stand for the files that match,
 * by name; a name that exists stands for itself. Throws FileError for folders that are not stores, which says what to
 * type instead of `command`, and OptionError for globs without matches.
 */
export async function inputPaths(given: readonly string[], command: Command): Promise<string[]> {
  const paths: string[] = [];
  for (const path of given) {
    if (!isAddress(path)) await assertNoFolder(path, command);
    if (isAddress(path) || !isGlob(path) || (await exists(path))) paths.push(path);
    else paths.push(...(await expandGlob(path)));
  }
  return paths;
}

/** The value of `--join` by which each file counts by itself. */
const NONE = 'none';

/**
 * The inputs for the files of a command: GRIB files that are given together are one input, at the place of the first,
 * as a run comes in a file for each member and step; so are files of a folder with the names of parts of one table, and
 * files of arrays that complement each other, by what is in them or by a pattern of their names.
 */
export async function joinFiles(paths: readonly string[], pattern?: string): Promise<(string | InputFile)[]> {
  if (pattern === NONE) return [...paths];
  if (pattern !== undefined) return [await joinByNames(paths, pattern)];
  if (paths.length < 2 || paths.some(isAddress)) return [...paths];
  if (arePartsOfTable(paths)) return [joinedInput(paths)];
  const areGrib = await Promise.all(paths.map(isGribFile));
  const files = paths.filter((_, i) => areGrib[i]);
  if (files.length === 0) return joinArrayFiles(paths);
  if (files.length < 2) return [...paths];
  const first = areGrib.indexOf(true);
  const inputs: (string | InputFile)[] = paths.filter((_, i) => !areGrib[i]);
  inputs.splice(first, 0, joinedInput(files));
  return inputs;
}

/**
 * Opens what one argument names: a file, an address, or a glob in quotes of files that are one input together. Throws as
 * `openInputFile` and `inputPaths` do, and OptionError for a glob of files that are several inputs.
 */
export async function openGivenFile(path: string): Promise<InputFile> {
  if (isAddress(path) || !isGlob(path) || (await exists(path))) return openInputFile(path);
  const files = await expandGlob(path);
  const [input, ...others] = await joinFiles(files);
  if (others.length === 0) return typeof input === 'string' ? openInputFile(input) : { ...input, source: path };
  throw new OptionError({
    ...{ subject: path, problem: 'names several inputs: nothing shows that these files are one', received: files },
    allowed: 'files that complement each other, such as one for each member or month; or one file',
  });
}

/** One input of files by a pattern of their names. Throws OptionError where it can have no effect. */
async function joinByNames(paths: readonly string[], pattern: string): Promise<InputFile> {
  const unused = (problem: string) =>
    new OptionError({
      ...{ subject: 'join', problem, received: pattern },
      allowed: 'several files of arrays or tables whose names state what is not in them; none, each file by itself',
    });
  if (paths.length < 2) throw unused('there is one file');
  if (paths.some(isAddress)) throw unused('files at web addresses are not joined');
  const [areArrays, areGrib] = await Promise.all(
    [holdsArrays, isGribFile].map((is) => Promise.all(paths.map((path) => is(path).catch(() => false)))),
  );
  if (areGrib.includes(true)) throw unused('GRIB states members, runs and steps itself');
  if (!areArrays.includes(true)) return joinedInput(paths, membersOfNames(paths, pattern));
  return arraysInput(paths, await openJoinedPaths(paths, pattern));
}

/** The member that each file of a table is. Throws OptionError for a pattern that says something else. */
function membersOfNames(paths: readonly string[], pattern: string): string[] {
  const labels = labelsOfNames(paths, pattern);
  const members = labels.get('member');
  if (members !== undefined && labels.size === 1) return members.map(String);
  throw new OptionError({
    ...{ subject: 'join', problem: 'is no pattern for tables, which have columns of days', received: pattern },
    allowed: 'names with {member} alone, such as "mem{member}.csv"',
  });
}

/** Files of arrays that are one by what is in them as one input; others as they are. */
async function joinArrayFiles(paths: readonly string[]): Promise<(string | InputFile)[]> {
  for (const path of paths) if (!(await holdsArrays(path).catch(() => false))) return [...paths];
  const groups = await openGroups(paths);
  return groups.flatMap(({ paths: own, joined }): readonly (string | InputFile)[] => {
    return joined === undefined ? own : [arraysInput(own, joined)];
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Throws FileError for a folder that is not a store, which says what to type instead of `command`. */
export async function assertNoFolder(folder: string, command: Command): Promise<void> {
  const status = await stat(folder).catch(() => undefined);
  if (!status?.isDirectory()) return;
  if (await isStore(folder)) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw unreadable(folder, cause, 'a folder that may be read');
  });
  const example = entries.find(({ name }) => DATA_ENDING.test(name) && !name.startsWith('.'))?.name;
  const files = join(folder, example === undefined ? '*' : `*${extname(example)}`);
  throw new FileError({
    subject: folder,
    problem: entries.length === 0 ? 'is an empty folder' : 'is a folder of files, not a Zarr store',
    allowed: `files in it, such as '${files}'; or statistics of all at once: ${batchCommand(folder, command)}`,
  });
}

/** The command `batch` for a folder, with those options of the typed command that `batch` has. */
function batchCommand(folder: string, { parent, options }: Command): string {
  const known = parent?.commands.find((each) => each.name() === 'batch')?.options.map(({ long }) => long) ?? [];
  const typed = (parent as Command & { rawArgs: string[] }).rawArgs;
  const kept: string[] = [];
  for (let i = 0; i < typed.length; i++) {
    const [flag] = typed[i].split('=');
    const option = options.find(({ short, long }) => flag === short || flag === long);
    if (option === undefined) continue;
    const words = [typed[i], ...(option.required && flag === typed[i] ? [typed[++i]] : [])];
    if (known.includes(option.long) && !NOT_KEPT.includes(option.long ?? '')) kept.push(...words);
  }
  return asInvoked(['plumecast', 'batch', folder, ...kept, '--out', 'results'].map(shellWord).join(' '));
}

/** Options that are different for many files. */
const NOT_KEPT = ['--out', '--format', '--quiet', '--json'];
