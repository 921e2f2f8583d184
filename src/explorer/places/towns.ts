import { readTowns, type SearchedTown } from '../../files/places/towns.js';

let loaded: Promise<readonly SearchedTown[]> | undefined;

/** The towns above 15,000 inhabitants, the largest first: a file beside the page, which is read at the first call. */
export function loadTowns(): Promise<readonly SearchedTown[]> {
  loaded ??= fetch(new URL('./towns.txt', document.baseURI)).then(async (response) => {
    if (!response.ok) throw new Error(`the list of towns is missing: ${response.status}`);
    return readTowns(await response.text());
  });
  // The next call tries again.
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}
