import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { dirname, join } from 'node:path';
import { readRegularFile } from '../../disk/regular-file.node.js';
import type { Axis } from './dataset.js';

/*
 * The values of one cell of a cached dataset in a file:
 *
 *   bytes 0 to 31    SHA-256 of a line that describes the values, followed by the values
 *   bytes 32 to end  members x days float32, in this machine's byte order
 *
 * The format is plain bytes, as nothing else reads a cache: one read gives an array, and one comparison shows whether
 * it is complete, of this version, dataset, variable, cell and days, and from a machine with this byte order.
 */

/** Describes the values of a file. */
export interface CellKey {
  readonly revision: string;
  readonly slug: string;
  readonly cell: number;
  readonly axis: Axis;
}

const DIGEST_BYTES = 32;

/** A folder holds at most so many files. */
const CELLS_IN_FOLDER = 1000;

/** The folder with the values of a revision. */
export function revisionFolder(folder: string, revision: string): string {
  return join(folder, `revision-${createHash('sha256').update(revision).digest('hex').slice(0, 16)}`);
}

/** Whether the name of an entry in a cache's folder is one that `revisionFolder` makes. */
export function isRevisionFolder(name: string): boolean {
  return /^revision-[0-9a-f]{16}$/.test(name);
}

/** Reads the values of a cell; undefined where there are none, or they are incomplete or cannot be read. */
export async function readCell(folder: string, key: CellKey): Promise<Float32Array<ArrayBuffer> | undefined> {
  const bytes = await readRegularFile(cellPath(folder, key)).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const values = bytes.subarray(DIGEST_BYTES);
  if (!digestOf(key, values).equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
  return new Float32Array(new Uint8Array(values).buffer);
}

/** Writes the values of a cell: the file is complete, or it is what it was before. Throws errors of the file system. */
export async function writeCell(folder: string, key: CellKey, values: Float32Array<ArrayBuffer>): Promise<void> {
  const path = cellPath(folder, key);
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, [digestOf(key, bytes), bytes], { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

function cellPath(folder: string, { revision, slug, cell }: CellKey): string {
  const group = Math.floor(cell / CELLS_IN_FOLDER);
  return join(revisionFolder(folder, revision), slug, String(group), String(cell));
}

function digestOf({ revision, slug, cell, axis }: CellKey, values: Uint8Array): Buffer {
  const what = ['plumecast cell 1', endianness(), revision, slug, cell, axis.firstDay, axis.days, axis.members];
  return createHash('sha256')
    .update(`${JSON.stringify(what)}\n`)
    .update(values)
    .digest();
}
