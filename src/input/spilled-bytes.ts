import { tmpdir } from 'node:os';
import { reason } from '../disk/file-fault.js';
import { temporaryPath } from '../disk/temporary-file.node.js';
import { FileError, isPlumecastError } from '../errors.js';
import { GATHER_LIMITS, type GatherLimits } from '../table/rows/gathered-rows.js';
import { BytesInMemory, type RunBytes } from '../table/rows/row-runs.js';
import { FileStore } from './result-file.node.js';

/** How many rows and results of a table are held, and where. */
export interface RowLimits extends GatherLimits {
  /** The bytes of rows that are kept in memory; more of them all go to a temporary file. */
  readonly memoryBytes: number;
  /** The bytes of results that are held in memory; further ones are in a temporary file. */
  readonly heldBytes: number;
  /** From this many bytes of results on all are released. */
  readonly maxHeldBytes: number;
  /** Creates a temporary file. Throws FileError. */
  readonly openFile: () => RunBytes & { close(): void };
}

export const ROW_LIMITS: RowLimits = {
  ...GATHER_LIMITS,
  memoryBytes: 67_108_864,
  heldBytes: 16_777_216,
  maxHeldBytes: 4_294_967_296,
  openFile: () => new FileStore(temporaryPath(tmpdir(), 'plumecast'), 'unnamed'),
};

/** Bytes that are written one after the other: in memory while they are few, else in a temporary file. */
export class SpilledBytes implements RunBytes {
  readonly #source: string | undefined;
  readonly #options: RowLimits;
  readonly #memory = new BytesInMemory();
  #size = 0;
  #file?: ReturnType<RowLimits['openFile']>;

  /** `source` is the file whose rows are kept, for messages. */
  constructor(source: string | undefined, options: RowLimits) {
    this.#source = source;
    this.#options = options;
  }

  /** Writes bytes behind those before. Throws FileError if the temporary file cannot hold them. */
  write(bytes: Uint8Array, at: number): void {
    this.#size = at + bytes.length;
    if (this.#file === undefined && this.#size <= this.#options.memoryBytes) {
      this.#memory.write(bytes, at);
      return;
    }
    try {
      const file = (this.#file ??= this.#options.openFile());
      this.#memory.moveTo(file);
      file.write(bytes, at);
    } catch (error) {
      throw isPlumecastError(error, 'file') ? this.#noSpace(error) : error;
    }
  }

  /** Fills `into` with bytes that were written together. Throws FileError. */
  read(into: Uint8Array, at: number): void {
    (this.#file ?? this.#memory).read(into, at);
  }

  close(): void {
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
