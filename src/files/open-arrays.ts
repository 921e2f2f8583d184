import { assertKind, assertKnownKeys } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type WorkOptions } from '../check/work.js';
import type { ArrayFile } from './array/array-file.js';
import { assertBytes, BYTES, type ByteSource, hasBytes, knownBytes } from './byte-source.js';
import { openFile } from './file-access.js';
import { FORMATS } from './formats.js';
import { arrayFormat, assertFormats, type FormatsOption, withWrfArrays } from './open-source.js';
import type { OpenZarrOptions } from './zarr/open-zarr.js';
import type { ZarrFile } from './zarr/zarr-file.js';
import type { ZarrStore } from './zarr/zarr-store.js';

/** A Zarr store: its address, or any store that zarrita reads. */
export type StoreSource = string | URL | ZarrStore;

/** How the bytes of a file of arrays are opened; `signal` and `onProgress` are for all that is read of it. */
export interface OpenBytesOptions extends FormatsOption, WorkOptions {
  /** The name of the file in messages: `input` by default. */
  readonly source?: string;
}

/**
 * Opens arrays, of which only what is requested is read.
 *
 * - The bytes of a file of NetCDF3, NetCDF4 (or other HDF5) or GRIB, detected from the content alone, or of a format of
 *   your own. What does not lie in memory is read in one piece, at most 1 GiB. Bytes are not copied, and must not change
 *   until `close`. In Node, `openArrays` of `plumecast/files/node` reads files without loading them.
 * - A Zarr store of version 2 or 3, at an `http:` or `https:` address or in any store that zarrita reads. All metadata are
 *   read at once, chunks on request: regular ones and those in shards, raw or by Blosc, Zstandard, LZ4, gzip, zlib,
 *   shuffle. In v2 the fill value becomes the attribute `_FillValue`, as in xarray; in v3 only an attribute of that name
 *   counts.
 *
 * Rejects with OptionError for options that are wrong; FormatError where bytes or metadata are of another format, damaged
 * or cut, or refer to other files; FileError, which names the address without its query, if there is no store or the
 * server fails; DataError where two fields of GRIB are of the same member and time; and PackageError where the library
 * for its format is not installed.
 */
export function openArrays(store: StoreSource, options?: OpenZarrOptions): Promise<ZarrFile>;
export function openArrays(bytes: ByteSource, options?: OpenBytesOptions): Promise<ArrayFile>;
export function openArrays(
  source: StoreSource | ByteSource,
  options?: OpenZarrOptions | OpenBytesOptions,
): Promise<ZarrFile | ArrayFile>;
export async function openArrays(
  source: StoreSource | ByteSource,
  options: OpenZarrOptions | OpenBytesOptions = {},
): Promise<ZarrFile | ArrayFile> {
  if (isStore(source)) return (await import('./zarr/open-zarr.js')).openZarr(source, options);
  assertBytes(source, `${BYTES}; or the address of a Zarr store, or a store`);
  const { work, others } = beginWork<OpenBytesOptions>(options, 'bytes', knownBytes(source));
  assertKnownKeys(others, ['source', 'formats', ...WORK_KEYS]);
  const { source: name = 'input', formats = [] } = others;
  assertKind('source', name, 'any text');
  assertFormats(formats);
  return work.run(async () => {
    const file = await openFile(source, name, work);
    try {
      return await withWrfArrays(await arrayFormat(file.head, name, [...formats, ...FORMATS]).open(file, {}));
    } finally {
      await file.close();
    }
  });
}

/** Whether this is a Zarr store or its address. Throws OptionError for what has neither the form of a store nor of bytes. */
function isStore(source: unknown): source is StoreSource {
  if (typeof source === 'string' || source instanceof URL) return true;
  return !hasBytes(source) && typeof (source as Partial<ZarrStore> | null)?.get === 'function';
}
