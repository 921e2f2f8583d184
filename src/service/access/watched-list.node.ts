import { stat } from 'node:fs/promises';
import { unreadable } from '../../disk/file-fault.js';
import { FileError, type PlumecastError } from '../../errors.js';
import { FaultReport, type OnFault } from '../fault-report.js';
import { type ListKind, listPath, readList } from './list-file.node.js';

/** The time between two looks at the file, at least, in milliseconds. */
const MIN_INTERVAL = 1000;

/**
 * A value that is made from a list in a store folder, and made again when the list's file changes. A change is noticed
 * by `current`, which looks at the file at most once a second. Where the file becomes unreadable or broken, or is gone,
 * the old value stays, and a fault is reported once.
 */
export class WatchedList<T, V> {
  readonly #dir: string;
  readonly #kind: ListKind<T>;
  readonly #make: (entries: readonly T[]) => V;
  readonly #faults: FaultReport;
  #current!: V;
  /** Differs between versions of the file; undefined where there is no file. */
  #version: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<V> | undefined;

  private constructor(dir: string, kind: ListKind<T>, make: (entries: readonly T[]) => V, onFault?: OnFault) {
    this.#dir = dir;
    this.#kind = kind;
    this.#make = make;
    this.#faults = new FaultReport(onFault);
  }

  /**
   * An absent file is an empty list, until there is one. Throws FileError, and FormatError where the file is broken.
   */
  static async open<T, V>(
    dir: string,
    kind: ListKind<T>,
    make: (entries: readonly T[]) => V,
    onFault?: OnFault,
  ): Promise<WatchedList<T, V>> {
    const list = new WatchedList(dir, kind, make, onFault);
    await list.#load(await list.#versionNow());
    return list;
  }

  /** The value; at once where it is not yet time to look at the file. */
  current(): V | Promise<V> {
    if (performance.now() - this.#lookedAt < MIN_INTERVAL) return this.#current;
    this.#looking ??= this.#look();
    return this.#looking;
  }

  async #look(): Promise<V> {
    try {
      const version = await this.#versionNow();
      if (version === undefined && this.#version !== undefined) throw this.#gone();
      if (version !== this.#version) await this.#load(version);
      this.#faults.succeeded();
    } catch (error) {
      this.#faults.failed(error as PlumecastError);
    }
    this.#lookedAt = performance.now();
    this.#looking = undefined;
    return this.#current;
  }

  /** `version` was taken before the file is read: a change in between is noticed the next time. */
  async #load(version: string | undefined): Promise<void> {
    this.#current = this.#make(await readList(this.#dir, this.#kind));
    this.#version = version;
    this.#lookedAt = performance.now();
  }

  async #versionNow(): Promise<string | undefined> {
    const path = listPath(this.#dir, this.#kind);
    try {
      const { ino, size, mtimeMs, ctimeMs } = await stat(path);
      return [ino, size, mtimeMs, ctimeMs].join(' ');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unreadable(path, cause);
    }
  }

  #gone(): FileError {
    const allowed = 'a file with an empty list, to have none';
    return new FileError({ subject: listPath(this.#dir, this.#kind), problem: 'is gone', allowed });
  }
}
