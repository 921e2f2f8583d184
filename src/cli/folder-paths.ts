import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Command } from 'commander';
import { DATA_ENDING, isGlob } from '../batch/batch-input.js';
import { expandGlob, isStore } from '../batch/find-inputs.js';
import { shellWord } from '../check/shell-word.js';
import { unreadable } from '../disk/file-fault.js';
import { FileError } from '../errors.js';
import { batchCommand } from './batch-command.js';
import { asInvoked } from './command-words.js';

/** The paths that the name of something that does not exist stands for. Throws OptionError for globs without matches. */
export async function pathsOfName(name: string): Promise<readonly string[]> {
  return isGlob(name) ? expandGlob(name) : [name];
}

/** Throws FileError for a folder that is not a store, which says what to type instead of `command`. */
export async function assertStore(folder: string, command: Command): Promise<void> {
  if (await isStore(folder)) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw unreadable(folder, cause, 'a folder that may be read');
  });
  const example = entries.find(({ name }) => DATA_ENDING.test(name) && !name.startsWith('.'))?.name;
  const files = join(folder, example === undefined ? '*' : `*${extname(example)}`);
  throw new FileError({
    subject: folder,
    problem: entries.length === 0 ? 'is an empty folder' : 'is a folder of files, not a Zarr store',
    allowed: `files in it, such as '${files}'; or statistics of all at once: ${commandOfBatch(folder, command)}`,
  });
}

/** The command `batch` for a folder, with the options of the typed command that `batch` has, too. */
function commandOfBatch(folder: string, { parent, options }: Command): string {
  const known = batchCommand().options.map(({ long }) => long);
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
