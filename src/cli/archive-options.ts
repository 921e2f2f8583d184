import { mkdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { parseBytes } from '../batch/byte-count.js';
import { unwritable } from '../disk/file-fault.js';
import { assertLocalPath } from '../disk/local-path.js';
import { OptionError } from '../errors.js';
import { type ArchiveOptions, isArchiveAddress, MAY_BE_ARCHIVE } from '../input/archive-address.js';
import { countNumber, leadHours } from './option-values.js';

/** Adds the options that say what is read of an archive. */
export function addArchiveOptions(command: Command): Command {
  command
    .option('--run <time>', 'of an archive, the run that begins then, 2026-03-01T06 (default: the newest complete one)')
    .option('--runs <count>', 'of an archive, so many runs, up to this one, as one lagged ensemble', countNumber)
    .option('--lead-hours <hours>', 'of an archive, steps up to this one', leadHours)
    .option('--mirror <url>', 'of an archive, the root of another copy')
    .option('--archives <file>', 'archives besides the known ones, as JSON');
  return addCacheOptions(command);
}

/** Adds the options that say where is kept what comes from servers. */
export function addCacheOptions(command: Command): Command {
  return command
    .option('--cache <dir>', 'keep what comes from servers in this folder, for other commands too (or PLUMECAST_CACHE)')
    .option('--cache-size <bytes>', 'at most so much of it, such as 20GB (default: 2GB; or PLUMECAST_CACHE_BYTES)')
    .hook('preAction', useCache);
}

/** Tells all that sends requests, also in threads, where the cache is. Throws FileError and OptionError. */
async function useCache(command: Command): Promise<void> {
  const { env } = process;
  const { cache: folder = env.PLUMECAST_CACHE, cacheSize = env.PLUMECAST_CACHE_BYTES } = command.opts<CacheFlags>();
  if (cacheSize !== undefined) env.PLUMECAST_CACHE_BYTES = String(parseBytes('--cache-size', cacheSize));
  if (!folder) return;
  assertLocalPath(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw unwritable(folder, cause);
  });
  env.PLUMECAST_CACHE = resolve(folder);
}

interface CacheFlags {
  cache?: string;
  cacheSize?: string;
}

/** Throws OptionError for an option about archives, where no input is one. */
export function assertArchiveOptions(paths: readonly string[], command: Command): void {
  if (paths.some(isArchiveAddress)) return;
  const given = command.opts<ArchiveOptions>();
  for (const [name, flag] of Object.entries(OF_ARCHIVES)) {
    const received = given[name as keyof typeof OF_ARCHIVES];
    if (received === undefined) continue;
    const allowed = `${flag} with the name of an archive, such as noaa:gefs`;
    throw new OptionError({ subject: flag, problem: 'is for archives, and no input is one', received, allowed });
  }
}

const OF_ARCHIVES = { run: '--run', runs: '--runs', leadHours: '--lead-hours', mirror: '--mirror' } as const;

/** A path, or the address of an archive that it names; a file of that name counts before. */
export async function archiveOrPath(path: string, command: Command): Promise<string> {
  if (!MAY_BE_ARCHIVE.test(path)) return path;
  const { archiveOfName } = await import('../input/archive-name.js');
  const { run, runs, leadHours: hours, mirror, archives } = command.opts<ArchiveOptions>();
  const address = archiveOfName(path, { run, runs, leadHours: hours, mirror, archives });
  return address === undefined || (await stat(path).catch(() => undefined)) ? path : address;
}
