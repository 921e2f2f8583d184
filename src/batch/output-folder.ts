import type { FileLock } from '../disk/file-lock.node.js';
import type { FinishedOutput, Journal } from './journal.js';

/** Where the outputs of a batch lie: a folder of a disk, or what lies below a prefix in a bucket. Methods reject with FileError. */
export interface OutputFolder {
  /** The path of the folder, or the address of the prefix. */
  readonly out: string;
  /** The folder of a disk where outputs lie until they are complete. */
  readonly workPath: string;
  /** What names the journal in messages. */
  readonly journalPath: string;
  /** The path or address of a file of the folder. */
  pathOf(name: string): string;
  /** Reads ahead what is asked of files soon, where each question is a request. */
  look(names: readonly string[]): Promise<void>;
  /** The size of a file, or of all files of a store; undefined if there is none. */
  sizeOf(name: string): Promise<number | undefined>;
  /** The SHA-256 of a file; undefined where it cannot be read, or is not known. */
  hashOf(name: string, signal?: AbortSignal): Promise<string | undefined>;
  isLink(name: string): Promise<boolean>;
  /** The path of a file without links, or its address; undefined if there is none. */
  realPathOf(name: string): Promise<string | undefined>;
  /** Takes the folder for one batch; `problem` is what the error says of another one. */
  lock(problem: string): Promise<FileLock>;
  readJournal(): Promise<Journal>;
  addToJournal(finished: FinishedOutput): Promise<void>;
  removeJournal(): Promise<void>;
  /** Gives a complete file its name, or a folder in place of the one of that name, which goes to `aside` meanwhile. */
  put(from: string, finished: FinishedOutput, aside: string): Promise<void>;
  /** Removes a file, and the folders above it that are empty then. */
  remove(name: string): Promise<void>;
  /** Rejects with what keeps files from being written; `probe` is the path of a file that may be written to find it out. */
  assertWritable(probe: string): Promise<void>;
  /** The text of a file; undefined if there is none. */
  readText(name: string, allowed: string): Promise<string | undefined>;
  /** Replaces a file at once. */
  writeText(name: string, text: string): Promise<void>;
}
