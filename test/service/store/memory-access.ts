import { FileError, FormatError } from '../../../src/errors.js';
import type { StoreAccess } from '../../../src/service/store/store-access.js';

/** A store in memory, as a program may bring its own; `ages` are the ages of its objects in seconds, by name, where they are known. */
export function memoryAccess(ages: ReadonlyMap<string, number> = new Map()): StoreAccess & {
  readonly objects: Map<string, Uint8Array>;
} {
  const objects = new Map<string, Uint8Array>();
  let version = 0;
  const describe = (name = '') => `memory:${name}`;
  return {
    objects,
    describe,
    async get(name, at, into) {
      const bytes = objects.get(name);
      const cause = { code: 'ENOENT' };
      if (bytes === undefined) throw new FileError({ subject: describe(name), problem: 'is missing', cause });
      if (bytes.length < at + into.length) throw new FormatError({ subject: describe(name), problem: 'is cut short' });
      into.set(bytes.subarray(at, at + into.length));
    },
    async put(name, pieces) {
      const all: Uint8Array[] = [];
      for await (const piece of pieces) all.push(piece.slice());
      if (objects.has(name)) throw new FileError({ subject: describe(name), problem: 'exists already' });
      objects.set(name, new Uint8Array(Buffer.concat(all)));
    },
    async list(prefix) {
      const names = [...objects.keys()];
      const found = names.filter((name) => name === prefix || (prefix.endsWith('/') && name.startsWith(prefix)));
      return found.map((name) => {
        return { name, bytes: (objects.get(name) as Uint8Array).length, ageSeconds: ages.get(name) ?? 0 };
      });
    },
    async delete(name) {
      objects.delete(name);
    },
    async readManifest() {
      const bytes = objects.get('store.json');
      return bytes && { bytes, tag: `${version}` };
    },
    async replaceManifest(bytes, tag) {
      if (tag !== (objects.has('store.json') ? `${version}` : undefined)) return false;
      objects.set('store.json', bytes.slice());
      version++;
      return true;
    },
  };
}
