import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readRegularFile } from '../../../disk/regular-file.node.js';
import type { InventoryText } from '../cube/grib-files.js';
import { indexNames, MAX_INDEX_BYTES } from './index-names.js';

/** Finds the index files that stand beside GRIB files, and reads them. */
export class InventoryFiles {
  readonly #paths: readonly string[];
  /** The names in each folder. */
  readonly #names = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Reads the index file of a file; undefined where there is none. */
  async read(file: number): Promise<InventoryText | undefined> {
    const path = this.#paths[file];
    const folder = dirname(path);
    const names = await this.#namesIn(folder);
    const name = indexNames(basename(path)).find((each) => names.has(each));
    if (name === undefined) return undefined;
    const source = join(folder, name);
    const bytes = await readRegularFile(source, { maxBytes: MAX_INDEX_BYTES }).catch(() => undefined);
    return { source, text: bytes?.toString('utf8') };
  }

  #namesIn(folder: string): Promise<ReadonlySet<string>> {
    const known = this.#names.get(folder);
    if (known !== undefined) return known;
    const names = readdir(folder).then(
      (all) => new Set(all),
      () => new Set<string>(),
    );
    this.#names.set(folder, names);
    return names;
  }
}
