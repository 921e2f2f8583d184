import {
  type Data,
  DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  makeData,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { DataError, FormatError } from '../../errors.js';
import { codedColumn } from '../../table/arrow/stored-values.js';
import { parseDateText } from '../../table/columns/day-column.js';
import { KEY_FOLDER } from './part-names.js';

/** What writers call the folder of rows whose key is null. */
const NULL_FOLDER = '__HIVE_DEFAULT_PARTITION__';
/** Numbers as writers print them: other texts, such as 007, stay texts. */
const INTEGER = /^(0|-?[1-9]\d{0,8})$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** The value of a key for the rows of a file; null for missing. */
type KeyText = string | null;

/** The keys of a file by the folders above it: `date=2026-03-02/member=1`. */
export type FileKeys = ReadonlyMap<string, KeyText>;

/**
 * Reads the keys in the folders of a path. Throws a FormatError that begins with `file` for one that is not readable.
 */
export function readKeys(folders: readonly string[], file: string): FileKeys {
  const keys = new Map<string, KeyText>();
  for (const folder of folders) {
    const [, name, value] = KEY_FOLDER.exec(folder) ?? [];
    if (name === undefined) continue;
    const [key, text] = [decoded(name, file), decoded(value, file)];
    if (keys.has(key)) {
      throw new FormatError({ subject: file, problem: 'lies in two folders of one key', received: key });
    }
    keys.set(key, text === NULL_FOLDER ? null : text);
  }
  return keys;
}

function decoded(text: string, file: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    const allowed = 'keys and values in percent-encoded UTF-8, as in place=K%C3%B6ln';
    throw new FormatError({
      subject: file,
      problem: 'lies in a folder whose name cannot be read',
      received: text,
      allowed,
      cause,
    });
  }
}

/** A key of a folder as a column: of integers or numbers if all of its values are, else of texts. */
export class KeyColumn {
  readonly field: Field;
  readonly #entries: Vector;
  readonly #places: ReadonlyMap<KeyText, number>;

  /** `texts` are the values in all files. */
  constructor(name: string, texts: readonly KeyText[]) {
    const distinct = [...new Set(texts)].filter((text) => text !== null);
    this.#places = new Map(distinct.map((text, place) => [text, place]));
    const are = (form: RegExp) => distinct.length > 0 && distinct.every((text) => form.test(text));
    if (are(INTEGER)) this.#entries = vectorFromArray(distinct.map(Number), new Int32());
    else if (are(NUMBER)) this.#entries = vectorFromArray(distinct.map(Number), new Float64());
    else this.#entries = vectorFromArray(distinct, new Utf8());
    const { type } = this.#entries;
    // Files share the entries of texts, so that their tables share a dictionary.
    this.field = new Field(name, DataType.isUtf8(type) ? new Dictionary(type, new Int32()) : type, true);
  }

  /** The value of a file for so many rows. */
  rows(text: KeyText, length: number): Data {
    const { type } = this.field;
    const nulls = text === null ? { nullCount: length, nullBitmap: new Uint8Array(((length + 63) >> 6) << 3) } : {};
    const place = text === null ? 0 : (this.#places.get(text) as number);
    if (DataType.isDictionary(type)) {
      const data = new Int32Array(length).fill(place);
      return makeData({ type: type as Dictionary, length, ...nulls, data, dictionary: this.#entries });
    }
    const value = text === null ? 0 : Number(text);
    const data = (DataType.isInt(type) ? new Int32Array(length) : new Float64Array(length)).fill(value);
    return makeData({ type: type as Float64, length, ...nulls, data } as never);
  }
}

/** Throws a DataError that begins with `file` unless a column of a file has the value of the key of its name. */
export function assertKeyColumn(vector: Vector, name: string, text: KeyText, file: string): void {
  const { codes, values } = codedColumn(vector);
  const { type } = vector;
  const entries = DataType.isDictionary(type) ? type.dictionary : type;
  const isTime = DataType.isDate(entries) || DataType.isTimestamp(entries);
  const isSame = (value: unknown): boolean => {
    if (text === null || value === null) return text === value;
    if (typeof value === 'string') return value === text;
    if (!isTime) return text !== '' && Number(text) === Number(value);
    const date = parseDateText(text);
    return 'time' in date && date.time === Math.floor(Number(value));
  };
  const wrong = codes.findIndex((code) => !isSame(code < 0 ? null : values[code]));
  if (wrong < 0) return;
  throw new DataError({
    ...{ source: file, row: wrong + 1, column: name, problem: 'differs from the key in the path of the file' },
    received: codes[wrong] < 0 ? null : String(values[codes[wrong]]),
    allowed: text === null ? 'null in each row' : `${text} in each row`,
  });
}
