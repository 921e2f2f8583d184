import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fixture = (name: string) => join(import.meta.dirname, '../fixtures/other-files', name);
/** The path of values elsewhere in the fixtures. */
const STORAGE = '/values-elsewhere'.padEnd(250, '_');

/** What the files are full of that fixtures refer to. No output has it. */
export const SECRET = 31_337;

/** Writes the files that the fixtures refer to. */
export async function writeOthers(folder: string): Promise<void> {
  await writeFile(join(folder, 'values'), new Uint8Array(new Float32Array(100).fill(SECRET).buffer));
  await copyFile(fixture('other.h5'), join(folder, 'other.h5'));
}

/** Copies a fixture to the files that it refers to; its values in external storage are at `storage`. */
export async function placeFixture(folder: string, name: string, storage = join(folder, 'values')): Promise<string> {
  const bytes = await readFile(fixture(name));
  const path = Buffer.from(storage.padEnd(STORAGE.length, '\0'));
  for (let at = bytes.indexOf(STORAGE); at >= 0; at = bytes.indexOf(STORAGE, at)) bytes.set(path, at);
  const copy = join(folder, name);
  await writeFile(copy, bytes);
  return copy;
}
