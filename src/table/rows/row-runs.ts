import { type FloatArray, type FloatType, floatArray, valueBytes } from '../../core/number-arrays.js';
import { FileError } from '../../errors.js';

/** Bytes that can be written and read at any position. */
export interface RunBytes {
  write(bytes: Uint8Array, at: number): void;
  /** Fills `into`. Throws FileError if there are not enough bytes. */
  read(into: Uint8Array, at: number): void;
}

/** Bytes that are kept in memory. */
export class BytesInMemory implements RunBytes {
  readonly #pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [];

  write(bytes: Uint8Array, at: number): void {
    this.#pieces.push({ at, bytes: bytes.slice() });
  }

  /** Fills `into` with bytes that were written together. */
  read(into: Uint8Array, at: number): void {
    const piece = this.#pieces.findLast((each) => at >= each.at);
    if (piece !== undefined) into.set(piece.bytes.subarray(at - piece.at, at - piece.at + into.length));
  }

  /** Gives all bytes to `to`, and forgets them. */
  moveTo(to: RunBytes): void {
    for (const { bytes, at } of this.#pieces.splice(0)) to.write(bytes, at);
  }
}

/** Rows of consecutive locations, one location after the other, those of each in the order in which they were added. */
export interface LocationRun {
  readonly firstLocation: number;
  /**
   * For each location from `firstLocation` on the index of its first row, and behind the last one the number of rows.
   */
  readonly starts: Uint32Array;
  /** `width` for each row. */
  readonly values: FloatArray;
  /** For each row its member, above the lowest `dayBits` bits, and in these the days from `firstDay` on. */
  readonly series: Uint32Array;
  readonly dayBits: number;
  readonly firstDay: number;
  /** For each row how many rows of the table come after `firstRow` before it. */
  readonly rows: Uint32Array;
  readonly firstRow: number;
}

/** Where a run lies in the bytes, with the numbers of its rows and locations. */
interface StoredRun extends Pick<LocationRun, 'firstLocation' | 'dayBits' | 'firstDay' | 'firstRow'> {
  readonly at: number;
  readonly count: number;
  readonly locations: number;
}

/** Rows that are not in a run yet. */
interface OpenRows {
  readonly locations: Uint32Array;
  readonly members: Uint32Array;
  readonly days: Int32Array;
  readonly values: FloatArray;
  readonly rows: Float64Array;
}

const WORD = 4;
/** Members have as many bits as days leave of these; 31 is the most that a shift of 32 bits allows. */
const SERIES_BITS = 31;

/** The shape of rows, and how many are in a run. */
export interface RunShape {
  readonly type: FloatType;
  /** The number of values of each row. */
  readonly width: number;
  /** The number of rows of a run. */
  readonly length: number;
}

/**
 * Keeps rows by the numbers of their locations and members. Rows are collected up to the length of a run, sorted by
 * location by counting, and written. Later the rows of any range of locations are read from all runs.
 *
 * A run in bytes, all columns one after the other:
 *
 *     values (4 or 8 each, `width` for each row) | starts (locations + 1) | series | rows (4 each)
 */
export class RowRuns {
  readonly width: number;
  readonly #bytes: RunBytes;
  readonly #type: FloatType;
  readonly #length: number;
  #open: OpenRows;
  #count = 0;
  readonly #runs: StoredRun[] = [];
  #size = 0;
  #scratch = new ArrayBuffer(0);

  constructor(bytes: RunBytes, { type, width, length }: RunShape) {
    this.#bytes = bytes;
    this.#type = type;
    this.width = width;
    this.#length = length;
    this.#open = createRows(type, length, width);
  }

