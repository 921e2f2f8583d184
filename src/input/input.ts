import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { isAddress } from '../disk/local-path.js';
import { mentionOption } from '../errors.js';
import type { ArrayFile } from '../files/array/array-file.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import { describeFilesWithout } from '../files/array/files-with-values.js';
import { arrowStream } from '../files/arrow/arrow-format.js';
import { readTables } from '../files/arrow/message-reader.js';
import { messageRuns } from '../files/arrow/message-runs.js';
import type { Pieces } from '../files/byte-source.js';
import { HEAD_BYTES } from '../files/byte-source.js';
import { readHead } from '../files/disk-file.node.js';
import { fileOfBytes } from '../files/file-access.js';
import { isGzip } from '../files/foreign-format.js';
import type { FolderAccess } from '../files/format.js';
import { READABLE_FORMATS } from '../files/formats.js';
import { DISK_FORMATS } from '../files/formats.node.js';
import { openSelectedGrib } from '../files/grib/open-grib-files.node.js';
import { icechunkAddress, isIcechunkFolder } from '../files/icechunk/icechunk-address.js';
import { findFormat, openTable } from '../files/open-source.js';
import {
  findFolderFormat,
  openTableFolder,
  openTableParts,
  readFolderNames,
  withTable,
} from '../files/open-source.node.js';
import { assertNoTableAbove } from '../files/part-folder/table-log.node.js';
import { readingThreads } from '../files/parts-thread.node.js';
import { readTable } from '../files/read-table.js';
import type { RemoteFile } from '../files/remote/remote-file.node.js';
import {
  type InputFile,
  isStandardInput,
  joinPieces,
  openInputFile,
  openStandardInput,
  readInput,
  STANDARD,
} from './input-file.js';
import type { SeenUse, ValueOptions } from './input-request.js';
import { type Report, reportNotes, reportOnce } from './notice.js';
import { openInputArrays } from './open-input-arrays.js';
import { OptionUse } from './option-use.js';

/** An input that is open. */
export type Input = ArrayInput | TableInput;

/** A file or store of arrays. */
export interface ArrayInput {
  readonly kind: 'arrays';
  readonly source: string;
  /** Passes each notice about the input on once. */
  readonly report: Report;
  readonly arrays: ArrayFile;
  /** Whether its runs are one lagged ensemble, unless the caller says otherwise. */
  readonly isLagged?: boolean | undefined;
  close(): Promise<void>;
}

/** The file of a table. */
export interface TableInput {
  readonly kind: 'table';
  /**
   * A `short` file is best read all at once, others as they come; an Arrow file also into the core's memory. A `folder`
   * is one of Parquet files partitioned by keys.
   */
  readonly form: 'short' | 'arrow-file' | 'arrow-stream' | 'parquet' | 'folder' | 'text';
  readonly source: string;
  /** The words of its format, of a workbook. */
  readonly format?: string | undefined;
  readonly path: string;
  /** The files that are its parts, where several are given as one. */
  readonly files?: readonly string[] | undefined;
  /** Passes each notice about the input on once. */
  readonly report: Report;
  /** Reads all rows as one table, whose values stay. Throws as `readTable` does, and FileError. */
  read(): Promise<Table>;
  /**
   * Reads tables of one schema, from the first row on each time; with `areViews` each is valid until the next one is
   * requested, as with `inTurn`, where texts of CSV and Parquet are dictionaries, too. Throws as `readTables` does.
   */
  tables(core: Core, options?: TablesOptions): AsyncIterable<Table>;
  readonly areViews: boolean;
  /** Whether tables that are read in turn stay, too: parts of Parquet and Arrow do. */
  readonly keepsTables?: boolean;
  close(): Promise<void>;
}

/** How the tables of an input are read. */
interface TablesOptions {
  readonly inTurn?: boolean;
  /** Which of its columns are needed; undefined for all. Others of a Parquet file on a server are not read. */
  readonly needed?: (names: readonly string[]) => readonly string[] | undefined;
}

