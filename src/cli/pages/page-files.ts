import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that is served as it is. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Changes with the bytes. */
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Creates a file of bytes; the ending of its name says what it is. */
export function pageFile(name: string, content: Uint8Array | string): PageFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[extname(name)], bytes, etag };
}

/** Beside the built command; from the source, beside the package. */
const FOLDERS = ['./', '../../../dist/'];

/**
 * Reads the files of a folder of the built package by their paths below it, with slashes: those of kinds that pages
 * have. Undefined where the folder is not there.
 */
export async function readPageFolder(folder: string): Promise<Map<string, PageFile> | undefined> {
  for (const place of FOLDERS) {
    const root = fileURLToPath(new URL(`${place}${folder}/`, import.meta.url));
    const names = await readdir(root, { recursive: true }).catch(() => undefined);
    if (names === undefined) continue;
    const known = names.filter((name) => Object.hasOwn(TYPES, extname(name)));
    const files = known.map(async (name): Promise<[string, PageFile]> => {
      return [name.replaceAll('\\', '/'), pageFile(name, await readFile(join(root, name)))];
    });
    return new Map(await Promise.all(files));
  }
  return undefined;
}