  /** Adds row `row` of the table, which comes after those before, and returns the index of its values in `values`. */
  add(location: number, member: number, day: number, row: number): number {
    if (this.#count === this.#length) this.#write();
    const open = this.#open;
    const at = this.#count++;
    open.locations[at] = location;
    open.members[at] = member;
    open.days[at] = day;
    open.rows[at] = row;
    return at * this.width;
  }

  /** The values of the rows that are not in a run yet. */
  get values(): FloatArray {
    return this.#open.values;
  }

  /** Writes the rows that are not in a run yet; no more can be added. */
  end(): void {
    this.#write();
    this.#open = createRows(this.#type, 0, this.width);
  }

  /**
   * Reads the rows of the locations from `from` up to, not including, `to`, in the order in which they were added; each
   * run is good until the next one is requested. No more rows can be added. Throws FileError if bytes are not those
   * that were written.
   */
  *between(from: number, to: number): Generator<LocationRun> {
    for (const run of this.#runs) {
      const first = Math.max(0, from - run.firstLocation);
      const end = Math.min(to - run.firstLocation, run.locations);
      if (first >= end) continue;
      const bytesOfValues = this.width * valueBytes(this.#type);
      const startsAt = run.at + run.count * bytesOfValues;
      const starts = new Uint32Array(end - first + 1);
      this.#read(starts, startsAt + first * WORD);
      assertAscending(starts, run.count);
      const begin = starts[0];
      const count = starts[starts.length - 1] - begin;
      if (count === 0) continue;
      const columns = this.#views(count, 0);
      const seriesAt = startsAt + (run.locations + 1) * WORD;
      this.#read(columns.values, run.at + begin * bytesOfValues);
      this.#read(columns.series, seriesAt + begin * WORD);
      this.#read(columns.rows, seriesAt + (run.count + begin) * WORD);
      for (let location = 0; location < starts.length; location++) starts[location] -= begin;
      const { firstLocation, dayBits, firstDay, firstRow } = run;
      yield { ...columns, firstLocation: firstLocation + first, starts, dayBits, firstDay, firstRow };
    }
  }

  #write(): void {
    if (this.#count > 0) this.#writeRun(this.#open, 0, this.#count);
    this.#count = 0;
  }

  /** Writes some open rows as a run, or as several if their members, days or rows are too many for the bits of one. */
  #writeRun(open: OpenRows, from: number, to: number): void {
    const { firstLocation, lastLocation, highestMember, firstDay, lastDay } = extent(open, from, to);
    const dayBits = bitsOf(lastDay - firstDay);
    const firstRow = open.rows[from];
    if (dayBits + bitsOf(highestMember) > SERIES_BITS || open.rows[to - 1] - firstRow > 0xffffffff) {
      const middle = (from + to) >>> 1;
      this.#writeRun(open, from, middle);
      this.#writeRun(open, middle, to);
      return;
    }
    const [count, locations] = [to - from, lastLocation - firstLocation + 1];
    const { width } = this;
    const run = this.#views(count, locations);
    const next = new Uint32Array(locations + 1);
    for (let row = from; row < to; row++) next[open.locations[row] - firstLocation + 1]++;
    for (let location = 1; location <= locations; location++) next[location] += next[location - 1];
    run.starts.set(next);
    for (let row = from; row < to; row++) {
      const at = next[open.locations[row] - firstLocation]++;
      for (let i = 0; i < width; i++) run.values[at * width + i] = open.values[row * width + i];
      run.series[at] = (open.members[row] << dayBits) | (open.days[row] - firstDay);
      run.rows[at] = open.rows[row] - firstRow;
    }
    const size = this.#bytesOf(count, locations);
    this.#bytes.write(new Uint8Array(this.#scratch, 0, size), this.#size);
    this.#runs.push({ at: this.#size, count, locations, firstLocation, dayBits, firstDay, firstRow });
    this.#size += size;
  }

  #read(into: FloatArray | Uint32Array, at: number): void {
    this.#bytes.read(new Uint8Array(into.buffer, into.byteOffset, into.byteLength), at);
  }

  #bytesOf(count: number, locations: number): number {
    return count * (this.width * valueBytes(this.#type) + 2 * WORD) + (locations + 1) * WORD;
  }

  /** Views of the scratch memory for the columns of a run. */
  #views(count: number, locations: number): Pick<LocationRun, 'values' | 'starts' | 'series' | 'rows'> {
    const size = this.#bytesOf(count, locations);
    if (this.#scratch.byteLength < size) this.#scratch = new ArrayBuffer(size);
    const buffer = this.#scratch;
    const values = count * this.width;
    const startsAt = values * valueBytes(this.#type);
    const seriesAt = startsAt + (locations + 1) * WORD;
    return {
      values: this.#type === 'float32' ? new Float32Array(buffer, 0, values) : new Float64Array(buffer, 0, values),
      starts: new Uint32Array(buffer, startsAt, locations + 1),
      series: new Uint32Array(buffer, seriesAt, count),
      rows: new Uint32Array(buffer, seriesAt + count * WORD, count),
    };
  }
}

/** A row by its numbers; `row` is counted from 0 in the file. */
interface NumberedRow {
  readonly location: number;
  readonly member: number;
  readonly day: number;
  readonly row: number;
}

/** Calls `visit` for each row of a run. */
export function eachRow(run: LocationRun, visit: (row: NumberedRow) => void): void {
  const { firstLocation, starts, series, dayBits, firstDay, rows, firstRow } = run;
  for (let i = 0; i < starts.length - 1; i++) {
    for (let at = starts[i]; at < starts[i + 1]; at++) {
      const day = firstDay + (series[at] & (2 ** dayBits - 1));
      visit({ location: firstLocation + i, member: series[at] >>> dayBits, day, row: firstRow + rows[at] });
    }
  }
}

/** The error for rows that are read otherwise than they were written. */
export function changedRows(): FileError {
  return new FileError({
    subject: 'temporary file of rows',
    problem: 'was changed while it was used',
    allowed: 'a disk without faults, and a file that no other program writes to',
  });
}

function createRows(type: FloatType, length: number, width: number): OpenRows {
  return {
    locations: new Uint32Array(length),
    members: new Uint32Array(length),
    days: new Int32Array(length),
    values: floatArray(type, length * width),
    rows: new Float64Array(length),
  };
}

function extent({ locations, members, days }: OpenRows, from: number, to: number) {
  let [firstLocation, lastLocation] = [locations[from], locations[from]];
  let highestMember = 0;
  let [firstDay, lastDay] = [days[from], days[from]];
  for (let row = from; row < to; row++) {
    if (locations[row] < firstLocation) firstLocation = locations[row];
    else if (locations[row] > lastLocation) lastLocation = locations[row];
    if (members[row] > highestMember) highestMember = members[row];
    if (days[row] < firstDay) firstDay = days[row];
    if (days[row] > lastDay) lastDay = days[row];
  }
  return { firstLocation, lastLocation, highestMember, firstDay, lastDay };
}

/** The number of bits of an integer from 0 to 2^32 - 1. */
function bitsOf(integer: number): number {
  return 32 - Math.clz32(integer);
}

function assertAscending(starts: Uint32Array, count: number): void {
  let isAscending = starts[starts.length - 1] <= count;
  for (let location = 1; location < starts.length; location++) isAscending &&= starts[location] >= starts[location - 1];
  if (!isAscending) throw changedRows();
}
