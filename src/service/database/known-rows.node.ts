import { FileError } from '../../errors.js';
import { ProblemError } from '../problem-error.js';
import type { ChangeWatch } from './change-watch.node.js';

/** So many rows are kept at most; the oldest goes first. And so many names of which there is none. */
export const MAX_ROWS = 1_000_000;
const MAX_ABSENT = 10_000;

/** More questions at once are answered with 503: they would wait for each other. */
const MAX_QUESTIONS = 1000;

/** How rows are read. */
export interface RowsOptions<T> {
  /** The database in messages. */
  readonly subject: string;
  readonly watch: Pick<ChangeWatch, 'epoch' | 'isLive' | 'ageSeconds'>;
  /** For so many seconds rows that are known are used while changes may be missed. */
  readonly graceSeconds: number;
  /** Reads a row; undefined where there is none. */
  readonly read: (name: string) => Promise<T | undefined>;
}

/**
 * Rows of a table by their names, each read once until it changes. While the database is away, those that are known go on
 * for a time; others are a fault.
 */
export class KnownRows<T> {
  readonly #options: RowsOptions<T>;
  readonly #rows = new Map<string, { readonly row: T; readonly epoch: number }>();
  readonly #absent = new Set<string>();
  readonly #questions = new Map<string, Promise<T | undefined>>();
  #absentEpoch = 0;
  /** How many changes were announced: what is read meanwhile may be older than one. */
  #changes = 0;

  constructor(options: RowsOptions<T>) {
    this.#options = options;
  }

  /** Whether what is known may be used. */
  get isUsable(): boolean {
    const { watch, graceSeconds } = this.#options;
    return watch.isLive || watch.ageSeconds <= graceSeconds;
  }

  /** A row was changed or removed. */
  forget(name: string): void {
    this.#changes++;
    this.#rows.delete(name);
    this.#absent.clear();
  }

  /** Rows were added. */
  forgetAbsent(): void {
    this.#changes++;
    this.#absent.clear();
  }

  /** The row of a name; undefined where there is none. Throws, or rejects with, FileError where that cannot be told now. */
  find(name: string): T | undefined | Promise<T | undefined> {
    const { watch, graceSeconds, subject } = this.#options;
    const known = this.#rows.get(name);
    if (!watch.isLive) {
      if (known !== undefined && this.isUsable) return known.row;
      const problem = this.isUsable ? 'cannot be reached' : `cannot be reached for longer than ${graceSeconds} s`;
      throw new FileError({ subject, problem, allowed: 'a database that runs and can be reached' });
    }
    if (known?.epoch === watch.epoch) return known.row;
    if (this.#absentEpoch === watch.epoch && this.#absent.has(name)) return undefined;
    return this.#questions.get(name) ?? this.#ask(name, known?.row);
  }

  #ask(name: string, known: T | undefined): Promise<T | undefined> {
    if (this.#questions.size >= MAX_QUESTIONS) {
      throw new ProblemError(503, 'overloaded', 'Too many keys or locations are looked up at once; try again later.');
    }
    const question = this.#read(name, known).finally(() => this.#questions.delete(name));
    this.#questions.set(name, question);
    return question;
  }

  async #read(name: string, known: T | undefined): Promise<T | undefined> {
    const { watch, read } = this.#options;
    const { epoch } = watch;
    const changes = this.#changes;
    try {
      const row = await read(name);
      if (changes === this.#changes && epoch === watch.epoch) this.#keep(name, row, epoch);
      return row;
    } catch (error) {
      if (known !== undefined && this.isUsable) return known;
      throw error;
    }
  }

  #keep(name: string, row: T | undefined, epoch: number): void {
    if (row !== undefined) {
      this.#rows.delete(name);
      const [oldest] = this.#rows.size >= MAX_ROWS ? this.#rows.keys() : [];
      if (oldest !== undefined) this.#rows.delete(oldest);
      this.#rows.set(name, { row, epoch });
      return;
    }
    this.#rows.delete(name);
    if (this.#absentEpoch !== epoch || this.#absent.size >= MAX_ABSENT) this.#absent.clear();
    this.#absentEpoch = epoch;
    this.#absent.add(name);
  }
}
