import type { Work } from '../../check/work.js';
import { FormatError } from '../../errors.js';
import { gunzipPieces } from '../codecs/gunzip-pieces.node.js';
import { csvDialect } from '../csv/text-decoding.js';
import { DiskFile } from '../disk-file.node.js';
import { isGzip } from '../foreign-format.js';
import type { FileKeys } from './partition-keys.js';

const LINE_FEED = 10;
const RETURN = 13;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A file of CSV that is a part of a table. */
interface CsvPart {
  readonly path: string;
  /** Its name in messages. */
  readonly source: string;
  /** What the folders above it say of all of its rows: columns after the others. */
  readonly keys: FileKeys;
}

/**
 * The bytes of parts of CSV as of one file: the header of the first one, and the rows of all, in their order, with the
 * keys of their folders. Parts without any bytes are left out. Throws FormatError for a part with another header, or
 * with a column of the name of a key, and FileError.
 */
export async function* joinCsvParts(parts: readonly CsvPart[], work: Work): AsyncGenerator<Uint8Array> {
  let first: { readonly source: string; readonly header: string } | undefined;
  for (const { path, source, keys } of parts) {
    const file = await DiskFile.open(path, source, work);
    try {
      const isPacked = isGzip(new Uint8Array(await file.slice(0, 2)));
      const text = inUtf8(isPacked ? gunzipPieces(file.pieces(), source) : file.pieces(), source);
      const pieces = keys.size === 0 ? text : withKeys(text, source, keys);
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

const QUOTE = 34;

/** The lines of a text with the keys at their ends: in the header their names, in others their values. */
async function* withKeys(
  pieces: AsyncIterable<Uint8Array>,
  source: string,
  keys: FileKeys,
): AsyncGenerator<Uint8Array> {
  let line: Uint8Array = new Uint8Array(0);
  let values: Uint8Array | undefined;
  // Lines within quotes belong to one row.
  let isQuoted = false;
  const completed = (whole: Uint8Array, isEnded: boolean): Uint8Array[] => {
    const ending = whole.length - (isEnded ? 1 : 0);
    const end = ending - (whole[ending - 1] === RETURN ? 1 : 0);
    if (end === 0) return [whole];
    const [start, rest] = [whole.subarray(0, end), whole.subarray(end)];
    if (values !== undefined) return [start, values, rest];
    const { names, cells } = keyCells(headerOf(start), source, keys);
    values = cells;
    return [start, names, rest];
  };
  for await (const piece of pieces) {
    const bytes: Uint8Array = line.length === 0 ? piece : Buffer.concat([line, piece]);
    const lines: Uint8Array[] = [];
    let begin = 0;
    for (let at = line.length; at < bytes.length; at++) {
      if (bytes[at] === QUOTE) isQuoted = !isQuoted;
      if (bytes[at] !== LINE_FEED || isQuoted) continue;
      lines.push(...completed(bytes.subarray(begin, at + 1), true));
      begin = at + 1;
    }
    line = bytes.slice(begin);
    if (lines.length > 0) yield Buffer.concat(lines);
  }
  if (line.length > 0) yield Buffer.concat(completed(line, false));
}

/** What follows the header, and each row. Throws FormatError for a key that the header has, too. */
function keyCells(header: string, source: string, keys: FileKeys): { names: Uint8Array; cells: Uint8Array } {
  const { delimiter = ',' } = csvDialect(header) ?? {};
  const columns = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const both = columns.find((name) => keys.has(name));
  if (both !== undefined) {
    throw new FormatError({
      ...{ subject: source, problem: 'has a column of the name of a key in its path', received: both },
      allowed: 'each in the file or in the path',
    });
  }
  const encoded = (texts: Iterable<string | null>) =>
    Buffer.from(Array.from(texts, (text) => delimiter + quoted(text ?? '', delimiter)).join(''));
  return { names: encoded(keys.keys()), cells: encoded(keys.values()) };
}

/** A text as a cell. */
function quoted(text: string, delimiter: string): string {
  const isPlain = !text.includes(delimiter) && !/["\r\n]/.test(text);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
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
