import { readFile } from 'node:fs/promises';
import { findTowns, readTowns, type SearchedTown } from '../../../files/places/towns.js';

/** Beside what is built; from the source, beside the package. */
const PLACES = ['./', '../../../../dist/'];

/** The towns of the package: where names of places are looked up. */
export interface TownList {
  /** The towns whose names, or a word of these, begin with a text, the largest first. */
  find(name: string, max: number): readonly SearchedTown[];
}

/** Loads the towns; undefined where the package was built without them. */
export async function loadTowns(): Promise<TownList | undefined> {
  for (const place of PLACES) {
    const url = new URL(`${place}explorer/towns.txt`, import.meta.url);
    const text = await readFile(url, 'utf8').catch(() => undefined);
    if (text !== undefined) return townList(readTowns(text));
  }
  return undefined;
}

function townList(towns: readonly SearchedTown[]): TownList {
  return { find: (name, max) => findTowns(towns, name, max) };
}
