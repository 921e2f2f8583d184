import type { Data } from 'apache-arrow';
import { type FloatArray, type FloatType, floatArray } from '../../core/number-arrays.js';
import type { TableKernels } from '../../core/table-kernels.js';
import { FIRST_DAY, LAST_DAY } from '../../period/day.js';
import { type Numbers, plainValue, type RepeatFinder } from '../arrow/stored-values.js';
import { areDays, type DayLoops } from '../columns/day-column.js';

/**
 * Bytes of a row in the memory of kernels: what `RowMemory` keeps of it, where places begin, and its value by member.
 */
const ROW_BYTES = 8 + 8 + 8 + 8 + 4 + 4 + 4;

/** Rows of a long table. The arrays are replaced when more rows are reserved. */
export class RowMemory {
  /** The number of rows. */
  length = 0;
  latitude = new Float64Array(0);
  longitude = new Float64Array(0);
  days = new Int32Array(0);
  memberOf = new Int32Array(0);
  /** The number of each row in the file, from 1, where rows between them were not kept. */
  rowNumbers: Float64Array | undefined;
  values: FloatArray = new Float64Array(0);
  readonly #tools: TableKernels | undefined;
  readonly #top: number;
  #type: FloatType = 'float64';
  /** Where places begin, and values by member, in the memory of the kernels. */
  #starts = 0;
  #pivoted = 0;
  #plain: FloatArray = new Float64Array(0);
  /** The days that are there already, behind those of the rows. */
  #copied: Int32Array | undefined;

  /** Rows are in the memory of `tools`, whose kernels then do the loops over them. */
  constructor(tools?: TableKernels) {
    this.#tools = tools;
    this.#top = tools?.memory.mark() ?? 0;
    if (tools !== undefined) this.repeats = (values, codes) => this.#repeats(tools, values, codes);
  }

