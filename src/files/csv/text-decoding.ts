import { FormatError } from '../../errors.js';

/** The characters 0x80 to 0x9f of Windows-1252; a blank for bytes without a character. */
const HIGH_CONTROLS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const HAS_LETTERS = /[^\x00-\x7f\ufffd]/;
/** Bytes from which UTF-16 is detected. */
const HEAD_BYTES = 4;

/**
 * Decodes the bytes of a text as they arrive: UTF-16 if they begin with its byte order mark, or like Latin letters in
 * it; else UTF-8; and Windows-1252, which includes Latin-1, if they are not UTF-8: `report` receives a note then.
 *
 * Throws a FormatError for bytes in another encoding, and for damaged UTF-8 or UTF-16.
 */
export class TextDecoding {
  readonly #source: string;
  readonly #report: (note: string) => void;
  /** Undefined while all bytes so far are ASCII. */
  #decode: ((bytes: Uint8Array, isLast: boolean) => string) | undefined;
  #isBegun = false;
  #isUtf16 = false;
  #isUtf8 = true;
  /** Bytes that may be the beginning of a character, or of the text. */
  #held = new Uint8Array(0);
  /** Whether the next byte may belong to a character that is not ASCII, or of one byte. */
  #mayBeWithin = false;

  constructor(source: string, report: (note: string) => void = () => {}) {
    this.#source = source;
    this.#report = report;
  }

  /** Whether all bytes so far are complete characters of UTF-8. */
  get isUtf8(): boolean {
    return this.#isUtf8 && !this.#mayBeWithin;
  }

  /** Says that letters of UTF-8 were found where another reader has read. */
  setUtf8(): void {
    this.#decode ??= this.#strict(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), 'UTF-8');
  }

  /** The next bytes as UTF-8, up to the last complete character; ASCII is passed on as it is. */
  utf8(bytes: Uint8Array, isAscii: (bytes: Uint8Array) => boolean): Uint8Array {
    if (!this.#mayBeWithin && this.#isBegun && isAscii(bytes)) return bytes;
    return new TextEncoder().encode(this.decode(bytes, false));
  }

  /** The text of the next bytes, up to the last complete character. */
  decode(bytes: Uint8Array, isLast: boolean): string {
    const text = this.#decodeNext(bytes, isLast);
    if (bytes.length > 0) this.#mayBeWithin = this.#isUtf16 || bytes[bytes.length - 1] > 127;
    return text;
  }

  #decodeNext(bytes: Uint8Array, isLast: boolean): string {
    if (this.#decode !== undefined) return this.#decode(bytes, isLast);
    const all = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
    if (!this.#isBegun && all.length < HEAD_BYTES && !isLast) {
      this.#held = all.slice();
      return '';
    }
    const encoding = this.#isBegun ? undefined : utf16(all);
    this.#isBegun = true;
    if (encoding !== undefined) {
      this.#isUtf16 = true;
      this.#isUtf8 = false;
      this.#decode = this.#strict(new TextDecoder(encoding, { fatal: true }), 'UTF-16');
      return this.#decode(all, isLast);
    }
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text: string;
    try {
      text = decoder.decode(all, { stream: !isLast });
    } catch (cause) {
      // Some letters are UTF-8 and other bytes are not: the file is damaged.
      if (HAS_LETTERS.test(new TextDecoder().decode(all))) throw this.#damaged('UTF-8', cause);
      return this.#windows1252(all, isLast);
    }
    const asciiEnd = isAscii(text) ? text.length : -1;
    if (asciiEnd >= 0 && !beginsWithMark(all)) {
      // The rest of an incomplete character is needed to know the encoding.
      this.#held = all.slice(asciiEnd);
      return text;
    }
    this.#decode = this.#strict(decoder, 'UTF-8');
    return text;
  }

  #windows1252(bytes: Uint8Array, isLast: boolean): string {
    this.#report('not UTF-8: its text is read as Windows-1252');
    this.#isUtf8 = false;
    const decoder = new TextDecoder('latin1');
    this.#decode = (piece) =>
      decoder.decode(piece).replace(/[\x80-\x9f]/g, (character) => {
        const meant = HIGH_CONTROLS[character.charCodeAt(0) - 0x80];
        if (meant === ' ') throw this.#damaged('UTF-8');
        return meant;
      });
    return this.#decode(bytes, isLast);
  }

  #strict(decoder: TextDecoder, name: string) {
    return (bytes: Uint8Array, isLast: boolean): string => {
      try {
        return decoder.decode(bytes, { stream: !isLast });
      } catch (cause) {
        throw this.#damaged(name, cause);
      }
    };
  }

  #damaged(name: string, cause?: unknown): FormatError {
    const allowed = 'CSV saved as UTF-8';
    return new FormatError({ subject: this.#source, problem: `is not ${name} text`, allowed, cause });
  }
}

/** The kind of UTF-16 that bytes begin like. */
function utf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (isLetter(a) && b === 0 && isLetter(c) && d === 0) return 'utf-16le';
  return a === 0 && isLetter(b) && c === 0 && isLetter(d) ? 'utf-16be' : undefined;
}

function isLetter(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

function beginsWithMark([a, b, c]: Uint8Array): boolean {
  return a === 0xef && b === 0xbb && c === 0xbf;
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
  return !/[^\x00-\x7f]/.test(text);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The line in which spreadsheets state the delimiter. */
const SEPARATOR = /^"?sep=([,;\t|])"?\r?$/i;

/** How a CSV text is laid out. */
export interface CsvDialect {
  /** The character between cells. */
  delimiter: (typeof DELIMITERS)[number];
  /** The beginning of the header in the text, in characters. */
  headerStart: number;
  /** The line of the header, from 1. */
  headerLine: number;
}

/**
 * Finds the header and the delimiter of CSV text (line ends already LF, or CRLF).
 *
 * The header is the first line that is not blank, does not begin with `#`, and is not the `sep=;` of spreadsheets. Such
 * a `sep=` line states the delimiter; otherwise it is the one of `, ; tab |` that occurs most often in the header
 * outside quotes. `undefined` if there is no header, or no delimiter in it.
 */
export function csvDialect(text: string): CsvDialect | undefined {
  let headerStart = 0;
  let separator: CsvDialect['delimiter'] | undefined;
  for (let headerLine = 1; headerStart < text.length; headerLine++) {
    const newline = text.indexOf('\n', headerStart);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(headerStart, end);
    const stated = SEPARATOR.exec(line)?.[1] as CsvDialect['delimiter'] | undefined;
    if (stated !== undefined) separator = stated;
    else if (line.trim() !== '' && !line.startsWith('#')) {
      const delimiter = separator ?? commonestDelimiter(line);
      return delimiter && { delimiter, headerStart, headerLine };
    }
    headerStart = end + 1;
  }
  return undefined;
}

function commonestDelimiter(line: string): CsvDialect['delimiter'] | undefined {
  const unquoted = line.replace(/"[^"]*"/g, '');
  let best: CsvDialect['delimiter'] | undefined;
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const count = unquoted.split(delimiter).length - 1;
    if (count > most) {
      best = delimiter;
      most = count;
    }
  }
  return best;
}
