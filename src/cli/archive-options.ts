import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { type ArchiveOptions, archiveAddress } from '../input/archive-address.js';
import { namesArchive } from '../input/archive-input.js';
import { leadHours } from './option-values.js';

/** Adds the options that say what is read of an archive. */
export function addArchiveOptions(command: Command): Command {
  return command
    .option('--run <time>', 'of an archive, the run that begins then, 2026-03-01T06 (default: the newest complete one)')
    .option('--lead-hours <hours>', 'of an archive, steps up to this one', leadHours)
    .option('--mirror <url>', 'of an archive, the root of another copy')
    .option('--archives <file>', 'archives besides the known ones, as JSON');
}

/** A path, or the address of an archive that it names; a file of that name counts before. */
export async function archiveOrPath(path: string, command: Command): Promise<string> {
  const { run, leadHours: hours, mirror, archives } = command.opts<ArchiveOptions>();
  if (!namesArchive(path, { archives })) return path;
  if (await stat(path).catch(() => undefined)) return path;
  return archiveAddress(path, { run, leadHours: hours, mirror, archives });
}
