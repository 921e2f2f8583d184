import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Command } from 'commander';
import { DATA_ENDING, expandGlob, isGlob, isZarrStore } from '../batch/find-inputs.js';
import { shellQuote } from '../batch/inspect/command-for.js';
import { unreadable } from '../disk/file-fault.js';
import { FileError } from '../errors.js';
import { asInvoked } from './command-words.js';

/**
 * The files and stores that arguments of a command mean, in their order: globs in quotes are those that match, by name; a name that
 * exists is meant as it is. Throws FileError for folders that are no store, and says what to type instead of `command`, and OptionError for
 * globs that match nothing.
 */
export async function inputPaths(given: readonly string[], command: Command): Promise<string[]> {
  const paths: string[] = [];
  for (const path of given) {
    await assertNoFolder(path, command);
    if (!isGlob(path) || (await isThere(path))) paths.push(path);
    else paths.push(...(await expandGlob(path)));
  }
  return paths;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Throws FileError for a folder that is no Zarr store, and says what to type instead of `command`. */
export async function assertNoFolder(folder: string, command: Command): Promise<void> {
  const status = await stat(folder).catch(() => undefined);
  if (!status?.isDirectory()) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw unreadable(folder, cause, 'a folder that may be read');
  });
  if (isZarrStore(entries)) return;
  const example = entries.find(({ name }) => DATA_ENDING.test(name) && !name.startsWith('.'))?.name;
  const files = join(folder, example === undefined ? '*' : `*${extname(example)}`);
  throw new FileError({
    subject: folder,
    problem: entries.length === 0 ? 'is an empty folder' : 'is a folder of files, and no Zarr store',
    allowed: `files in it, such as '${files}'; or statistics of all at once: ${batchCommand(folder, command)}`,
  });
}

/** The command `batch` for a folder, with the options of the command that was typed, as far as `batch` has them. */
function batchCommand(folder: string, { parent, options }: Command): string {
  const known = parent?.commands.find((each) => each.name() === 'batch')?.options.map(({ long }) => long) ?? [];
  const typed = (parent as Command & { rawArgs: string[] }).rawArgs;
  const kept: string[] = [];
  for (let i = 0; i < typed.length; i++) {
    const [flag] = typed[i].split('=');
    const option = options.find(({ short, long }) => flag === short || flag === long);
    if (option === undefined) continue;
    const words = [typed[i], ...(option.required && flag === typed[i] ? [typed[++i]] : [])];
    if (known.includes(option.long) && !OWN.includes(option.long ?? '')) kept.push(...words);
  }
  return asInvoked(['plumecast', 'batch', folder, ...kept, '--out', 'results'].map(shellQuote).join(' '));
}

/** What is said otherwise of many files. */
const OWN = ['--out', '--format', '--quiet', '--json'];
