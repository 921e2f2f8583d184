import type { Work } from '../../check/work.js';
import { FormatError } from '../../errors.js';
import { gunzipPieces } from '../codecs/gunzip-pieces.node.js';
import { DiskFile } from '../disk-file.node.js';
import { isGzip } from '../foreign-format.js';

const LINE_FEED = 10;
const RETURN = 13;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A file of CSV that is a part of a table. */
interface CsvPart {
  readonly path: string;
  /** Its name in messages. */
  readonly source: string;
}

/**
 * The bytes of parts of CSV as of one file: the header of the first one, and the rows of all, in their order. Parts
 * without any bytes are left out. Throws FormatError for a part with another header, and FileError.
 */
export async function* joinCsvParts(parts: readonly CsvPart[], work: Work): AsyncGenerator<Uint8Array> {
  let first: { readonly source: string; readonly header: string } | undefined;
  for (const { path, source } of parts) {
    const file = await DiskFile.open(path, source, work);
    try {
      const isPacked = isGzip(new Uint8Array(await file.slice(0, 2)));
      const pieces = inUtf8(isPacked ? gunzipPieces(file.pieces(), source) : file.pieces(), source);
      let head: Uint8Array | undefined = new Uint8Array(0);
      let last = LINE_FEED;
      for await (const piece of pieces) {
        let rows = piece;
        if (head !== undefined) {
          const bytes: Uint8Array = Buffer.concat([head, piece]);
          const end = bytes.indexOf(LINE_FEED);
          head = end < 0 ? bytes : undefined;
          if (head !== undefined) continue;
          const header = headerOf(bytes.subarray(0, end));
          if (first !== undefined) assertSameHeader(header, source, first);
          rows = first === undefined ? bytes : bytes.subarray(end + 1);
          first ??= { source, header };
        }
        last = rows.at(-1) ?? last;
        yield rows;
      }
      if (head !== undefined && head.length > 0) {
        // A header alone.
        const header = headerOf(head);
        if (first !== undefined) assertSameHeader(header, source, first);
        else yield head;
        last = first === undefined ? (head.at(-1) as number) : last;
        first ??= { source, header };
      }
      if (last !== LINE_FEED) yield Uint8Array.of(LINE_FEED);
      await file.checkUnchanged();
    } catch (cause) {
      await file.checkUnchanged(cause);
      throw cause;
    } finally {
      await file.close();
    }
  }
}

/** The pieces of a text in UTF-8, where a mark says that it is in UTF-16; others as they are. Throws FormatError. */
async function* inUtf8(pieces: AsyncIterable<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  const utf8 = (piece?: Uint8Array) => {
    try {
      return Buffer.from(decoder?.decode(piece, { stream: piece !== undefined }) ?? '');
    } catch (cause) {
      throw new FormatError({
        subject: source,
        problem: 'is damaged text in UTF-16',
        allowed: 'a complete text',
        cause,
      });
    }
  };
  for await (const piece of pieces) {
    const mark = isFirst ? (piece[0] << 8) | piece[1] : 0;
    const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : undefined;
    isFirst = false;
    if (encoding !== undefined) decoder = new TextDecoder(encoding, { fatal: true });
    yield decoder === undefined ? piece : utf8(piece);
  }
  if (decoder !== undefined) yield utf8();
}

function headerOf(line: Uint8Array): string {
  const from = BYTE_ORDER_MARK.every((byte, i) => line[i] === byte) ? BYTE_ORDER_MARK.length : 0;
  return new TextDecoder().decode(line.subarray(from, line.at(-1) === RETURN ? -1 : undefined));
}

function assertSameHeader(header: string, source: string, first: { source: string; header: string }): void {
  if (header === first.header) return;
  throw new FormatError({
    subject: source,
    problem: `has another header than ${first.source}, with which it makes one table`,
    received: header,
    allowed: first.header,
  });
}
