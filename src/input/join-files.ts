import { isAddress } from '../disk/local-path.js';
import { OptionError } from '../errors.js';
import { labelsOfNames } from '../files/cf/join/name-labels.js';
import { readHead } from '../files/disk-file.node.js';
import { isGribFile } from '../files/grib/open-grib-files.node.js';
import { openGroups, openJoinedPaths } from '../files/joined-paths.node.js';
import { naturalOrder } from '../files/natural-order.js';
import { findFormat } from '../files/open-source.js';
import { openArrayPath } from '../files/open-source.node.js';
import { arePartsOfTable } from '../files/part-folder/find-parts.node.js';
import { holdsArrays } from './input.js';
import { arraysInput, type InputFile, joinedInput, openInputFile } from './input-file.js';
import { sourceOfFiles } from './input-of-files.js';
import type { Report } from './notice.js';

/** The value of `--join` by which each file counts by itself. */
const NONE = 'none';

/**
 * The inputs for the files of a command: GRIB files that are given together are one input, at the place of the first,
 * as a run comes in a file for each member and step; so are files of a folder with the names of parts of one table, and
 * files of arrays that complement each other, by what is in them or by a pattern of their names. Reports why files with the same arrays are apart.
 * `areForecasts` says that they are runs: those that no file states are apart where days between them are missing.
 */
export async function joinFiles(
  paths: readonly string[],
  pattern?: string,
  report?: Report,
  areForecasts = false,
): Promise<(string | InputFile)[]> {
  if (pattern === NONE) return [...paths];
  if (pattern !== undefined) return [await joinByNames(paths, pattern)];
  if (paths.length < 2 || paths.some(isAddress)) return [...paths];
  if (arePartsOfTable(paths)) return [joinedInput(paths)];
  const areGrib = await Promise.all(paths.map(isGribFile));
  const files = paths.filter((_, i) => areGrib[i]);
  if (files.length === 0) return joinArrayFiles(paths, report, areForecasts);
  if (files.length < 2) return [...paths];
  const first = areGrib.indexOf(true);
  const inputs: (string | InputFile)[] = paths.filter((_, i) => !areGrib[i]);
  inputs.splice(first, 0, joinedInput(files));
  return inputs;
}

/** One input of files by a pattern of their names. Throws OptionError where it can have no effect. */
async function joinByNames(paths: readonly string[], pattern: string): Promise<InputFile> {
  const unused = (problem: string) =>
    new OptionError({
      ...{ subject: 'join', problem, received: pattern },
      allowed: 'several files of arrays or tables whose names state what is not in them; none, each file by itself',
    });
  if (paths.length < 2) throw unused('there is one file');
  if (paths.some(isAddress)) return joinAddresses(paths, pattern, unused);
  const [areArrays, areGrib] = await Promise.all(
    [holdsArrays, isGribFile].map((is) => Promise.all(paths.map((path) => is(path).catch(() => false)))),
  );
  if (areGrib.includes(true)) throw unused('GRIB states members, runs and steps itself');
  if (!areArrays.includes(true)) {
    // In the order of the members, whatever the order of the files.
    const members = membersOfNames(paths, pattern);
    const order = [...paths.keys()].sort((a, b) => naturalOrder(members[a], members[b]));
    return joinedInput(
      order.map((i) => paths[i]),
      order.map((i) => members[i]),
    );
  }
  return arraysInput(paths, await openJoinedPaths(paths, pattern));
}

/** One input of files of arrays, some of them at addresses: they stay there, and what is needed is requested. */
async function joinAddresses(
  paths: readonly string[],
  pattern: string,
  unused: (problem: string) => OptionError,
): Promise<InputFile> {
  const remote = paths.filter(isAddress);
  const first = isZarr(remote[0]) ? undefined : await openInputFile(remote[0]);
  try {
    const { form, name } = first === undefined ? { form: 'arrays', name: 'zarr' } : await formOfFile(first);
    if (form !== 'arrays') throw unused('tables at web addresses are not joined');
    if (name === 'grib') throw unused('GRIB states members, runs and steps itself');
  } finally {
    await first?.close();
  }
  const { openArraysAt } = await import('./store-archive.js');
  const open = (path: string) => (isAddress(path) ? openArraysAt(path) : openArrayPath(path, {}));
  return arraysInput(paths, await openJoinedPaths(paths, pattern, open));
}

function isZarr(address: string): boolean {
  return /(\.zarr|\/)$/i.test(address);
}

/** What a file at an address holds, by its first bytes. */
async function formOfFile({ path, remote }: InputFile): Promise<{ readonly form: string; readonly name: string }> {
  if (remote === undefined && isAddress(path)) return { form: 'arrays', name: 'zarr' };
  const head = remote === undefined ? await readHead(path) : remote.access().head;
  const format = findFormat(head);
  return { form: format?.kind ?? 'table', name: format?.name ?? '' };
}

/** The member that each file of a table is. Throws OptionError for a pattern that says something else. */
function membersOfNames(paths: readonly string[], pattern: string): string[] {
  const labels = labelsOfNames(paths, pattern);
  const members = labels.get('member');
  if (members !== undefined && labels.size === 1) return members.map(String);
  throw new OptionError({
    ...{ subject: 'join', problem: 'is no pattern for tables, which have columns of days', received: pattern },
    allowed: 'names with {member} alone, such as "mem{member}.csv"',
  });
}

/** Files of arrays that are one by what is in them as one input; others as they are. */
async function joinArrayFiles(
  paths: readonly string[],
  report: Report | undefined,
  areForecasts: boolean,
): Promise<(string | InputFile)[]> {
  for (const path of paths) if (!(await holdsArrays(path).catch(() => false))) return [...paths];
  const { groups, reasons } = await openGroups(paths, areForecasts);
  for (const { paths: own, text } of reasons) report?.({ kind: 'note', source: sourceOfFiles(own), text });
  return groups.flatMap(({ paths: own, joined }): readonly (string | InputFile)[] => {
    return joined === undefined ? own : [arraysInput(own, joined)];
  });
}
