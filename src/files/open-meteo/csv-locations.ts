import type { Table, Vector } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { codedColumn } from '../../table/arrow/stored-values.js';
import { columnOf } from '../../table/arrow/table-schema.js';
import { isMissingCell, numberFromCell } from '../csv/decimal-mark.js';
import { assertDistinct, checkLocation, type Location } from './location.js';
import { createOpenMeteoTable } from './open-meteo-table.js';
import { areDays, readTimes, type TimeForm } from './times.js';

const ID = 'location_id';
const NEEDED = ['latitude', 'longitude', 'utc_offset_seconds'];

/** Whether a first row is the header of the block of locations at the beginning of a CSV of Open-Meteo. */
export function beginsLocations(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim());
  return NEEDED.every((name) => names.includes(name)) && !names.includes('time');
}

/**
 * The block of locations at the beginning of a CSV of Open-Meteo: a header, a row for each location, a blank line. It
 * adds places to the tables of the rows that follow, and converts their times to UTC.
 */
export class CsvLocations {
  readonly #source: string;
  readonly #columns: readonly string[];
  readonly #locations: Location[] = [];
  #isEnded = false;
  #rowsBefore = 0;
  /** Whether rows are days, decided by the first table. */
  #areDays: boolean | undefined;
  #form: TimeForm | undefined;

  constructor(header: readonly string[], source: string) {
    this.#source = source;
    this.#columns = header.map((cell) => cell.trim());
  }

  /**
   * Takes the next row, of a line of the file. Returns false for the first row after the block. Throws DataError for an
   * invalid location, and if there are none.
   */
  take(cells: readonly string[], line: number): boolean {
    const isBlank = cells.every((cell) => cell.trim() === '');
    const isHeader = cells.some((cell) => cell.trim() === 'time');
    if ((!isBlank && this.#isEnded) || isHeader) {
      if (this.#locations.length === 0) throw this.#noLocation(line);
      assertDistinct(this.#locations, this.#source);
      return false;
    }
    if (isBlank) this.#isEnded ||= this.#locations.length > 0;
    else this.#locations.push(this.#read(cells, line));
    return true;
  }

  /**
   * Converts the next table of rows after the block. Throws DataError as `createOpenMeteoTable` does, and for a
   * location that is not in the block.
   */
  table(table: Table): Table {
    const source = this.#source;
    const names = table.schema.fields.map(({ name }) => name);
    const hasIds = names.includes(ID);
    if (!names.includes('time') || (!hasIds && this.#locations.length > 1)) throw this.#noColumn(names);
    const place = { source, column: 'time', rowsBefore: this.#rowsBefore, form: this.#form };
    const times = readTimes(columnOf(table, 'time'), place);
    this.#form = times.form;
    this.#areDays ??= areDays(times);
    const rows = {
      locations: this.#locations,
      locationOf: hasIds ? this.#findLocations(columnOf(table, ID)) : undefined,
      times,
      areDays: this.#areDays,
      values: names
        .filter((name) => name !== 'time' && name !== ID)
        .map((name) => ({ name, data: columnOf(table, name).data[0] })),
    };
    this.#rowsBefore += table.numRows;
    return createOpenMeteoTable(rows, source);
  }

  /** The error for a second table after the one that is read. */
  secondTable(first: readonly string[], cells: readonly string[], line: number): DataError {
    return new DataError({
      source: this.#source,
      problem: `contains several tables, the next from line ${line} on, such as hourly and daily values`,
      received: [first.slice(0, 3).join(','), cells.slice(0, 3).join(',')],
      allowed:
        'one of them: request only hourly or only daily values, or split the file in two, each with the lines of locations',
    });
  }

  #read(cells: readonly string[], line: number): Location {
    const cell = (name: string): string => cells[this.#columns.indexOf(name)]?.trim() ?? '';
    // A comma within a cell is a decimal mark: the delimiter is another character then.
    const number = (name: string) => {
      const text = cell(name).replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
      return isMissingCell(text) ? text : numberFromCell(text);
    };
    const stated = {
      id: cell(ID),
      latitude: number('latitude'),
      longitude: number('longitude'),
      utcOffset: number('utc_offset_seconds'),
      timezone: cell('timezone'),
    };
    return checkLocation(stated, this.#source, `location (line ${line})`);
  }

  #findLocations(vector: Vector): Int32Array {
    const { codes, values } = codedColumn(vector);
    const known = values.map((value) => this.#locations.findIndex(({ id }) => id === String(value)));
    return codes.map((code, row) => {
      const index = known[code] ?? -1;
      if (index >= 0) return index;
      throw new DataError({
        ...{ source: this.#source, row: this.#rowsBefore + row + 1, column: ID },
        problem: 'is not among the locations that the file begins with',
        received: code < 0 ? null : values[code],
        allowed: this.#locations.map(({ id }) => id).join(', '),
      });
    });
  }

  #noLocation(line: number): DataError {
    return new DataError({
      source: this.#source,
      problem: `has no location between the header of the locations and the header of the table (line ${line})`,
      allowed: 'the CSV of Open-Meteo as it comes',
    });
  }

  #noColumn(names: readonly string[]): DataError {
    return new DataError({
      source: this.#source,
      problem: `the table after the locations has no column ${names.includes('time') ? ID : 'time'}`,
      received: names.slice(0, 10),
      allowed: 'the CSV of Open-Meteo as it comes',
    });
  }
}
