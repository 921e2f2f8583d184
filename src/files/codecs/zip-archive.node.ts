import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { isPlumecastError } from '../../errors.js';
import type { DiskFile } from '../disk-file.node.js';
import { crc32 } from './crc.js';
import { damagedEntry, entryStart, fault, readEntries, STORED, type ZipEntry } from './zip-directory.js';

const PIECE_BYTES = 1_048_576;

/**
 * Unpacks all files of an archive into a folder, and returns their names, sorted; hidden ones are left out. Throws
 * FormatError for an archive that is cut or damaged, encrypted, or packed in another way than by deflate.
 */
export async function unpackZip(archive: DiskFile, source: string, folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const entry of await readEntries(archive, source)) {
    const steps = entry.name.split(/[\\/]/);
    if (entry.name.endsWith('/') || steps.some((step) => /^(\.|__MACOSX$)/.test(step))) continue;
    if (steps.some((step) => step === '' || step.includes(':'))) {
      throw fault(source, 'has an entry outside of its folder', entry.name, 'names below the folder');
    }
    const path = join(folder, ...steps);
    await mkdir(dirname(path), { recursive: true });
    await unpackEntry(archive, source, entry, path);
    names.push(steps.join('/'));
  }
  return names.sort((a, b) => (a < b ? -1 : 1));
}

async function unpackEntry(archive: DiskFile, source: string, entry: ZipEntry, path: string): Promise<void> {
  const from = await entryStart(archive, source, entry);
  const damaged = (cause?: unknown) => damagedEntry(source, entry, cause);
  const file = await open(path, 'wx');
  let checksum = 0;
  let bytes = 0;
  try {
    for await (const piece of unpacked(packedPieces(archive, from, from + entry.packedBytes), entry.method)) {
      checksum = crc32(piece, checksum);
      bytes += piece.length;
      if (bytes > entry.bytes) throw damaged();
      await file.appendFile(piece);
    }
  } catch (cause) {
    throw isPlumecastError(cause) ? cause : damaged(cause);
  } finally {
    await file.close();
  }
  if (bytes !== entry.bytes || checksum !== entry.checksum) throw damaged();
}

async function* packedPieces(archive: DiskFile, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE_BYTES) {
    yield new Uint8Array(await archive.slice(at, Math.min(to, at + PIECE_BYTES)));
  }
}

async function* unpacked(pieces: AsyncIterable<Uint8Array>, method: number): AsyncIterable<Uint8Array> {
  if (method === STORED) return yield* pieces;
  const inflate = createInflateRaw();
  // Errors are thrown when the result is read.
  pipeline(Readable.from(pieces), inflate, () => {});
  for await (const piece of inflate) yield piece;
}
