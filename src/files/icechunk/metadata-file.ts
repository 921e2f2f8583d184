import { FormatError, isPlumecastError } from '../../errors.js';
import { decompressZstd } from '../codecs/zstd.js';
import { beginsWith } from '../foreign-format.js';
import { FlatTable } from './flat-buffer.js';

/*
 * A file of metadata of Icechunk (icechunk.io, "Specification"):
 *
 *   12 bytes    "ICE🧊CHUNK"
 *   24          the name of the writer, filled up with blanks
 *   1           version of the format
 *   1           type of the file
 *   1           compression: 0 none, 1 Zstandard
 *   others      a FlatBuffer
 */

/** The first bytes of a file, one character a byte. */
const MAGIC = 'ICE\xf0\x9f\xa7\x8aCHUNK';
const HEADER = { bytes: 39, versionAt: 36, typeAt: 37, compressionAt: 38 };

/** The versions of the format that are read. */
const VERSIONS = [1, 2];

/** The types of files. */
const FILE_TYPES = { snapshot: 1, manifest: 2, 'transaction log': 4, repository: 6 } as const;

export type FileType = keyof typeof FILE_TYPES;

/** The most bytes of a file, and of what it becomes. */
export const MAX_FILE_BYTES = 2 ** 28;
const MAX_BUFFER_BYTES = 2 ** 29;

/**
 * The root table of a file of metadata. Throws FormatError, which names it, for bytes of another kind, an unknown
 * version, and files that are cut or damaged.
 */
export async function readMetadataFile(bytes: Uint8Array, type: FileType, subject: string): Promise<FlatTable> {
  if (!beginsWith(bytes, MAGIC)) {
    const received = `${bytes.length} bytes`;
    const problem = `is no ${type} of Icechunk`;
    throw new FormatError({ subject, problem, received, allowed: 'a file that begins with ICE🧊CHUNK' });
  }
  if (bytes.length <= HEADER.bytes) {
    const allowed = `more than ${HEADER.bytes} bytes`;
    throw new FormatError({ subject, problem: 'is cut', received: `${bytes.length} bytes`, allowed });
  }
  const version = bytes[HEADER.versionAt];
  if (!VERSIONS.includes(version)) {
    const problem = 'is of a version of Icechunk that is not read';
    throw new FormatError({ subject, problem, received: version, allowed: VERSIONS.join(' and ') });
  }
  if (bytes[HEADER.typeAt] !== FILE_TYPES[type]) {
    const [found] = Object.entries(FILE_TYPES).find(([, code]) => code === bytes[HEADER.typeAt]) ?? [];
    const received = found ?? `a file of type ${bytes[HEADER.typeAt]}`;
    throw new FormatError({ subject, problem: 'is a file of another type', received, allowed: type });
  }
  const compression = bytes[HEADER.compressionAt];
  if (compression > 1) {
    const problem = 'is compressed in a way that is not read';
    throw new FormatError({ subject, problem, received: compression, allowed: '0 (none) or 1 (Zstandard)' });
  }
  const stored = bytes.subarray(HEADER.bytes);
  const buffer = compression === 0 ? stored : await decompressed(stored, type, subject);
  return checked(type, subject, () => FlatTable.root(buffer));
}

async function decompressed(bytes: Uint8Array, type: FileType, subject: string): Promise<Uint8Array> {
  try {
    return await decompressZstd(bytes, MAX_BUFFER_BYTES);
  } catch (cause) {
    if (isPlumecastError(cause)) throw cause;
    throw damaged(type, subject, cause);
  }
}

/** Runs a function that reads tables; damage that it finds is a FormatError, which names the file. */
export function checked<T>(type: FileType, subject: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw damaged(type, subject, cause);
  }
}

function damaged(type: FileType, subject: string, cause: unknown): FormatError {
  const problem = `a ${type} of Icechunk is damaged or cut: ${(cause as Error).message}`;
  return new FormatError({ subject, problem, allowed: `a complete ${type}`, cause });
}
