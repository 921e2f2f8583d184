import type { RecordBatch, Schema, Table } from 'apache-arrow';
import type { Work } from '../check/work.js';
import type { Core } from '../core/load.js';
import type { ArrayFile } from './array/array-file.js';
import type { ArraySelection } from './array/array-selection.js';
import type { CsvOptions } from './csv/csv-rows.js';
import type { FileAccess } from './file-access.js';

/** A folder: the names in it, in the order of the system. */
export interface FolderAccess {
  /** The name of the folder in messages. */
  readonly source: string;
  readonly path: string;
  /** Files and links. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** What reads its files: see `FileAccess`. */
  readonly work: Work;
}

/** How a table is read. A format takes the options that it knows. */
export interface TableOptions extends CsvOptions {
  /** The columns to read; by default all. A format may read more. */
  readonly columns?: readonly string[];
  /** The name of the sheet of a workbook; by default the first one in sight. */
  readonly sheet?: string;
  /** The variable that is wanted: a workbook has it in the sheet of its name, where there is one. */
  readonly variable?: string;
  /** Whether columns of texts are dictionaries, which each table has its own of. */
  readonly codedTexts?: boolean;
  /** Approximate bytes of memory of one table; 32 MiB by default. */
  readonly tableBytes?: number;
  /** The most threads that read, the calling one included; one by default. */
  readonly threads?: number;
  /** Whether the memory of a table may be used for the next ones, where that saves time. */
  readonly areViews?: boolean;
  /** Whether tables stay valid when the next one is requested. */
  readonly areKept?: boolean;
}

/** A table that can be read, all at once or part by part. */
export interface TableSource {
  /** The name of its format for people: `Parquet`. */
  readonly format: string;
  /** Reads all rows as one table, whose values stay. */
  read(): Promise<Table>;
  /** Reads tables of one schema, from the first row on each time. */
  tables(core: Core): AsyncIterable<Table>;
}

/** What a format's `open` gives: without `tables`, all rows are read at once. */
export type OpenedTable = Pick<TableSource, 'read'> & Partial<Pick<TableSource, 'tables'>>;

/** How a file of arrays is opened. */
export interface ArrayOptions {
  /** Which arrays are needed; a format may leave out others. */
  readonly selection?: ArraySelection | undefined;
}

/** What all formats have. */
interface FormatDescription {
  /** Its name, which no other format has: `parquet`. */
  readonly name: string;
  /** What messages call a file of it: `Parquet`. */
  readonly words: string;
  /** What lists of formats call it, once for all that have the same; `words` by default. */
  readonly listed?: string;
  /** The same in a word, for help. */
  readonly short?: string;
  /** The endings of its files, without the dot: `csv`, `csv.gz`. */
  readonly endings: readonly string[];
  /** Whether a file is of this format, by its first bytes: all, or some ten thousand. */
  matches(head: Uint8Array): boolean;
  /** Whether a folder is one table or one file of arrays of this format. */
  matchesFolder?(folder: FolderAccess): boolean | Promise<boolean>;
}

/** A format of tables. */
export interface TableFileFormat extends FormatDescription {
  readonly kind: 'table';
  /** Whether its tables are read into the core's memory, where each is gone when the next one is read. */
  readonly isInCore?: true;
  /** Opens a file for which `matches` is true. Throws FormatError where it is damaged. */
  open(file: FileAccess, options: TableOptions): OpenedTable | Promise<OpenedTable>;
  openFolder?(folder: FolderAccess, options: TableOptions): OpenedTable | Promise<OpenedTable>;
  /** How tables are written in this format. */
  readonly write?: TableWriter;
}

/** A format of files of arrays. */
export interface ArrayFileFormat extends FormatDescription {
  readonly kind: 'arrays';
  /** Opens a file for which `matches` is true. Throws FormatError where it is damaged. */
  open(file: FileAccess, options: ArrayOptions): Promise<ArrayFile>;
  openFolder?(folder: FolderAccess, options: ArrayOptions): Promise<ArrayFile>;
}

/**
 * A format of files: how one is recognized and opened. Formats of your own are options of the functions that read
 * files; they are asked before the package's own.
 */
export type FileFormat = TableFileFormat | ArrayFileFormat;

export type Compression = 'none' | 'lz4' | 'zstd' | 'snappy';

/** How tables are written in a format. */
export interface TableWriter {
  /** The ending of files, with the dot. */
  readonly ending: string;
  /** Its compressions, the default first. */
  readonly compressions: readonly [Compression, ...Compression[]];
  /** Creates what writes tables of a schema. */
  encoder(schema: Schema, compression: Compression): Promise<TableEncoder>;
}

/** Writes batches of one schema into one file. */
export interface TableEncoder {
  /** The next bytes of the file, in pieces of any size; each is valid until the next one is requested. */
  encode(batch: RecordBatch): Iterable<Uint8Array>;
  /** The last bytes of the file. */
  end(): Iterable<Uint8Array>;
}
