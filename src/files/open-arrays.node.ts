import { assertKind } from '../check/option-checks.js';
import { beginWork, type WorkOptions } from '../check/work.js';
import { OptionError } from '../errors.js';
import type { ArrayFile } from './array/array-file.js';
import type { ByteSource } from './byte-source.js';
import type { GridOptions } from './cf/grid-options.js';
import { selectRequested } from './cf/select-arrays.js';
import { givenPath } from './given-path.node.js';
import { openSelectedGrib } from './grib/open-grib-files.node.js';
import { icechunkAddress } from './icechunk/icechunk-address.js';
import { openIcechunkAddress } from './icechunk/open-icechunk.node.js';
import { openReferencePath } from './kerchunk/open-reference-file.node.js';
import { type OpenBytesOptions, openArrays as openBytesOrStore, type StoreSource } from './open-arrays.js';
import { assertFormats, type FormatsOption } from './open-source.js';
import { openArrayPath } from './open-source.node.js';
import type { OpenZarrOptions } from './zarr/open-zarr.js';
import { zarrFolder } from './zarr/open-zarr-folder.node.js';
import type { ZarrFile } from './zarr/zarr-file.js';
import type { ZarrStore } from './zarr/zarr-store.js';

/**
 * How a file or a folder is opened. Options of `gridEnsemble` name what is wanted: messages of GRIB files beside which
 * index files (`.idx` of NCEP, `.index` of ECMWF) stand may then be left out.
 */
export interface OpenPathOptions extends GridOptions, FormatsOption, WorkOptions {}

/** The options of Zarr stores alone: with one of them, a path is the folder of a store. */
const OF_STORES = ['arrays', 'missingChunks', 'concurrency', 'cache', 'http', 'version', 'virtualChunks'] as const;

/**
 * Opens arrays of every format and place, of which only what is requested is read.
 *
 * - A path: a file of NetCDF3, NetCDF4 (or other HDF5) or GRIB, detected from the content alone; the folder of a Zarr
 *   store; or one of GRIB files that belong together.
 * - Several paths: GRIB files that belong together, such as a file for each member and step of a run.
 * - `icechunk:` before the path or the address of a repository of Icechunk, and `@` with a branch, a tag or a snapshot
 *   behind it: `icechunk:/data/gefs@v1`.
 * - What `openArrays` of `plumecast/files` opens: bytes, and Zarr stores at an address.
 *
 * Rejects with FileError where it cannot be read, FormatError where it is of another format, damaged or cut, PackageError
 * where the library for its format is not installed, and OptionError.
 *
 * @example
 * ```js
 * import { demoTable } from 'plumecast/demo';
 * import { openArrays, writeNetcdf } from 'plumecast/files/node';
 *
 * await writeNetcdf('rain.nc', demoTable('precipitation', { days: 5, members: 3 }));
 * const file = await openArrays('rain.nc'); // or GRIB, Zarr, a folder, an address, several files
 * const { dimensions, shape } = file.arrays.get('precipitation');
 * console.log(dimensions, shape);
 * await file.close();
 * ```
 *
 * ```text
 * [ 'time', 'realization', 'location' ] [ 5, 3, 1 ]
 * ```
 */
export function openArrays(store: URL | ZarrStore, options?: OpenZarrOptions): Promise<ZarrFile>;
export function openArrays(
  source: string | readonly string[],
  options?: OpenPathOptions | OpenZarrOptions,
): Promise<ArrayFile>;
export function openArrays(bytes: ByteSource, options?: OpenBytesOptions): Promise<ArrayFile>;
export async function openArrays(
  source: StoreSource | ByteSource | readonly string[],
  options: OpenPathOptions | OpenZarrOptions | OpenBytesOptions = {},
): Promise<ArrayFile> {
  if (Array.isArray(source)) return openPaths(source, options);
  const repository = typeof source === 'string' ? icechunkAddress(source) : undefined;
  if (repository !== undefined) {
    const { work, others } = beginWork<OpenZarrOptions>(options, 'bytes');
    return work.run(() => openIcechunkAddress(repository, others, work));
  }
  const path = givenPath(source);
  if (path === undefined) return openBytesOrStore(source as StoreSource, options);
  if (OF_STORES.some((name) => name in Object(options)) && /\.json$/i.test(path))
    return openReferencePath(path, options);
  if (OF_STORES.some((name) => name in Object(options))) return openBytesOrStore(zarrFolder(path), options);
  assertKind('options', options, 'object');
  const { work, others } = beginWork<OpenPathOptions>(options, 'bytes');
  const { formats, ...requested } = others;
  assertFormats(formats);
  const selection = selectRequested(requested, ['formats', ...OF_STORES]);
  return work.run(() => openArrayPath(path, { formats, work, selection }));
}

async function openPaths(paths: readonly unknown[], options: GridOptions & WorkOptions): Promise<ArrayFile> {
  const { work, others } = beginWork(options, 'bytes');
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string')) {
    const problem = paths.length === 0 ? 'are none' : 'are not all paths';
    throw new OptionError({ subject: 'paths', problem, allowed: 'at least one path of a GRIB file' });
  }
  const selection = selectRequested(others);
  return work.run(() => openSelectedGrib(paths, selection, { work }));
}