/** Files from this size on are read part by part if possible, which takes less time than all at once. */
const LONG_BYTES = 1_048_576;
/**
 * Texts of wide rows from this size on: a part of a shorter one has so few rows that most of its time goes to its
 * columns.
 */
const LONG_WIDE_BYTES = 33_554_432;
const LINE_FEED = 10;
/** Bytes of a table of a long Parquet file. */
const TABLE_BYTES = 12_582_912;

/** How an input is opened. */
export interface OpenOptions {
  /** Whether its rows are read once. */
  readonly once?: boolean;
  /** The most threads that read and compute; by default one for each processor. */
  readonly threads?: number;
  /** The variable that is wanted, which may choose the sheet of a workbook. */
  readonly variable?: string | undefined;
  /** The arrays that will be read, where not all may be; asked for when the input holds arrays. */
  readonly selection?: () => Promise<ArraySelection | undefined>;
  /** Sees which value options it uses, where it is one of several inputs: an option may be about the others. */
  readonly use?: Pick<SeenUse, 'opened'> | undefined;
}

/**
 * Opens a file, a folder of Parquet files partitioned by keys, a store of arrays (a folder or a web address), a file at
 * a web address or standard input, which are copied to a temporary file; only an Arrow stream on standard input is read
 * as it comes if `once` says that its rows are read once. Throws FileError, FormatError and PackageError.
 */
export async function openInput(
  given: string | InputFile,
  values: ValueOptions,
  report: Report,
  options: OpenOptions = {},
): Promise<Input> {
  if (options.once && typeof given === 'string' && (await isStandardInput(given))) {
    const { head, pieces } = await openStandardInput();
    if (arrowStream.matches(head)) {
      opened(ARROW_STREAM, values, 'standard input', options.use);
      return arrowStreamInput(pieces, 'standard input', report);
    }
    return openFile(await openInputFile(given, () => pieces), values, report, options);
  }
  return openFile(typeof given === 'string' ? await openInputFile(given) : given, values, report, options);
}

