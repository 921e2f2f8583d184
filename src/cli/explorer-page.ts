import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileError } from '../errors.js';

/** A file of the explorer. */
interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The files of the explorer by their paths below it. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Beside the built command; from the source, beside the package. */
const FOLDERS = ['./explorer/', '../../dist/explorer/'];

/** Reads the files of the explorer, which belong to the package. Throws FileError where it was not built. */
export async function readPage(): Promise<PageFiles> {
  for (const folder of FOLDERS.map((path) => fileURLToPath(new URL(path, import.meta.url)))) {
    const isThere = await stat(join(folder, 'index.html')).catch(() => undefined);
    if (isThere !== undefined) return readFolder(folder);
  }
  throw new FileError({ subject: 'explorer', problem: 'its page is missing', allowed: 'a complete package' });
}

async function readFolder(folder: string): Promise<PageFiles> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => Object.hasOwn(TYPES, extname(name)));
  return new Map(
    await Promise.all(
      files.map(async (name): Promise<[string, PageFile]> => {
        const bytes = await readFile(join(folder, name));
        return [name.replaceAll('\\', '/'), { type: TYPES[extname(name)], bytes }];
      }),
    ),
  );
}
