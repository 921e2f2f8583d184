import { inflateSync } from 'fflate';
import { crc32 } from '../codecs/crc.js';
import { type ArchiveBytes, damagedEntry, entryStart, STORED, type ZipEntry } from '../codecs/zip-directory.js';

/** An archive in memory. */
export function archiveOf(bytes: Uint8Array): ArchiveBytes {
  return { size: bytes.length, slice: async (from, to) => bytes.slice(from, to).buffer as ArrayBuffer };
}

/** The content of an entry. Throws FormatError where it is other than the archive says. */
export async function unzip(archive: ArchiveBytes, source: string, entry: ZipEntry): Promise<Uint8Array> {
  const start = await entryStart(archive, source, entry);
  const packed = new Uint8Array(await archive.slice(start, start + entry.packedBytes));
  let content: Uint8Array;
  try {
    // fflate writes at most so many bytes, and compares no checksums.
    content = entry.method === STORED ? packed : inflateSync(packed, { out: new Uint8Array(entry.bytes) });
  } catch (cause) {
    throw damagedEntry(source, entry, cause);
  }
  if (content.length !== entry.bytes || crc32(content) !== entry.checksum) throw damagedEntry(source, entry);
  return content;
}
