import { FormatError } from '../../errors.js';

/*
 * Archives by PKWARE's APPNOTE 6.3. They are read by their directory, at the end, which alone has the checksum and the size
 * of every entry: headers before entries may leave them out.
 */

/** The bytes of an archive; a slice that reaches beyond its end is shorter. */
export interface ArchiveBytes {
  readonly size: number;
  slice(from: number, to?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** A file in an archive. */
export interface ZipEntry {
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
/** How an entry is packed. */
export const STORED = 0;
const DEFLATED = 8;
/**
 * The entries of an archive. Throws FormatError for an archive that is cut or damaged, encrypted, or packed in another way
 * than by deflate.
 */
export async function readEntries(archive: ArchiveBytes, source: string): Promise<ZipEntry[]> {
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
async function findDirectory(archive: ArchiveBytes, source: string) {
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

/** Where the packed bytes of an entry begin. Throws FormatError where the archive has no entry there. */
export async function entryStart(archive: ArchiveBytes, source: string, { at }: ZipEntry): Promise<number> {
  const head = new DataView(await archive.slice(at, at + HEADER_BYTES));
  if (head.byteLength < HEADER_BYTES || head.getUint32(0, true) !== HEADER) throw cut(source);
  return at + HEADER_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
}

/** The error for an entry whose bytes are other than the archive says. */
export function damagedEntry(source: string, { name }: ZipEntry, cause?: unknown): FormatError {
  return fault(source, 'has a damaged entry', name, 'an archive whose checksums are right', cause);
}

export function fault(
  subject: string,
  problem: string,
  received: string,
  allowed: string,
  cause?: unknown,
): FormatError {
  return new FormatError({ subject, problem, received, allowed, ...(cause !== undefined && { cause }) });
}

function cut(subject: string): FormatError {
  return new FormatError({ subject, problem: 'is a cut or damaged zip archive', allowed: 'the whole archive' });
}
