import { readdir, stat } from 'node:fs/promises';
import { Work } from '../check/work.js';
import { unreadable } from '../disk/file-fault.js';
import { FileError } from '../errors.js';
import type { ArrayFile } from './array/array-file.js';
import type { ArraySelection } from './array/array-selection.js';
import { HEAD_BYTES } from './byte-source.js';
import { tooLong } from './codecs/gzip.js';
import { DiskFile } from './disk-file.node.js';
import { type FileAccess, fileOfSource } from './file-access.js';
import type { ArrayOptions, FileFormat, FolderAccess, TableOptions, TableSource } from './format.js';
import { ARRAY_FORMATS } from './formats.js';
import { DISK_FORMATS } from './formats.node.js';
import { arrayFormat, type Detection, openTable, tableSource, withWrfArrays } from './open-source.js';
import { assertNoTableLog } from './part-folder/table-log.node.js';
import { pathThreads } from './parts-thread.node.js';

const READABLE = `a file or folder of one of these formats: ${ARRAY_FORMATS}`;

/** How a path is opened. */
interface OpenPathOptions extends Pick<Detection, 'readable'> {
  /** The name of the file in messages; by default its path. */
  readonly source?: string;
  /** Formats of the caller's own. */
  readonly formats?: readonly FileFormat[] | undefined;
  readonly work?: Work;
}

/** The names in a folder. Throws FileError where it cannot be read. */
export async function readFolderNames(
  path: string,
  source = path,
  work = new Work({}, 'bytes'),
): Promise<FolderAccess> {
  const entries = await readdir(path, { withFileTypes: true }).catch((cause) => {
    throw unreadable(path, cause, 'a folder that may be read');
  });
  const namesOf = (isMeant: (entry: (typeof entries)[number]) => boolean) =>
    entries.filter(isMeant).map(({ name }) => name);
  return {
    ...{ source, path, work },
    files: namesOf((entry) => entry.isFile() || entry.isSymbolicLink()),
    folders: namesOf((entry) => entry.isDirectory()),
  };
}

/**
 * The format of a folder that is one table, or one file of arrays; undefined for other folders. Throws FileError, and
 * FormatError for a table whose log says which of its rows count.
 */
export async function findFolderFormat<T extends FileFormat = FileFormat>(
  folder: FolderAccess,
  formats: readonly T[],
): Promise<T | undefined> {
  await assertNoTableLog(folder);
  for (const format of formats) if (await format.matchesFolder?.(folder)) return format;
  return undefined;
}

/** A file on the disk, with its first bytes. Throws FileError. */
async function fileOnDisk(file: DiskFile, path: string, work: Work): Promise<FileAccess> {
  const { source, state } = file;
  work.expect(file.size);
  return {
    ...{ source, path, random: file, work },
    head: new Uint8Array(await file.slice(0, HEAD_BYTES)),
    bytes: async () => new Uint8Array(await file.slice(0)),
    pieces: ({ inTurn = false } = {}) => (inTurn ? file.piecesInTurn() : file.pieces()),
    parts: { file, others: pathThreads({ path, source, state }) },
  };
}

/**
 * Opens the table of a path, does `use` with it, and closes it: a file, also gzipped, or a folder that is one table.
 * Throws as `openTable` does, FileError where the path cannot be read or the file changes meanwhile, and what `use`
 * throws.
 */
export async function* withTable<T>(
  path: string,
  { source = path, formats = [], work = new Work({}, 'bytes'), ...options }: OpenPathOptions & TableOptions,
  use: (table: TableSource) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const folder = await openTableFolder(path, { source, formats, work, ...options });
  if (folder !== undefined) return yield* use(folder);
  const file = await DiskFile.open(path, source, work);
  try {
    const access = await fileOnDisk(file, path, work);
    yield* use(await openTable(access, { ...options, formats, unpackFile: unpackedAsItComes }));
    await file.checkUnchanged();
  } catch (cause) {
    // If the file is being written at the same time, that is the error to report.
    await file.checkUnchanged(cause);
    throw cause;
  } finally {
    await file.close();
  }
}

