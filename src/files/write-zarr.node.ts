import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Table } from 'apache-arrow';
import { assertKind, assertKnownKeys, type Choice } from '../check/option-checks.js';
import { WORK_KEYS } from '../check/work.js';
import { temporaryPath } from '../disk/temporary-file.node.js';
import { isTable } from '../table/arrow/own-table.js';
import { checkReadOptions, type ReadingOptions } from '../table/columns/read-options.js';
import { contentOfTable } from './cf/content/content-of-table.js';
import type { NetcdfContent } from './netcdf4/netcdf-content.js';
import type { ZarrCompression } from './zarr/created-metadata.js';
import { assertStoreOrNothing, replaceStore } from './zarr/replace-store.node.js';
import { writeZarr3, type ZarrOptions } from './zarr/write-zarr3.node.js';

/** How a Zarr store is written; the other options say how to read a table of daily values, as for `statistics`. */
export interface WriteZarrOptions extends Omit<ZarrOptions, 'compression'>, ReadingOptions {
  /** How chunks are compressed: `zstd` (the default), or `none`. */
  readonly compression?: Choice<ZarrCompression>;
}

const OPTIONS = ['compression', ...WORK_KEYS, 'variable', 'variables', 'columns', 'calendar', 'source'];

/**
 * Writes a Zarr store of version 3 into a folder, by the CF conventions, with consolidated metadata: the arrays and
 * attributes that `writeNetcdf` writes of the same table or content, in the same chunks, compressed by Zstandard.
 *
 * Values are written as they arrive, only incomplete chunks are in memory; the same content gives the same bytes. The
 * store is written to a temporary folder beside its path and then renamed. A store that is there is replaced as a whole:
 * it is moved aside just before; other folders, and files, are not replaced.
 *
 * Throws OptionError for options, and content that contradicts itself; DataError for a table that cannot be used or
 * stored; FileError if the store cannot be written; PackageError if the library of zstd is not installed; and what the
 * iterables of values throw.
 */
export async function writeZarr(
  path: string,
  what: Table | NetcdfContent,
  options: WriteZarrOptions = {},
): Promise<void> {
  assertKind('path', path, 'text');
  assertKind('options', options, 'object');
  assertKnownKeys(options, OPTIONS);
  const { compression, signal, onProgress, ...reading } = options;
  const content = isTable(what) ? contentOfTable(what, checkReadOptions(reading)) : what;
  await assertStoreOrNothing(path);
  const temporary = temporaryPath(dirname(path), basename(path));
  try {
    await writeZarr3(temporary, content, { compression: compression as ZarrCompression, signal, onProgress });
    await replaceStore(temporary, path);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}
