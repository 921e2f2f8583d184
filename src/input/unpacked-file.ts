import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathWord, shellWord } from '../check/shell-word.js';
import { unwritable } from '../disk/file-fault.js';
import { FormatError, isPlumecastError } from '../errors.js';
import { gunzipPieces, gunzipStart } from '../files/codecs/gunzip-pieces.node.js';
import { unpackZip } from '../files/codecs/zip-archive.node.js';
import { DiskFile, readHead } from '../files/disk-file.node.js';
import { foreignFormat, isGzip } from '../files/foreign-format.js';
import { isGribFile } from '../files/grib/open-grib-files.node.js';
import { openGroups, openUnited } from '../files/joined-paths.node.js';
import { findFormat } from '../files/open-source.js';
import { arePartsOfTable } from '../files/part-folder/find-parts.node.js';
import { STORE_FILES } from '../files/zarr/zarr-format.js';
import type { InputFile } from './input-of-files.js';
import { copiedFile, temporaryFolder } from './temporary-input.js';

/** The files in a zip archive as one input, and arrays in gzip; undefined for other files in gzip or zip. */
export async function unpackedFile(path: string): Promise<InputFile | undefined> {
  const head = await readHead(path);
  if (isGzip(head)) {
    const content = gunzipStart(head);
    // The first file in a tar archive begins where HDF5 may begin, too.
    const isPacked = foreignFormat(content)?.isPacked === true;
    return !isPacked && findFormat(content)?.kind === 'arrays'
      ? copiedFile(path, gunzipPieces(createReadStream(path), path))
      : undefined;
  }
  if (foreignFormat(head)?.isPacked !== true) return undefined;
  const folder = await temporaryFolder();
  try {
    const archive = await DiskFile.open(path, path);
    const names = await unpackZip(archive, path, folder.path).finally(() => archive.close());
    return { ...(await inputOfFiles(folder.path, names, path)), source: path, close: folder.remove };
  } catch (error) {
    await folder.remove();
    throw isPlumecastError(error) ? error : unwritable(folder.path, error);
  }
}

/** One input of the files of an archive. Throws FormatError where they are several. */
async function inputOfFiles(
  folder: string,
  names: readonly string[],
  source: string,
): Promise<Omit<InputFile, 'close'>> {
  const fault = (problem: string, allowed: string) =>
    new FormatError({ ...{ subject: source, problem, allowed }, ...(names.length > 0 && { received: names }) });
  if (names.length === 0)
    throw fault('is an archive without files', 'an archive of one file, or of files that are one');
  const paths = names.map((name) => join(folder, name));
  const [path] = paths;
  const store = names.find((name) => STORE_FILES.some((file) => name === file || name.endsWith(`/${file}`)));
  if (store !== undefined) return { path: dirname(join(folder, store)), source };
  if (paths.length === 1) return { path, source };
  const isOne = arePartsOfTable(paths) || (await Promise.all(paths.map(isGribFile))).every(Boolean);
  if (isOne) return { path, files: paths, source };
  const formats = await Promise.all(paths.map(async (each) => findFormat(await readHead(each))?.kind));
  const areArrays = formats.every((kind) => kind === 'arrays');
  const { groups } = areArrays ? await openGroups(paths) : { groups: [] };
  const [group, ...others] = groups;
  const joined = others.length === 0 ? group?.joined : await openUnited(groups, source);
  if (typeof joined === 'object') return { path, files: paths, joined, source };
  const why = joined === undefined ? '' : `: ${joined.replaceAll(`${folder}/`, '')}`;
  throw fault(
    `is an archive of several inputs${why}`,
    `one of them, unpacked first: unzip ${shellWord(pathWord(source))}`,
  );
}
