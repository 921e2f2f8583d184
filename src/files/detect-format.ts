import { Message } from 'apache-arrow';
import { FormatError, unusable } from '../errors.js';
import { arrayFormat } from './array/detect-array-format.js';
import { csvDialect } from './csv/csv-dialect.js';
import { TextDecoding } from './csv/text-decoding.js';
import { beginsLikeJson, beginsWith, foreignFormat } from './foreign-format.js';
import { TABLE_FORMATS } from './format-names.js';
import { unpackRemedy } from './unpack-remedy.js';

/** The formats of ensemble files that are read. */
export type FileFormat = 'arrow-file' | 'arrow-stream' | 'parquet' | 'csv' | 'open-meteo-json';

const SAMPLE_BYTES = 65_536;
const CONTINUATION = 0xffffffff;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they mark bytes that are not text.
const CONTROL = /[\x00-\x08\x0e-\x1f]/;

/**
 * The format of a file's `bytes`, detected from the content alone.
 *
 * Only the beginning is read, so a truncated file is still recognized. Throws a FormatError that begins with `source`
 * if the bytes are empty or of a format that is not read; the message names well-known formats.
 */
export function detectFormat(bytes: Uint8Array, source = 'input'): FileFormat {
  if (!(bytes instanceof Uint8Array)) throw unusable('bytes', bytes, 'a Uint8Array');
  if (typeof source !== 'string') throw unusable('source', source, 'a text');
  if (bytes.length === 0) throw new FormatError({ subject: source, problem: 'is empty', allowed: TABLE_FORMATS });
  if (beginsWith(bytes, 'ARROW1')) return 'arrow-file';
  if (beginsWith(bytes, 'PAR1')) return 'parquet';
  if (beginsLikeArrowStream(bytes)) return 'arrow-stream';
  if (beginsLikeJson(bytes)) return 'open-meteo-json';
  const foreign = foreignFormat(bytes);
  if (foreign !== undefined) {
    const arrays = arrayFormat(bytes);
    const { name, isPacked, remedy = isPacked ? unpackRemedy(source) : TABLE_FORMATS } = foreign;
    if (arrays === undefined)
      throw new FormatError({ subject: source, problem: `is ${name}, which is not read`, allowed: remedy });
    const problem = `is ${arrays === 'grib' ? 'GRIB' : name}, which contains arrays, not a table`;
    throw new FormatError({ subject: source, problem, allowed: TABLE_FORMATS });
  }
  const text = sampleText(bytes, source);
  if (text === undefined) {
    throw new FormatError({ subject: source, problem: 'is of no known format', allowed: TABLE_FORMATS });
  }
  if (csvDialect(text) === undefined) {
    throw new FormatError({
      subject: source,
      problem: text.trim() === '' ? 'is blank' : 'is text, but not a table: its first line has no delimiter',
      ...(text.trim() !== '' && { received: text.trimStart().split('\n', 1)[0] }),
      allowed: 'a first line with the names of columns, with , ; | or a tab between them',
    });
  }
  return 'csv';
}

function beginsLikeArrowStream(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return bytes.length >= 4 && beginsWith(bytes, '\xff\xff\xff\xff');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  if (length === CONTINUATION) return true;
  // Streams older than Arrow 0.15 begin with the length alone. One under 16 MB has a zero byte, as text never has.
  if (length === 0 || length % 4 !== 0 || length >= 1 << 24 || length + 4 > bytes.length) return false;
  const root = view.getUint32(4, true);
  if (root < 4 || root >= length) return false;
  try {
    return Message.decode(bytes.subarray(4, 4 + length)).isSchema();
  } catch {
    return false;
  }
}

/** The beginning of the bytes as text with LF line ends, or `undefined` if they are not text. */
function sampleText(bytes: Uint8Array, source: string): string | undefined {
  const isAll = bytes.length <= SAMPLE_BYTES;
  try {
    const text = new TextDecoding(source).decode(bytes.subarray(0, SAMPLE_BYTES), isAll);
    return CONTROL.test(text) ? undefined : text.replace(/\r\n?/g, '\n');
  } catch {
    return undefined;
  }
}
