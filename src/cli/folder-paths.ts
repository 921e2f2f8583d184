import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Command } from 'commander';
import { DATA_ENDING, isGlob } from '../batch/batch-input.js';
import { expandGlob, isStore } from '../batch/find-inputs.js';
import { shellWord } from '../check/shell-word.js';
import { unreadable } from '../disk/file-fault.js';
import { FileError } from '../errors.js';
import { asInvoked } from './command-words.js';

/** The paths that the name of a store, a glob, or nothing that exists stands for; throws as `inputPaths` does. */
export async function pathsOfName(name: string, command: Command): Promise<readonly string[]> {
  await assertNoFolder(name, command);
  return isGlob(name) && !(await exists(name)) ? expandGlob(name) : [name];
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

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
