import type { Stats } from 'node:fs';
import type { ArrayFile } from '../files/array/array-file.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import type { RemoteFile } from '../files/remote/remote-file.node.js';
import type { Report } from './notice.js';

/** The file of an input, and its name in messages. */
export interface InputFile {
  readonly path: string;
  readonly source: string;
  /** What was read to open a file at `path`: its status, and its first bytes. */
  readonly start?: { readonly status: Stats; readonly head: Uint8Array };
  /** All files of the input, where several make one: `path` is the first. */
  readonly files?: readonly string[];
  /** Of tables without a column of members: the one that each file is. */
  readonly members?: readonly string[];
  /** Files of arrays that are open as one. */
  readonly joined?: ArrayFile;
  /** A file on a server of which ranges are read. */
  readonly remote?: RemoteFile;
  /** Sends requests for a store at an address that needs signatures. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Opens arrays that are brought when it is known which are needed; without a selection, all may be. */
  readonly openArrays?: (selection: ArraySelection | undefined, report: Report) => Promise<ArrayFile>;
  /** What is known of its values besides what it states: title, institution, license, references. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Whether its runs are one lagged ensemble, unless the caller says otherwise. */
  readonly isLagged?: boolean;
  /** What people are told of how it was opened. */
  readonly note?: string;
  /** Call it when the file is no longer needed. */
  close(): Promise<void>;
}

/** What messages call several files. */
export function sourceOfFiles(files: readonly string[]): string {
  return `${files[0]} and ${files.length - 1} more`;
}

/** One input of several files: GRIB, such as one for each member and step, or parts of a table. */
export function joinedInput(files: readonly string[], members?: readonly string[]): InputFile {
  const [path] = files;
  return {
    path,
    files,
    source: sourceOfFiles(files),
    close: async () => {},
    ...(members && { members }),
  };
}

/** One input of several files of arrays that are open as one. */
export function arraysInput(files: readonly string[], joined: ArrayFile): InputFile {
  return { path: files[0], files, source: joined.source, joined, close: () => joined.close() };
}
