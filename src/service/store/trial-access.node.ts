import { FolderAccess } from './folder-access.node.js';
import type { StoreAccess } from './store-access.js';

/** A store that is only read, and of which the objects of one update are in a folder elsewhere. */
export function trialAccess(store: Required<StoreAccess>, update: string, elsewhere: string): StoreAccess {
  const folder = new FolderAccess(elsewhere);
  const of = (name: string) => (name.startsWith(update) ? folder : store);
  return {
    describe: (name = '') => of(name).describe(name),
    get: (name, at, into) => of(name).get(name, at, into),
    getNow: (name, at, into) => of(name).getNow(name, at, into),
    giveUp: (name) => of(name).giveUp(name),
    doubt: (name) => of(name).doubt(name),
    put: (name, pieces) => folder.put(name, pieces),
    list: (prefix) => of(prefix).list(prefix),
    delete: (name) => folder.delete(name),
    readManifest: () => store.readManifest(),
    replaceManifest: async () => false,
    async close() {
      await folder.close();
      await store.close();
    },
  };
}
