import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { assertKind, assertShape } from '../../check/option-checks.js';
import { unwritable } from '../../disk/file-fault.js';
import type { PlaceIndex } from '../../ensemble/place-index.js';
import { OptionError, type PlumecastError } from '../../errors.js';
import { type OnFault, report } from '../fault-report.js';
import { type CellKey, isRevisionFolder, readCell, revisionFolder, writeCell } from './cell-file.node.js';
import { type Axis, assertDataset, type Dataset } from './dataset.js';

type Values = Float32Array<ArrayBuffer>;

/** Where a cache keeps the values that it has read. */
export interface CacheOptions {
  /** For this dataset only; created where it does not exist. */
  readonly folder: string;
  /** How much is also kept in memory; the least recently used values are dropped first. Default 64 MiB. */
  readonly memoryBytes?: number;
  /** Called when values cannot be written to the folder; they are served all the same. */
  readonly onFault?: OnFault;
}

const MEMORY_BYTES = 67_108_864;

/** About what an entry takes in memory besides its values. */
const ENTRY_BYTES = 512;

/**
 * A dataset that keeps on disk what it has read from another one. The values of a variable at a cell are read from the
 * origin once, however many reads wait for them, and again only where their file is gone or damaged. Values in memory
 * are returned at once.
 *
 * An error of the origin rejects all waiting reads and is not kept: the next read tries again. While the folder cannot
 * be written to, values are served all the same, and are not kept. When the origin's revision changes, files of the old
 * revision are not used any more; `removeOldRevisions` removes them. Throws OptionError for an empty folder name and
 * for a memory below one byte.
 */
export function cachedDataset(origin: Dataset, options: CacheOptions): Dataset {
  assertDataset('origin', origin);
  assertShape('options', options, { folder: 'any text', onFault: 'function?' });
  const { folder, memoryBytes = MEMORY_BYTES, onFault } = options;
  if (folder === '') throw new OptionError({ subject: 'folder', problem: 'has no name', allowed: 'a path' });
  if (!Number.isSafeInteger(memoryBytes) || memoryBytes < 1) {
    const allowed = 'an integer of 1 or more';
    throw new OptionError({
      subject: 'memoryBytes',
      problem: 'is not a number of bytes',
      received: memoryBytes,
      allowed,
    });
  }
  return new CachedDataset(origin, folder, memoryBytes, onFault);
}

class CachedDataset implements Dataset {
  readonly origins?: Dataset['origins'];
  readonly #origin: Dataset;
  readonly #folder: string;
  readonly #memory: LRUCache<string, Values>;
  /** Reads that are under way, by the names of their values. */
  readonly #readings = new Map<string, Promise<Values>>();
  readonly #onFault: OnFault | undefined;
  /** Whether the last write has failed. */
  #isFaulty = false;

  constructor(origin: Dataset, folder: string, memoryBytes: number, onFault: OnFault | undefined) {
    this.#origin = origin;
    this.#folder = folder;
    this.#memory = new LRUCache({
      maxSize: memoryBytes,
      sizeCalculation: ({ byteLength }) => byteLength + ENTRY_BYTES,
    });
    this.#onFault = onFault;
    this.origins = origin.origins?.bind(origin);
  }

  get revision(): string {
    return this.#origin.revision;
  }

  get places(): PlaceIndex {
    return this.#origin.places;
  }

  get variables(): ReadonlyMap<string, Axis> {
    return this.#origin.variables;
  }

  read(slug: string, cell: number, into: Values): void | Promise<void> {
    const name = `${slug} ${cell} ${this.revision}`;
    const held = this.#memory.get(name);
    if (held === undefined) return this.#readShared(name, slug, cell).then((values) => into.set(values));
    into.set(held);
  }

  readNow(slug: string, cell: number, into: Values): boolean {
    const held = this.#memory.get(`${slug} ${cell} ${this.revision}`);
    if (held !== undefined) into.set(held);
    return held !== undefined;
  }

  /** One read serves all requests for the same values at the same time. */
  #readShared(name: string, slug: string, cell: number): Promise<Values> {
    const underway = this.#readings.get(name);
    if (underway !== undefined) return underway;
    const reading = this.#obtain(name, slug, cell).finally(() => this.#readings.delete(name));
    this.#readings.set(name, reading);
    return reading;
  }

  async #obtain(name: string, slug: string, cell: number): Promise<Values> {
    const key = { revision: this.revision, slug, cell, axis: this.variables.get(slug) as Axis };
    const kept = await readCell(this.#folder, key);
    const values = kept ?? (await this.#fetch(key));
    // Values that were read while the revision changed may belong to either revision.
    if (this.revision !== key.revision) return values;
    this.#memory.set(name, values);
    if (kept === undefined) await this.#keep(key, values);
    return values;
  }

  async #fetch({ slug, cell, axis }: CellKey): Promise<Values> {
    const values = new Float32Array(axis.members * axis.days);
    await this.#origin.read(slug, cell, values);
    return values;
  }

  async #keep(key: CellKey, values: Values): Promise<void> {
    try {
      await writeCell(this.#folder, key, values);
      this.#isFaulty = false;
    } catch (cause) {
      // Once for all files that cannot be written: each may have a message of its own.
      if (!this.#isFaulty) report(this.#onFault, unwritable(this.#folder, cause) as PlumecastError);
      this.#isFaulty = true;
    }
  }
}

/**
 * Removes what a cache keeps of other revisions than `revision`; other files in its folder stay. It is safe while the
 * folder is in use: values that are still requested are fetched again. Throws FileError.
 */
export async function removeOldRevisions(folder: string, revision: string): Promise<void> {
  assertKind('folder', folder, 'text');
  assertKind('revision', revision, 'text');
  const current = basename(revisionFolder(folder, revision));
  try {
    for (const name of await namesIn(folder)) {
      if (name !== current && isRevisionFolder(name))
        await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
    }
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

/** The names in a folder; none where the folder does not exist yet. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw cause;
  });
}
