import type { Table } from 'apache-arrow';
import { assertKind, assertKnownKeys } from '../check/option-checks.js';
import { WORK_KEYS } from '../check/work.js';
import { replaceFile } from '../disk/replace-file.node.js';
import { isTable } from '../table/arrow/own-table.js';
import { checkReadOptions, type ReadingOptions } from '../table/columns/read-options.js';
import { contentOfTable } from './cf/content/content-of-table.js';
import type { NetcdfContent } from './netcdf4/netcdf-content.js';
import { type NetcdfOptions, writeNetcdf4 } from './netcdf4/write-netcdf4.node.js';

/** How a NetCDF file is written; the other options say how to read a table of daily values, as for `statistics`. */
export interface WriteNetcdfOptions extends NetcdfOptions, ReadingOptions {}

const OPTIONS = ['deflate', ...WORK_KEYS, 'variable', 'variables', 'columns', 'calendar', 'source'];

/**
 * Writes a NetCDF-4 file by the CF conventions, on a grid where the rows of a table form one. `what` is a table of
 * statistics, of a climatology or of the daily values of members; or the content of a file: arrays of your own, or what
 * `ensembleNetcdf` makes of an ensemble that is larger than memory.
 *
 * Shuffled and deflated chunks; values are written as they arrive, only incomplete chunks are in memory. The same content
 * gives the same bytes, as they contain no times of writing. The file is written under a temporary name in its folder and
 * then renamed: nothing is half written, whatever stops it.
 *
 * Throws OptionError for options, and content that contradicts itself; DataError for a table that cannot be used or
 * stored; FileError if the file cannot be written; and what the iterables of values throw.
 *
 * @example
 * ```js
 * import { loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 * import { openArrays, writeNetcdf } from 'plumecast/files/node';
 *
 * const weeks = statistics(await loadCore(), demoTable('precipitation'), { granularity: 'weekly' });
 * await writeNetcdf('weeks.nc', weeks); // an ensemble, results, or a climatology
 * const file = await openArrays('weeks.nc');
 * console.log([...file.arrays.keys()].filter((name) => name.startsWith('precipitation')));
 * await file.close();
 * ```
 *
 * ```text
 * [
 *   'precipitation_mean',
 *   'precipitation_n_members',
 *   'precipitation_quantile'
 * ]
 * ```
 */
export async function writeNetcdf(
  path: string,
  what: Table | NetcdfContent,
  options: WriteNetcdfOptions = {},
): Promise<void> {
  assertKind('path', path, 'text');
  assertKind('options', options, 'object');
  assertKnownKeys(options, OPTIONS);
  const { deflate, signal, onProgress, ...reading } = options;
  const content = isTable(what) ? contentOfTable(what, checkReadOptions(reading)) : what;
  await replaceFile(path, (temporary) => writeNetcdf4(temporary, content, { deflate, signal, onProgress }));
}
