import { FileError, mentionOption, OptionError } from '../errors.js';
import type { StoreArchive } from '../files/archives/archive.js';
import type { ArrayFile } from '../files/array/array-file.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import { runWithin } from '../files/cf/select/run-within.js';
import { icechunkAddress } from '../files/icechunk/icechunk-address.js';
import { type ArchiveOptions, parseRun } from './archive-address.js';
import type { InputFile } from './input-of-files.js';
import { openInputArrays } from './open-input-arrays.js';
import { openRemoteInput } from './remote-input.js';

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

/** Opens the arrays of what is at an address; closing them closes it. Throws as `openRemoteInput` does, and FormatError. */
export async function openArraysAt(
  address: string,
  source?: string,
  selection?: ArraySelection | undefined,
): Promise<ArrayFile> {
  const isRepository = icechunkAddress(address) !== undefined;
  const found = isRepository
    ? { path: address, source: address, close: async () => {} }
    : await openRemoteInput(address);
  const input: InputFile = source === undefined ? found : { ...found, source };
  try {
    const file = await openInputArrays(input, { selection });
    const { format, attributes, arrays, notices, notes, isArchive } = file;
    const about = { ...(notices && { notices }), ...(notes && { notes }), ...(isArchive && { isArchive }) };
    const close = () => file.close().finally(() => input.close());
    return { format, source: file.source, attributes, arrays, ...about, close };
  } catch (error) {
    await input.close();
    throw error;
  }
}