/**
 * Opens the table that some files make together, in the order given; with `members` each is one of these. Throws FileError
 * and FormatError as it is read.
 */
export async function openTableParts(
  files: readonly string[],
  {
    source = files[0],
    work,
    ...options
  }: Pick<OpenPathOptions, 'source' | 'work'> & TableOptions & { readonly members?: readonly string[] | undefined },
): Promise<TableSource> {
  const { openPartFiles } = await import('./part-folder/part-folder.node.js');
  return tableSource('table in parts', openPartFiles(files, source, options, work));
}

/** Opens a folder that is one table; undefined for everything else. Throws FileError. */
export async function openTableFolder(
  path: string,
  { source = path, formats = [], readable: _, work, ...options }: OpenPathOptions & TableOptions,
): Promise<TableSource | undefined> {
  const status = await stat(path).catch(() => undefined);
  if (!status?.isDirectory()) return undefined;
  const folder = await readFolderNames(path, source, work);
  const format = await findFolderFormat(folder, [...formats, ...DISK_FORMATS]);
  if (format?.kind !== 'table' || format.openFolder === undefined) return undefined;
  return tableSource(`folder of ${format.words} files`, await format.openFolder(folder, options));
}

/** The file in gzipped bytes, which is unpacked as they are read. */
async function unpackedAsItComes({ source, pieces, work }: FileAccess): Promise<FileAccess> {
  const { gunzipPieces } = await import('./codecs/gunzip-pieces.node.js');
  // The packed bytes are counted already.
  const { signal } = work;
  return fileOfSource(gunzipPieces(pieces(), source), source, { work: new Work({ signal }, 'bytes'), tooLong });
}

/**
 * Opens a file of arrays, or a folder that is one. Throws FileError where it cannot be read, FormatError where it is of
 * another format or damaged, and PackageError.
 */
export async function openArrayPath(
  path: string,
  { source = path, formats = [], work = new Work({}, 'bytes'), selection }: OpenPathOptions & ArrayOptions,
): Promise<ArrayFile> {
  const status = await stat(path).catch((cause) => Promise.reject(unreadable(path, cause, READABLE)));
  if (status.isDirectory()) {
    const folder = await readFolderNames(path, path, work);
    const arrays = [...formats, ...DISK_FORMATS].filter((format) => format.kind === 'arrays');
    const format = await findFolderFormat(folder, arrays);
    if (format?.openFolder !== undefined) return format.openFolder(folder, { selection });
    // It says what a store would have.
    return (await import('./zarr/open-zarr-folder.node.js')).openFolderStore(path, work);
  }
  if (!status.isFile()) throw new FileError({ subject: path, problem: 'is not a file', allowed: READABLE });
  const file = await DiskFile.open(path, source, work);
  try {
    const access = await fileOnDisk(file, path, work);
    const format = arrayFormat(access.head, source, [...formats, ...DISK_FORMATS]);
    const arrays = await withWrfArrays(await format.open(access, { selection }));
    return formats.includes(format) ? closedTogether(arrays, file) : arrays;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens a file of arrays that is elsewhere. Throws as `openArrayPath` does. */
export async function openArrayAccess(file: FileAccess, selection: ArraySelection | undefined): Promise<ArrayFile> {
  const format = arrayFormat(file.head, file.source, DISK_FORMATS);
  return withWrfArrays(await format.open(file, { selection }));
}

/** Arrays of a caller's format, which need not close the file that they are read from. */
function closedTogether(arrays: ArrayFile, file: DiskFile): ArrayFile {
  const { format, source, attributes, arrays: byName, notices, runs } = arrays;
  const close = () => arrays.close().finally(() => file.close());
  return { format, source, attributes, arrays: byName, close, ...(notices && { notices }), ...(runs && { runs }) };
}