async function openFile(
  file: InputFile,
  values: ValueOptions,
  given: Report,
  { threads, variable, selection: selected, use }: OpenOptions,
): Promise<Input> {
  const { path, source, files, members, remote } = file;
  const report = reportOnce(given);
  const note = (text: string) => report({ kind: 'note', source, text });
  try {
    const held = (file.joined ?? file.openArrays) === undefined ? await inputForm(path, file) : ARRAYS;
    const { form, isCsv, isWorkbook } = held;
    const parts = form === 'arrays' ? undefined : files;
    if (file.note !== undefined) note(file.note);
    opened(held, values, source, use);
    if (form === 'arrays') {
      const selection = await selected?.();
      const found =
        file.joined ??
        (await file.openArrays?.(selection, report)) ??
        (await (files === undefined
          ? openInputArrays(file, {
              selection,
              virtualChunks: values.virtualChunks,
              missingChunks: values.missingChunks,
            })
          : openSelectedGrib(files, selection)));
      const arrays = withTexts(found, file.texts);
      for (const text of arrays.notices ?? []) report({ kind: 'warning', source, text });
      reportNotes(report, source, arrays.notes ?? []);
      const close = () => {
        for (const text of [...absentChunks(arrays, file.joined !== undefined), ...filesWithout(arrays)])
          report({ kind: 'warning', source, text });
        return arrays.close().finally(() => file.close());
      };
      return { kind: 'arrays', source, report, arrays, isLagged: file.isLagged, close };
    }
    const readers = remote === undefined ? await threadsOf(form, path, threads) : 1;
    // Of several files, it may be meant for another one.
    const decimal = isCsv ? values.decimal : undefined;
    const sheet = isWorkbook ? values.sheet : undefined;
    const reading = {
      ...{ source, report: note, readable: READABLE_FORMATS },
      ...(decimal !== undefined && { decimal }),
      ...(sheet !== undefined && { sheet }),
      ...(isWorkbook && variable !== undefined && { variable }),
    };
    return {
      ...(isWorkbook && { format: held.format }),
      ...{ kind: 'table', form: parts === undefined ? form : 'folder', source, path, files: parts, report },
      read: async () => {
        const folding = { source, tableBytes: TABLE_BYTES, report: note, members };
        if (remote !== undefined) return (await openTable(remote.access(), reading)).read();
        const several =
          parts !== undefined
            ? await openTableParts(parts, folding)
            : form === 'folder' && (await openTableFolder(path, folding));
        const table = several || (await openTable(fileOfBytes(await readInput(path), source), reading));
        return table.read();
      },
      tables: async function* (core, { inTurn = false, needed } = {}) {
        if (parts !== undefined) {
          const given = { source, tableBytes: TABLE_BYTES, report: note, members, codedTexts: inTurn };
          const table = await openTableParts(parts, given);
          yield* table.tables(core);
          return;
        }
        const options = { ...reading, codedTexts: inTurn, areViews: inTurn, tableBytes: TABLE_BYTES, threads: readers };
        if (remote !== undefined) {
          const { parquetColumns } = await import('../files/parquet/parquet-file.js');
          const columns = form === 'parquet' ? needed?.(await parquetColumns(remote, source)) : undefined;
          yield* (await openTable(remote.access(), { ...options, ...(columns && { columns }) })).tables(core);
          return;
        }
        yield* withTable(path, options, ({ tables }) => tables(core));
      },
      areViews: parts === undefined && (form === 'arrow-file' || form === 'arrow-stream' || form === 'short'),
      keepsTables: (parts !== undefined || form === 'folder') && !isCsv,
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Sees which value options an input uses; where nothing else does, one that it cannot use is an error. */
function opened({ form, ...about }: InputForm, values: ValueOptions, source: string, use?: OpenOptions['use']): void {
  const seen = use ?? new OptionUse(values, { isOne: true });
  seen.opened({ kind: form === 'arrays' ? 'arrays' : 'table', ...about }, source);
}

/** Arrays of a file with texts that it does not state itself. */
function withTexts(file: ArrayFile, texts: InputFile['texts']): ArrayFile {
  if (texts === undefined) return file;
  const { format, source, arrays, notices, notes, runs, isArchive, filesWithin } = file;
  return {
    ...{ format, source, arrays, attributes: new Map([...texts, ...file.attributes]), close: () => file.close() },
    ...{ ...(notices && { notices }), ...(notes && { notes }), ...(runs && { runs }), ...(isArchive && { isArchive }) },
    ...(filesWithin && { filesWithin }),
  };
}

/** What people are told of arrays whose chunks that were read are not all in the store, and may have a value all the same. */
function absentChunks({ arrays }: ArrayFile, isJoined: boolean): string[] {
  return [...arrays.values()].flatMap(({ name, isUnwritten, absentValue }) => {
    const isAll = isUnwritten === true;
    if (!isAll && absentValue === undefined) return [];
    const found = isAll
      ? `not one chunk of ${name} that was read is in the store: all of its values are missing`
      : `some chunks of ${name} that were read are not in the store: their values are missing`;
    const how = `${isJoined ? 'convert each store with' : 'use'} ${mentionOption('missingChunks', 'fill')}`;
    const filled = `if their writer left out what is all ${absentValue}, ${how}`;
    return absentValue === undefined ? found : `${found}; ${filled}`;
  });
}

/** What people are told of files of several, of which all that was read is missing. */
function filesWithout({ arrays }: ArrayFile): string[] {
  return [...arrays.values()].flatMap(({ name, filesWithoutValues }) => {
    const files = filesWithoutValues?.() ?? [];
    return files.length === 0 ? [] : [describeFilesWithout(files, name)];
  });
}

/** How many threads read a table. */
async function threadsOf(form: TableInput['form'], path: string, requested: number | undefined): Promise<number> {
  if (!isMainThread || (form !== 'text' && form !== 'parquet')) return 1;
  return readingThreads(form, (await stat(path)).size, requested, availableParallelism());
}

/** An Arrow stream that is read as it comes. */
export function arrowStreamInput(pieces: Pieces, source: string, report: Report): TableInput {
  return {
    ...{ kind: 'table', form: 'arrow-stream', source, path: STANDARD, report: reportOnce(report) },
    read: async () => readTable(await joinPieces(pieces), { source }),
    tables: (core) => readTables(messageRuns(core, pieces, source), source),
    areViews: true,
    close: async () => {},
  };
}

/** Whether a path is that of a file or store of arrays, by its first bytes. */
export async function holdsArrays(path: string): Promise<boolean> {
  return (await inputForm(path)).form === 'arrays';
}

/** What a path holds. */
interface InputForm {
  /** `short` for what cannot be read, which reading reports. */
  readonly form: 'arrays' | TableInput['form'];
  /** The words of its format. */
  readonly format?: string | undefined;
  /** Whether it may be CSV. */
  readonly isCsv?: boolean;
  readonly isWorkbook?: boolean;
  /** Whether it is a store that may refer to chunks elsewhere. */
  readonly mayRefer?: boolean;
  /** Whether it is a store of chunks, which may lack some. */
  readonly isStore?: boolean;
}

const ARRAYS: InputForm = { form: 'arrays' };
const ARROW_STREAM: InputForm = { form: 'arrow-stream', format: arrowStream.words };

/** Whether a folder is a repository of Icechunk, or may be references in Parquet. */
function mayReferTo(folder: FolderAccess): boolean {
  return isIcechunkFolder(folder) || folder.files.includes('.zmetadata');
}

/** What a path holds by its first bytes and its size. */
async function inputForm(path: string, { remote, start }: Partial<InputFile> = {}): Promise<InputForm> {
  if (remote !== undefined) return remoteForm(remote);
  if (isAddress(path) || icechunkAddress(path) !== undefined) return { form: 'arrays', mayRefer: true, isStore: true };
  const status = await stat(path).catch(() => undefined);
  if (status?.isDirectory()) {
    const folder = await readFolderNames(path);
    const format = await findFolderFormat(folder, DISK_FORMATS);
    if (format?.kind !== 'table') {
      const isStore = format?.name === 'zarr';
      return { form: 'arrays', format: format?.words, mayRefer: isStore && mayReferTo(folder), isStore };
    }
    await assertNoTableAbove(path);
    return { form: 'folder', format: format.words, isCsv: format.name === 'csv' };
  }
  // Whatever is read from a pipe is gone.
  if (!status?.isFile()) return { form: 'short', isCsv: true };
  const head = start?.head ?? (await readHead(path).catch(() => undefined));
  if (head === undefined) return { form: 'short' };
  const format = findFormat(head);
  if (format?.kind === 'arrays') {
    const isStore = format.name === 'kerchunk';
    return { form: 'arrays', format: format.words, mayRefer: isStore, isStore };
  }
  if (format?.name === 'parquet') await assertNoTableAbove(path);
  // It may be long when it is unpacked.
  if (isGzip(head)) return { form: 'text', isCsv: true };
  const isCsv = format?.name === 'csv';
  const isWorkbook = format?.name === 'xlsx';
  const about = { format: format?.words, isCsv, isWorkbook };
  if (status.size < LONG_BYTES) return { form: 'short', ...about };
  if (format?.name === 'arrow-file' || format?.name === 'arrow-stream' || format?.name === 'parquet')
    return { form: format.name, ...about };
  const isWide = head.length === HEAD_BYTES && !head.includes(LINE_FEED);
  return { form: isWide && status.size < LONG_WIDE_BYTES ? 'short' : 'text', ...about };
}

/** What a file on a server holds; an Arrow file is read as it comes. */
function remoteForm(remote: RemoteFile): InputForm {
  const format = findFormat(remote.access().head);
  if (format?.kind === 'arrays') return ARRAYS;
  return { form: format?.name === 'parquet' ? 'parquet' : 'arrow-stream', format: format?.words };
}
