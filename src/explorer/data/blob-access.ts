import { Work } from '../../check/work.js';
import { FileError } from '../../errors.js';
import { endsEarly, type RandomAccess } from '../../files/array/random-access.js';
import { HEAD_BYTES } from '../../files/byte-source.js';
import type { FileAccess } from '../../files/file-access.js';
import { MAX_PAGE_BYTES, tooLongForPage } from '../../files/page-length.js';
import type { GivenFile } from './file-origin.js';

/** Reads a file into memory. Throws FileError for what cannot be read, or is too long. */
async function readBytes({ path, content }: GivenFile): Promise<Uint8Array> {
  assertPageLength({ path, content });
  try {
    return new Uint8Array(await content.arrayBuffer());
  } catch (cause) {
    const problem = `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new FileError({ subject: path, problem, allowed: 'a file that has not changed since it was opened', cause });
  }
}

/** Throws FileError for a file that is too long to be read at once. */
export function assertPageLength({ path, content }: GivenFile): void {
  if (content.size > MAX_PAGE_BYTES) throw tooLongForPage(path, content.size);
}

/** The first bytes of a file. Throws FileError where it cannot be read. */
export function readHead(given: GivenFile): Promise<Uint8Array> {
  return readBytes({ ...given, content: given.content.slice(0, HEAD_BYTES) });
}

/** Access to a file that the reader opens. Throws FileError where it cannot be read. */
export async function accessTo(given: GivenFile): Promise<FileAccess> {
  const bytes = () => readBytes(given);
  const pieces = async function* () {
    yield await bytes();
  };
  const work = new Work({}, 'bytes');
  return { source: given.path, head: await readHead(given), bytes, pieces, random: blobAccess(given), work };
}

/** Neighbouring reads are of one piece of a file of this length. */
const PIECE_BYTES = 2 ** 20;

/**
 * A file that is read range by range, of any length. Short ranges come from the piece that was read last: a browser
 * takes a millisecond for each read.
 */
export function blobAccess({ path, content }: GivenFile): RandomAccess {
  const { size } = content;
  let piece: { readonly at: number; readonly bytes: Promise<Uint8Array> } | undefined;
  const slice = (at: number, length: number) => readBytes({ path, content: content.slice(at, at + length) });
  const pieceAt = (at: number) => {
    if (piece?.at !== at) piece = { at, bytes: slice(at, PIECE_BYTES) };
    return piece.bytes;
  };
  return {
    ...{ source: path, size },
    async read(at, into) {
      if (at + into.length > size) throw endsEarly(path, size, at + into.length);
      if (into.length > PIECE_BYTES / 4) {
        into.set(await slice(at, into.length));
        return;
      }
      for (let done = 0; done < into.length; ) {
        const from = at + done;
        const first = from - (from % PIECE_BYTES);
        const bytes = (await pieceAt(first)).subarray(from - first, from - first + into.length - done);
        into.set(bytes, done);
        done += bytes.length;
      }
    },
    async checkUnchanged() {},
    async close() {},
  };
}
