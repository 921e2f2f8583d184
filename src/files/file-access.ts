import { Work } from '../check/work.js';
import { FormatError } from '../errors.js';
import { bytesAccess, type RandomAccess } from './array/random-access.js';
import { BlobFile, blobThreads } from './blob-file.js';
import {
  ByteFeed,
  type ByteSource,
  bytesInMemory,
  HEAD_BYTES,
  isBlob,
  isResponse,
  type Pieces,
  readPieces,
} from './byte-source.js';
import { unpack } from './codecs/gzip.js';
import type { InventoryText } from './grib/cube/grib-files.js';
import type { PartsThreads } from './parts-in-threads.js';
import type { PartsFile } from './parts-of-file.js';
import { ResponseFile } from './remote/response-file.js';

/** The bytes of a file, wherever they come from. What its methods throw is what the source of the bytes throws. */
export interface FileAccess {
  /** The name of the file in messages. */
  readonly source: string;
  /** Its path, where it is on the disk. */
  readonly path?: string;
  /** Its first bytes: all, or some ten thousand. */
  readonly head: Uint8Array;
  /** All bytes in one piece. Throws FormatError where they are too many for that. */
  bytes(): Promise<Uint8Array>;
  /** All bytes as they come; with `inTurn`, a piece is valid until the next one is requested. */
  pieces(options?: { readonly inTurn?: boolean }): Pieces;
  /** Reads any of the bytes; undefined where they can only be read as they come. */
  readonly random?: RandomAccess;
  /**
   * Reads parts of the file in several threads; undefined where it is read by one.
   *
   * @internal
   */
  readonly parts?: FileInParts;
  /**
   * Of a response: parts that are requested by themselves, for formats whose parts lie apart.
   *
   * @internal
   */
  readonly ranges?: FileInParts;
  /** The index file of GRIB that stands beside it, where it is elsewhere. */
  readonly inventory?: (() => Promise<InventoryText | undefined>) | undefined;
  /** What reads the file: readers pause now and then, so that other work of the thread can run, and this be aborted. */
  readonly work: Work;
}

/** A file that is read in parts, and the threads that can do it beside the calling one. */
export interface FileInParts {
  readonly file: PartsFile;
  readonly others: PartsThreads | undefined;
}

/** A file that can be closed. */
export type OpenFile = FileAccess & { close(): Promise<void> };

/** Bytes that are taken at a time. */
const PIECE_BYTES = 1_048_576;
/** The most bytes that are read in one piece. */
const MAX_BYTES = 2 ** 30;

/** A file whose bytes are in memory. */
export function fileOfBytes(given: Uint8Array, source: string, work = new Work({}, 'bytes')): FileAccess {
  // A subclass may slice without copying, as Node's Buffer does; the readers and their libraries rely on a copy.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const pieces = () => work.stream(piecesOf(new ByteFeed(readPieces(bytes))), ({ length }) => length);
  return { source, head: bytes, bytes: async () => bytes, pieces, work };
}

/** A file whose bytes are in memory, or come one after the other and are read once. `close` ends the source. */
export async function openFile(bytes: ByteSource, source: string, work: Work): Promise<OpenFile> {
  const all = bytesInMemory(bytes);
  if (all === undefined) return fileOfSource(bytes, source, { work });
  return { ...fileOfBytes(all, source, work), close: async () => {} };
}

/** The file in gzipped bytes, which is unpacked in one piece. Throws FormatError where it is damaged or too long. */
export async function unpackedFile({ source, bytes, work }: FileAccess): Promise<FileAccess> {
  return fileOfBytes(await unpack(await bytes(), source), source, work);
}

/** Access to any bytes of a file; where they come one after the other, all are read first. */
export async function randomAccess({ source, random, bytes, work }: FileAccess): Promise<RandomAccess> {
  return random ?? bytesAccess(await bytes(), source, work);
}

/** How bytes that come one after the other are read. */
interface SourceOptions {
  readonly work?: Work;
  /** The error for more than 1 GiB in one piece. */
  readonly tooLong?: (source: string) => FormatError;
}

/**
 * A file whose bytes come one after the other, to be read once; of a Blob, parts can be read, too. `close` ends the
 * source.
 */
export async function fileOfSource(
  given: ByteSource,
  source: string,
  { work = new Work({}, 'bytes'), tooLong = tooManyBytes }: SourceOptions = {},
): Promise<OpenFile> {
  const feed = new ByteFeed(readPieces(given, work));
  try {
    await feed.has(HEAD_BYTES);
  } catch (error) {
    await feed.close();
    throw error;
  }
  const bytes = () => joinedPieces(feed, () => tooLong(source));
  const ranged = isResponse(given)
    ? ResponseFile.of(given, source, work, { bytes, close: () => feed.close() })
    : undefined;
  return {
    source,
    head: feed.peek(HEAD_BYTES),
    bytes,
    pieces: () => piecesOf(feed),
    ...(isBlob(given) && { parts: { file: new BlobFile(given, source, work), others: blobThreads(given) } }),
    ...(ranged && { ranges: { file: ranged, others: undefined } }),
    close: () => feed.close(),
    work,
  };
}

async function* piecesOf(feed: ByteFeed): AsyncGenerator<Uint8Array> {
  for (let isMore = true; isMore; ) {
    isMore = await feed.has(PIECE_BYTES);
    yield feed.takeUpTo(PIECE_BYTES);
  }
}

async function joinedPieces(feed: ByteFeed, tooLong: () => FormatError): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of piecesOf(feed)) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_BYTES) throw tooLong();
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function tooManyBytes(source: string): FormatError {
  const problem = `has more than ${MAX_BYTES} bytes, of a format that is not read as it comes`;
  const allowed = 'at most that; CSV or an Arrow stream; Parquet as a Blob, or from the disk';
  return new FormatError({ subject: source, problem, allowed });
}