  /** Makes room for `count` rows behind those that are there. */
  reserve(count: number): void {
    const wanted = this.length + count;
    if (this.days.length >= wanted) return;
    const capacity = Math.ceil(wanted * 1.5);
    const { length } = this;
    const kept = this.#columns().map((column) => column.slice(0, length));
    this.#allocate(capacity);
    for (const [i, column] of this.#columns().entries()) (column as FloatArray).set(kept[i] as FloatArray);
  }

  /** Sets the type of the values of all rows, before the first of them are there. */
  setType(type: FloatType): void {
    if (type === this.#type) return;
    this.#type = type;
    const { buffer, byteOffset, length } = this.values;
    this.values = type === 'float64' ? floatArray(type, length) : new Float32Array(buffer, byteOffset, length);
  }

  /**
   * Writes the places of rows behind those that are there, and returns the rows, from 0, whose place is not that of the
   * row before.
   */
  addPlaces(latitude: Float64Array, longitude: Float64Array): Int32Array {
    const from = this.length;
    this.reserve(latitude.length);
    this.latitude.set(latitude, from);
    this.longitude.set(longitude, from);
    if (this.#tools === undefined) return placeStarts(latitude, longitude);
    const { memory, kernels } = this.#tools;
    const [north, east] = [this.latitude, this.longitude].map(({ byteOffset }) => byteOffset + 8 * from);
    const count = kernels.findPlaces(north, east, latitude.length, this.#starts);
    return memory.int32(this.#starts, count).slice();
  }

  /** Writes the days of rows behind those that are there. */
  addDays(days: Int32Array): void {
    const isHere = days.buffer === this.days.buffer || days === this.#copied;
    if (!isHere) this.days.set(days, this.length);
    this.#copied = undefined;
  }

  readonly dayLoops: DayLoops = {
    areDays: (days) => {
      if (this.#tools === undefined) return areDays(days);
      const own = this.#nextDays(days.length);
      own.set(days);
      this.#copied = days;
      return this.#tools.kernels.areWithin(own.byteOffset, own.length, FIRST_DAY, LAST_DAY) !== 0;
    },
    ofEntries: (vector, read, check) => {
      const [only] = vector.data;
      if (vector.data.length !== 1 || only.nullCount > 0 || only.dictionary === undefined) return undefined;
      const days = this.#nextDays(vector.length);
      try {
        check(readEntries(only, read, days));
      } catch {
        return undefined;
      }
      return days;
    },
  };

  /** Memory for the days of rows behind those that are there. */
  #nextDays(rows: number): Int32Array {
    this.reserve(rows);
    return this.days.subarray(this.length, this.length + rows);
  }

  /** Finds where the numbers of members repeat, for codes behind those of the rows that are there. */
  readonly repeats: RepeatFinder | undefined;

  /** Drops the first rows. */
  drop(count: number): void {
    for (const column of this.#columns()) column.copyWithin(0, count, this.length);
    this.length -= count;
  }

  /**
   * Adds the `count` rows that were written behind those that are there, or only those that are used, and returns
   * whether it added all; `rowsBefore` is the number of rows before them in the file.
   */
  keep(count: number, rowsBefore: number, use?: (row: number) => boolean): boolean {
    if (use === undefined && this.rowNumbers === undefined) {
      this.length += count;
      return true;
    }
    const before = this.length;
    this.rowNumbers ??= Float64Array.from(this.days, (_, row) => rowsBefore - before + row + 1);
    const numbers = this.rowNumbers;
    for (let i = 0; i < count; i++) numbers[before + i] = rowsBefore + i + 1;
    if (use !== undefined) {
      const columns = this.#columns();
      for (let i = 0; i < count; i++) {
        if (!use(i)) continue;
        const [from, to] = [before + i, this.length++];
        for (const column of columns) column[to] = column[from];
      }
      return false;
    }
    this.length += count;
    return true;
  }

  /** The rows from row `from` on, counted from it, whose place is not that of the row before. */
  placeStarts(from: number): Int32Array {
    return placeStarts(this.latitude.subarray(from, this.length), this.longitude.subarray(from, this.length));
  }

  /** Memory for values by member, of any content; it is valid until the next is requested. */
  memory(length: number): FloatArray {
    if (this.#tools !== undefined && length <= this.days.length) {
      const { memory } = this.#tools;
      return memory[this.#type](this.#pivoted, length);
    }
    if (this.#plain.length < length) this.#plain = floatArray(this.#type, length);
    return this.#plain.subarray(0, length);
  }

  /** Whether `count` rows from `a` on have the days and members of those from `b` on. */
  haveSameRows(a: number, b: number, count: number): boolean {
    const { days, memberOf } = this;
    if (this.#tools !== undefined) {
      return this.#tools.kernels.haveSameRows(days.byteOffset, memberOf.byteOffset, a, b, count) !== 0;
    }
    let difference = 0;
    for (let i = 0; i < count; i++) difference |= (days[a + i] ^ days[b + i]) | (memberOf[a + i] ^ memberOf[b + i]);
    return difference === 0;
  }

  /**
   * Writes the values of the rows from `from` to `to`, exclusive, to what `memory` gave: those of a member `stride`
   * behind those of the member before, from where its day 0 would be.
   */
  scatter(from: number, to: number, into: FloatArray, dayZero: number, stride: number): void {
    const { days, memberOf, values } = this;
    if (this.#tools !== undefined && into.buffer === values.buffer) {
      const { scatter4, scatter8 } = this.#tools.kernels;
      const scatter = this.#type === 'float32' ? scatter4 : scatter8;
      const out = into.byteOffset + into.BYTES_PER_ELEMENT * dayZero;
      scatter(days.byteOffset, memberOf.byteOffset, values.byteOffset, from, to, out, stride);
      return;
    }
    for (let row = from; row < to; row++) into[dayZero + memberOf[row] * stride + days[row]] = values[row];
  }

  #repeats({ memory, kernels }: TableKernels, values: Numbers, codes: Int32Array) {
    const { BYTES_PER_ELEMENT: width } = values;
    if (width < 4 || codes.buffer !== this.memberOf.buffer) return undefined;
    // Nobody uses the values by member while members are coded.
    const at = this.#pivoted;
    const bytes = width * codes.length;
    memory.bytes(at, bytes).set(new Uint8Array(values.buffer, values.byteOffset, bytes));
    const repeatCodes = width === 4 ? kernels.repeatCodes4 : kernels.repeatCodes8;
    return (row: number, period: number) => repeatCodes(at, codes.byteOffset, row, codes.length, period);
  }

  #columns(): (FloatArray | Int32Array)[] {
    const columns = [this.latitude, this.longitude, this.days, this.memberOf, this.values];
    return this.rowNumbers === undefined ? columns : [...columns, this.rowNumbers];
  }

  #allocate(capacity: number): void {
    if (this.rowNumbers !== undefined) this.rowNumbers = new Float64Array(capacity);
    if (this.#tools === undefined) {
      this.latitude = new Float64Array(capacity);
      this.longitude = new Float64Array(capacity);
      this.days = new Int32Array(capacity);
      this.memberOf = new Int32Array(capacity);
      this.values = floatArray(this.#type, capacity);
      return;
    }
    const { memory } = this.#tools;
    memory.release(this.#top);
    const words = Math.ceil(capacity / 8) * 8;
    const begin = memory.allocate(ROW_BYTES * words);
    this.latitude = memory.float64(begin, capacity);
    this.longitude = memory.float64(begin + 8 * words, capacity);
    this.values = memory[this.#type](begin + 16 * words, capacity);
    this.#pivoted = begin + 24 * words;
    this.days = memory.int32(begin + 32 * words, capacity);
    this.memberOf = memory.int32(begin + 36 * words, capacity);
    this.#starts = begin + 40 * words;
  }
}

/** The rows whose place is not that of the row before, the first included. */
function placeStarts(latitude: Float64Array, longitude: Float64Array): Int32Array {
  const starts: number[] = [];
  let [north, east] = [Number.NaN, Number.NaN];
  for (let row = 0; row < latitude.length; row++) {
    if (latitude[row] === north && longitude[row] === east) continue;
    [north, east] = [latitude[row], longitude[row]];
    starts.push(row);
  }
  return Int32Array.from(starts);
}

/** Not known yet. */
const UNKNOWN = -1e9;

/** Writes the day of each row, and returns the entries that are used. */
function readEntries(
  { values, dictionary, type }: Data,
  read: (date: unknown, row: number) => number,
  days: Int32Array,
): unknown[] {
  const dayOf = new Int32Array(dictionary?.length ?? 0).fill(UNKNOWN);
  const dates: unknown[] = [];
  for (let row = 0; row < days.length; row++) {
    const entry = Number(values[row]);
    let day = dayOf[entry];
    if (day === UNKNOWN || day === undefined) {
      const date = plainValue(dictionary?.get(entry), type);
      dates.push(date);
      day = read(date, row);
      dayOf[entry] = day;
    }
    days[row] = day;
  }
  return dates;
}
