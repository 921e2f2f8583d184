import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { FormatError, isPlumecastError } from '../../errors.js';
import type { DiskFile } from '../disk-file.node.js';
import { crc32 } from './crc.js';

/*
 * Archives by PKWARE's APPNOTE 6.3. They are read by their directory, at the end, which alone has the checksum and the size
 * of every entry: headers before entries may leave them out.
 */

/** A file in an archive. */
interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Where its header begins. */
  readonly at: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const LOCATOR = 0x07064b50;
const LOCATOR_BYTES = 20;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const HEADER = 0x04034b50;
const HEADER_BYTES = 30;
/** A comment follows the end. */
const MAX_COMMENT = 65_535;
/** Stands for a number that is in 64 bits elsewhere. */
const IN_64_BITS = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;
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

async function readEntries(archive: DiskFile, source: string): Promise<ZipEntry[]> {
  const { view, at, count, bytes } = await findDirectory(archive, source);
  const entries: ZipEntry[] = [];
  for (let i = 0, next = at; i < count; i++) {
    if (next + ENTRY_BYTES > at + bytes || view.getUint32(next - at, true) !== ENTRY) throw cut(source);
    const number = (offset: number) => view.getUint32(next - at + offset, true);
    const short = (offset: number) => view.getUint16(next - at + offset, true);
    const [nameLength, extraLength, commentLength] = [short(28), short(30), short(32)];
    const end = next + ENTRY_BYTES + nameLength;
    if (end + extraLength > at + bytes) throw cut(source);
    const nameBytes = new Uint8Array(view.buffer, next - at + ENTRY_BYTES, nameLength);
    const name = new TextDecoder().decode(nameBytes);
    const wide = wideNumbers(new DataView(view.buffer, end - at, extraLength), [number(24), number(20), number(42)]);
    if (short(8) & 1) throw fault(source, 'has an encrypted entry', name, 'an archive without encryption');
    if (short(10) !== STORED && short(10) !== DEFLATED) {
      throw fault(
        source,
        `has an entry that is packed by method ${short(10)}`,
        name,
        'entries that are stored or deflated',
      );
    }
    entries.push({ name, method: short(10), checksum: number(16), bytes: wide[0], packedBytes: wide[1], at: wide[2] });
    next = end + extraLength + commentLength;
  }
  return entries;
}

/** The directory of an archive: its bytes, where they begin, and how many entries there are. */
async function findDirectory(archive: DiskFile, source: string) {
  const from = Math.max(0, archive.size - END_BYTES - MAX_COMMENT - LOCATOR_BYTES);
  const tail = new DataView(await archive.slice(from));
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) throw cut(source);
  let [count, bytes, at] = [
    tail.getUint16(end + 10, true),
    tail.getUint32(end + 12, true),
    tail.getUint32(end + 16, true),
  ];
  const locator = end - LOCATOR_BYTES;
  if (locator >= 0 && tail.getUint32(locator, true) === LOCATOR) {
    const wideAt = Number(tail.getBigUint64(locator + 8, true));
    const wide = new DataView(await archive.slice(wideAt, wideAt + 56));
    if (wide.byteLength < 56) throw cut(source);
    [count, bytes, at] = [32, 40, 48].map((offset) => Number(wide.getBigUint64(offset, true)));
  }
  if (at + bytes > archive.size) throw cut(source);
  return { view: new DataView(await archive.slice(at, at + bytes)), at, count, bytes };
}

/** Numbers of an entry, of which the large ones are in 64 bits in its extra fields, in the same order. */
function wideNumbers(extra: DataView, numbers: readonly number[]): number[] {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return numbers.map((number) => {
      if (number !== IN_64_BITS || next + 8 > extra.byteLength) return number;
      next += 8;
      return Number(extra.getBigUint64(next - 8, true));
    });
  }
  return [...numbers];
}

async function unpackEntry(archive: DiskFile, source: string, entry: ZipEntry, path: string): Promise<void> {
  const head = new DataView(await archive.slice(entry.at, entry.at + HEADER_BYTES));
  if (head.byteLength < HEADER_BYTES || head.getUint32(0, true) !== HEADER) throw cut(source);
  const from = entry.at + HEADER_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
  const damaged = (cause?: unknown) =>
    fault(source, 'has a damaged entry', entry.name, 'an archive whose checksums are right', cause);
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

function fault(subject: string, problem: string, received: string, allowed: string, cause?: unknown): FormatError {
  return new FormatError({ subject, problem, received, allowed, ...(cause !== undefined && { cause }) });
}

function cut(subject: string): FormatError {
  return new FormatError({ subject, problem: 'is a cut or damaged zip archive', allowed: 'the whole archive' });
}
