import { tmpdir } from 'node:os';
import { reason } from '../../disk/file-fault.js';
import { temporaryPath } from '../../disk/temporary-file.node.js';
import { FileError, isPlumecastError } from '../../errors.js';
import type { RunBytes } from '../../table/rows/row-runs.js';
import { FileStore } from './result-file.node.js';

/** Where bytes are kept. */
export interface SpillOptions {
  /** The bytes that are kept in memory; more of them all go to a temporary file. */
  readonly memoryBytes: number;
  /** Creates the temporary file. Throws FileError. */
  readonly openFile: () => RunBytes & { close(): void };
}

export const SPILL_OPTIONS: SpillOptions = {
  memoryBytes: 67_108_864,
  openFile: () => new FileStore(temporaryPath(tmpdir(), 'plumecast'), 'unnamed'),
};

/** Bytes that are written one after the other: in memory while they are few, else in a temporary file. */
export class SpilledBytes implements RunBytes {
  readonly #source: string | undefined;
  readonly #options: SpillOptions;
  #pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  #size = 0;
  #file?: ReturnType<SpillOptions['openFile']>;

  /** `source` is the file whose rows are kept, for messages. */
  constructor(source: string | undefined, options: SpillOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Writes bytes behind those before. Throws FileError if the temporary file cannot hold them. */
  write(bytes: Uint8Array, at: number): void {
    this.#size = at + bytes.length;
    if (this.#file === undefined && this.#size <= this.#options.memoryBytes) {
      this.#pieces.push({ at, bytes: bytes.slice() });
      return;
    }
    try {
      const file = (this.#file ??= this.#options.openFile());
      for (const piece of this.#pieces.splice(0)) file.write(piece.bytes, piece.at);
      file.write(bytes, at);
    } catch (error) {
      throw isPlumecastError(error, 'file') ? this.#noSpace(error) : error;
    }
  }

  /** Fills `into` with bytes that were written together. Throws FileError. */
  read(into: Uint8Array, at: number): void {
    if (this.#file !== undefined) {
      this.#file.read(into, at);
      return;
    }
    const piece = this.#pieces.find((each) => at >= each.at && at + into.length <= each.at + each.bytes.length);
    if (piece !== undefined) into.set(piece.bytes.subarray(at - piece.at, at - piece.at + into.length));
  }

  close(): void {
    this.#pieces = [];
    this.#file?.close();
  }

  #noSpace(error: FileError): FileError {
    const why = error.cause instanceof Error ? reason(error.cause) : error.problem;
    const rows = this.#source === undefined ? 'the rows' : `the rows of ${this.#source}`;
    return new FileError({
      subject: `temporary folder ${tmpdir()}`,
      problem: `cannot hold ${rows}, which are not ordered by location: ${why}`,
      received: `${this.#size} bytes so far`,
      allowed:
        'space for 8 bytes a row and 4 or 8 for each of its values; another folder, by the environment variable TMPDIR; or rows ordered by location',
      cause: error,
    });
  }
}
