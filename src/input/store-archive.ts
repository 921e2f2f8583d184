import { FileError, mentionOption, OptionError } from '../errors.js';
import type { StoreArchive } from '../files/archives/archive.js';
import type { ArrayFile } from '../files/array/array-file.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import { runWithin } from '../files/cf/select/run-within.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';
import { type ArchiveOptions, parseRun } from './archive-address.js';
import { openArraysAt } from './open-arrays-at.js';

/** A store that is open, and what people should know of how it was found. */
interface OpenedStore {
  readonly arrays: ArrayFile;
  readonly notes: readonly string[];
}

/**
 * Opens the store of an archive at its first mirror that answers, with the run and the leads that are wanted, or without
 * runs after `until`, in seconds: of several runs, who reads it takes the newest one that is complete. Throws FileError,
 * FormatError and OptionError.
 */
export async function openStoreArchive(
  archive: StoreArchive,
  { run: text, runs, leadHours, mirror, until }: ArchiveOptions & { readonly until?: number | undefined },
  selection: ArraySelection | undefined,
): Promise<OpenedStore> {
  if (runs !== undefined) {
    const problem = 'are of archives of GRIB';
    throw new OptionError({
      subject: `${archive.name}, runs`,
      problem,
      received: runs,
      allowed: mentionOption('init', 'all'),
    });
  }
  const run = text === undefined ? undefined : parseRun(text);
  const failed: string[] = [];
  let first: unknown;
  for (const root of mirror === undefined ? archive.mirrors : [mirror]) {
    try {
      const opened = await openArraysAt(root, icechunkAddress(root) && archive.name, selection);
      const arrays = await runWithin({ ...opened, isArchive: true }, { run, until, leadHours });
      return { arrays, notes: [...failed, `read from ${opened.source}`] };
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      first ??= error;
      failed.push(`${root} is not read: ${error.message}`);
    }
  }
  throw first;
}
