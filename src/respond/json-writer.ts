import {
  MAX_DIGIT_BYTES,
  putDayOfMonth,
  putMillionths,
  putPeriod,
  putThousandths,
  TextBytes,
} from '../files/text/text-bytes.js';
import { lastDayBeforeMonth } from '../period/day.js';
import type { Granularity } from '../period/period.js';
import {
  type EncodedText,
  type FieldNames,
  fieldNames,
  infiniteValue,
  isPlain,
  isSame,
  putEncoded,
  putFields,
  rowsToThousandths,
  toMillionths,
  toThousandths,
  UNUSUAL,
} from './json-bytes.js';

const FIRST_CAPACITY = 8192;
const MICRO = 1e6;
/** `toMillionths` has an integer for every number of 6 decimals below this one. */
const MAX_MICRO = 2000;
/** Bodies of at most so many bytes share buffers of this size. */
const MAX_POOLED_BYTES = 8192;
const POOL_BYTES = 131_072;

/** A buffer, and how much of it belongs to bodies. */
interface BodyPool {
  readonly bytes: Uint8Array<ArrayBuffer>;
  used: number;
}

/** Every month has so many days. */
const MIN_MONTH_DAYS = 28;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
/** A quotation mark and a colon, and the word `null`, as a little-endian store writes them. */
const QUOTE_COLON = 0x3a22;
const NULL = 0x6c6c756e;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * Writes JSON as UTF-8 bytes, so that a body never exists as one string. It sets the commas; the caller
 * must alternate names and values, and end what it begins.
 *
 * One writer can write many bodies, one after the other: it uses its buffer again, and each body is a copy.
 */
export class JsonWriter {
  readonly #out = new TextBytes(FIRST_CAPACITY);
  /** The last byte that was taken; 0 where nothing was. */
  #lastTaken = 0;
  /** The rounded numbers of one object or of many. */
  #rounded = new Int32Array(0);
  /** Where the key of a day is in the buffer, and the last day before its month: none is before infinity. */
  #dayKey = 0;
  #monthsEve = Number.POSITIVE_INFINITY;
  /** The names that were encoded last. */
  #names: FieldNames | undefined;
  /** What short bodies are parts of; undefined where each has a buffer of its own. */
  #pool: BodyPool | undefined;

  /** Where `isPooled`, short bodies share buffers: to allocate one for each takes longer than to write it. */
  constructor({ isPooled = false } = {}) {
    if (isPooled) this.#pool = { bytes: new Uint8Array(POOL_BYTES), used: 0 };
  }

  /** Begins a new body: drops what is written, such as a body that failed. */
  begin(): this {
    this.cut(0);
    this.#lastTaken = 0;
    return this;
  }

