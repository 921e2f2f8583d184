import { type Schema, Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import { isPlumecastError } from '../../errors.js';
import { withSchema } from '../../table/arrow/with-schema.js';
import type { Notice, Report } from './notice.js';
import type { SpillOptions } from './spilled-bytes.js';

/** How many results are held. */
export interface HeldOptions extends Pick<SpillOptions, 'openFile'> {
  /** The bytes of tables that are held in memory; further ones are in a temporary file. */
  readonly heldBytes: number;
  /** From this many bytes on all are released. */
  readonly maxHeldBytes: number;
}

export const HELD_LIMITS = { heldBytes: 16_777_216, maxHeldBytes: 4_294_967_296 };

/** The place of a table in the temporary file. */
interface Spilled {
  readonly at: number;
  readonly length: number;
}

/** Results and notices that count for nothing if the rows turn out to be in another order than expected. */
export class HeldResults {
  isReleased = false;
  readonly #report: Report;
  readonly #options: HeldOptions;
  readonly #notices: Notice[] = [];
  /** In their order: those in memory come first. */
  #tables: Table[] = [];
  #spilled: Spilled[] = [];
  #file?: ReturnType<SpillOptions['openFile']>;
  #bytes = 0;
  #schema?: Schema;

  constructor(report: Report, options: HeldOptions) {
    this.#report = report;
    this.#options = options;
  }

  readonly report: Report = (notice) => {
    if (this.isReleased) this.#report(notice);
    else this.#notices.push(notice);
  };

  /** Adds a table, and returns those that are released: all from some number of bytes on, or where the disk is full. */
  *add(table: Table): Iterable<Table> {
    if (this.isReleased) return yield table;
    this.#bytes += table.batches.reduce((sum, { data }) => sum + data.byteLength, 0);
    const { heldBytes, maxHeldBytes } = this.#options;
    const isHeld = this.#bytes <= heldBytes ? this.#tables.push(table) > 0 : this.#spill(table);
    if (isHeld && this.#bytes < maxHeldBytes) return;
    yield* this.release();
    if (!isHeld) yield table;
  }

  /** Forgets all of them. */
  discard(): void {
    this.#tables = [];
    this.#spilled = [];
    this.#notices.length = 0;
    this.#file?.close();
    this.#file = undefined;
  }

  /** Passes the notices on. */
  reportNotices(): void {
    this.isReleased = true;
    for (const notice of this.#notices.splice(0)) this.#report(notice);
  }

  /** Passes the notices on, and returns the tables. */
  *release(): Iterable<Table> {
    this.reportNotices();
    yield* this.#tables.splice(0);
    for (const { at, length } of this.#spilled.splice(0)) {
      const bytes = new Uint8Array(length);
      this.#file?.read(bytes, at);
      yield new Table(tableFromIPC(bytes).batches.map((batch) => withSchema(batch, this.#schema ?? batch.schema)));
    }
    this.discard();
  }

  /** Writes a table to the temporary file; false if that cannot hold it. */
  #spill(table: Table): boolean {
    // All tables have one schema; Arrow's bytes do not keep which dictionaries are the same.
    this.#schema ??= table.schema;
    const bytes = tableToIPC(table, 'stream');
    const last = this.#spilled.at(-1);
    const at = last === undefined ? 0 : last.at + last.length;
    try {
      this.#file ??= this.#options.openFile();
      this.#file.write(bytes, at);
    } catch (error) {
      if (isPlumecastError(error, 'file')) return false;
      throw error;
    }
    this.#spilled.push({ at, length: bytes.length });
    return true;
  }
}