  /** A copy of what was written since the beginning, or since the last `take`. */
  finish(): Uint8Array<ArrayBuffer> {
    const { bytes, length } = this.#out;
    if (this.#pool === undefined || length > MAX_POOLED_BYTES) return bytes.slice(0, length);
    if (this.#pool.used + length > POOL_BYTES) this.#pool = { bytes: new Uint8Array(POOL_BYTES), used: 0 };
    const body = this.#pool.bytes.subarray(this.#pool.used, this.#pool.used + length);
    body.set(bytes.subarray(0, length));
    this.#pool.used += length;
    return body;
  }

  /** Like `finish`, for a body that goes on: what is written next continues it. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.finish();
    this.#lastTaken = bytes.at(-1) ?? this.#lastTaken;
    this.cut(0);
    return bytes;
  }

  /** The number of bytes written since the beginning, or since the last `take`. */
  get length(): number {
    return this.#out.length;
  }

  /** Drops all but the first `length` of these bytes. */
  cut(length: number): void {
    this.#out.length = length;
    this.#monthsEve = Number.POSITIVE_INFINITY;
  }

  /** The comma before a value that `continue` and `encoded` write, where it needs one. */
  separate(): void {
    this.#separate(0);
  }

  beginObject(): void {
    this.#separate(1);
    this.#out.byte(OPEN_BRACE);
  }

  endObject(): void {
    this.#out.byte(CLOSE_BRACE);
  }

  beginArray(): void {
    this.#separate(1);
    this.#out.byte(OPEN_BRACKET);
  }

  endArray(): void {
    this.#out.byte(CLOSE_BRACKET);
  }

  /** The name of the value that is written next, as text or encoded. */
  name(name: string | EncodedText): void {
    if (typeof name === 'string') this.text(name);
    else {
      this.#separate(name.eights.byteLength);
      this.#out.length = putEncoded(this.#out.view, this.#out.length, name);
    }
    this.#out.byte(COLON);
  }

  /** The key of the period that begins with day number `start`, as the name of the value that is written next. */
  periodName(granularity: Granularity, start: number): void {
    this.period(granularity, start);
    this.#out.byte(COLON);
  }

  /** The key of the period that begins with day number `start`, as a text: `YYYY-MM-DD`, `YYYY-Www` or `YYYY-MM`. */
  period(granularity: Granularity, start: number): void {
    this.#separate(MAX_DIGIT_BYTES + 2);
    this.#out.bytes[this.#out.length] = QUOTE;
    this.#out.length = this.#putPeriod(this.#out.length + 1, granularity, start);
    this.#out.bytes[this.#out.length++] = QUOTE;
  }

  text(text: string): void {
    this.#separate(text.length + 2);
    const bytes = this.#out.bytes;
    let at = this.#out.length;
    bytes[at++] = QUOTE;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (!isPlain(code)) {
        this.#out.copy(new TextEncoder().encode(JSON.stringify(text)));
        return;
      }
      bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.#out.length = at;
  }

  boolean(value: boolean): void {
    this.#separate(5);
    this.#out.text(value ? 'true' : 'false');
  }

  null(): void {
    this.#separate(4);
    this.#out.view.setUint32(this.#out.length, NULL, true);
    this.#out.length += 4;
  }

  /**
   * The shortest decimal that reads back as exactly this number; NaN is null. Throws DataError for an infinite value.
   */
  exact(value: number): void {
    if (Number.isNaN(value)) this.null();
    else if (Math.abs(value) === Number.POSITIVE_INFINITY) throw infiniteValue(value);
    // Most numbers have few decimals, and engines cache the text that `String` makes of a number.
    else if (Math.round(value * MICRO) / MICRO === value && Math.abs(value) < MAX_MICRO) this.number(value, 6);
    else {
      const text = String(value);
      this.#separate(text.length);
      this.#out.text(text);
    }
  }

  /**
   * A number rounded to `decimals` places, 0 to 100, without trailing zeros: the decimal nearest to the exact value, of
   * two the one farther from zero, as `toFixed` rounds. NaN is null, and what rounds to -0 is 0. Throws DataError for
   * an infinite value.
   */
  number(value: number, decimals: number): void {
    const few = decimals <= 3;
    const rounded = few ? toThousandths(value, decimals) : toMillionths(value, decimals);
    if (rounded === UNUSUAL) {
      // A number that is missing, infinite or large, or that only its exact value rounds correctly.
      this.exact(Number.isFinite(value) ? Number(value.toFixed(decimals)) : value);
      return;
    }
    this.#separate(MAX_DIGIT_BYTES);
    const out = this.#out;
    out.length = few ? putThousandths(out.view, out.length, rounded) : putMillionths(out.view, out.length, rounded);
  }

  /** Names for `periodFields`, encoded; the names of the last call are kept: most bodies have the same. */
  fieldNames(fields: readonly string[]): FieldNames {
    if (this.#names === undefined || !isSame(this.#names.fields, fields)) this.#names = fieldNames(fields);
    return this.#names;
  }

  /** An object with a field for each column: its number at `index`, as `number` writes it. */
  numberFields(names: FieldNames, columns: readonly ArrayLike<number>[], index: number, decimals: number): void {
    this.#round(columns, index, index + 1, decimals);
    this.#separate(names.maxBytes);
    this.#fields(names, columns, index, decimals, 0);
  }

  /**
   * For each of some periods, from `from` up to, not including, `to`, its key as a name, and an object as
   * `numberFields` writes it, of the columns' entry of that index.
   */
  periodFields(
    granularity: Granularity,
    starts: Int32Array,
    names: FieldNames,
    columns: readonly ArrayLike<number>[],
    decimals: number,
    from = 0,
    to = starts.length,
  ): void {
    this.#round(columns, from, to, decimals);
    for (let index = from; index < to; index++) {
      this.periodName(granularity, starts[index]);
      this.#out.reserve(names.maxBytes);
      this.#fields(names, columns, index, decimals, (index - from) * columns.length);
    }
  }

  /**
   * For each of some days, weeks or months, from `from` up to, not including, `to`, its key as a name, and its number as
   * `number` writes it.
   */
  periodNumbers(
    granularity: Granularity,
    starts: Int32Array,
    values: ArrayLike<number>,
    decimals: number,
    from: number,
    to: number,
  ): void {
    this.#round([values], from, to, decimals);
    const out = this.#out;
    for (let index = from; index < to; index++) {
      this.#separate(2 * MAX_DIGIT_BYTES + 3);
      const { view } = out;
      view.setUint8(out.length, QUOTE);
      const end = this.#putPeriod(out.length + 1, granularity, starts[index]);
      view.setUint16(end, QUOTE_COLON, true);
      out.length = end + 2;
      const rounded = this.#rounded[index - from];
      if (rounded === UNUSUAL) this.number(values[index], decimals);
      else out.length = putThousandths(view, end + 2, rounded);
    }
  }

  /** A value that is JSON already. */
  json(bytes: Uint8Array): void {
    this.#separate(bytes.length);
    this.#out.copy(bytes);
  }

  /** Text that is JSON, or a part of it, already; its commas, too. */
  encoded(text: EncodedText): void {
    this.#out.reserve(text.eights.byteLength);
    this.#out.length = putEncoded(this.#out.view, this.#out.length, text);
  }

  /** Bytes that are a part of JSON already; their commas, too. */
  continue(bytes: Uint8Array): void {
    this.#out.copy(bytes);
  }

  /** Writes the key of a period, and returns where it ends. Most days are of the same month as the one before. */
  #putPeriod(at: number, granularity: Granularity, start: number): number {
    const { view } = this.#out;
    if (granularity !== 'daily') return putPeriod(view, at, granularity, start);
    const dayOfMonth = start - this.#monthsEve;
    if (dayOfMonth > 0 && dayOfMonth <= MIN_MONTH_DAYS) return putDayOfMonth(view, at, this.#dayKey, dayOfMonth);
    this.#dayKey = at;
    this.#monthsEve = lastDayBeforeMonth(start);
    return putPeriod(view, at, granularity, start);
  }

  /** Rounds some entries of columns. */
  #round(columns: readonly ArrayLike<number>[], from: number, to: number, decimals: number): void {
    const count = columns.length * (to - from);
    if (this.#rounded.length < count) this.#rounded = new Int32Array(count);
    rowsToThousandths(columns, from, to, decimals, this.#rounded);
  }

  /** An object of the columns' entry at `index`; its rounded numbers begin at `place`. */
  #fields(
    names: FieldNames,
    columns: readonly ArrayLike<number>[],
    index: number,
    decimals: number,
    place: number,
  ): void {
    const end = putFields(this.#out.view, this.#out.length, names.names, this.#rounded, place);
    if (end >= 0) {
      this.#out.length = end;
      return;
    }
    columns.forEach((column, k) => {
      this.#out.reserve(names.maxBytes);
      this.#out.length = putEncoded(this.#out.view, this.#out.length, names.names[k]);
      this.number(column[index], decimals);
    });
    this.endObject();
  }

  /** Makes the buffer long enough for a value of `count` bytes, and writes the comma before it where it needs one. */
  #separate(count: number): void {
    const out = this.#out;
    out.reserve(count + 1);
    const last = out.length === 0 ? this.#lastTaken : out.bytes[out.length - 1];
    // The first of an object or array, and the value of a name, have none before them.
    const needsComma = last !== 0 && last !== COLON && last !== OPEN_BRACE && last !== OPEN_BRACKET;
    if (needsComma) out.bytes[out.length++] = COMMA;
  }
}
