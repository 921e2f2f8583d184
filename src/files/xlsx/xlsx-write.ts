import { type Data, DataType, DateUnit, type Field, makeVector, type RecordBatch, type Schema } from 'apache-arrow';
import { Zip, ZipDeflate } from 'fflate';
import { DataError, OptionError } from '../../errors.js';
import { DAY_MILLISECONDS } from '../../period/day.js';
import { readStatistic } from '../../statistics/result-column.js';
import { measureOf } from '../../statistics/statistic-kinds.js';
import { storedValues } from '../../table/arrow/value-array.js';
import { isTextType } from '../../table/columns/column-values.js';
import { variables } from '../../variable/built-in.js';
import type { TableEncoder } from '../format.js';
import { TextBytes } from '../text/text-bytes.js';
import { TextCells } from '../text/text-cells.js';
import { unwritableColumn } from '../unwritable-column.js';
import { columnLetters } from './sheet-text.js';
import {
  ABOUT,
  decimalsStyle,
  escapeXml,
  SHEET_END,
  STYLES,
  sheetHead,
  sheetName,
  sheetPath,
  workbookParts,
} from './workbook-parts.js';

/* Limits of Excel. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_CHARACTERS = 32_767;
/** The day number of Excel's 1970-01-01. Its days before March 1900 are others than in the calendar. */
const EPOCH = 25_569;
const FIRST_DAY = -25_508;

const PIECE_BYTES = 65_536;
/** So that the same table is the same bytes, wherever and whenever it is written. */
const NO_TIME = new Date(1980, 0, 1);

/** Appends the cell of a row, if it has a value: what stands in `<c r="A1"` from there on. */
type WriteCell = (row: number, sheet: Sheet, reference: string) => void;

/**
 * Writes a workbook of Excel: a sheet for each variable of the column `variable`, or one, with the names of the columns in
 * its first row, and a last one `about` with the metadata of the table.
 *
 * Numbers are as in CSV (see `TextCells`), shown with the decimals of their variable, and shares as percentages; dates are
 * days of Excel, timestamps its days and times, in UTC; those before March 1900, which Excel does not have, and whole numbers beyond 15 digits
 * are texts. Missing values (null, NaN) are empty cells. Throws OptionError for columns whose cells are not single values
 * and for more columns than Excel has, DataError for an infinity and for a text of more than 32,767 characters. A sheet
 * that is full continues in the next one.
 */
export class XlsxEncoder implements TableEncoder {
  readonly #schema: Schema;
  readonly #names: readonly string[];
  readonly #letters: readonly string[];
  readonly #pieces: Uint8Array[] = [];
  readonly #zip = new Zip((error, piece) => {
    if (error) throw error;
    this.#pieces.push(piece);
  });
  readonly #sheets: Sheet[] = [];
  /** The sheet that rows of a variable go to. */
  readonly #current = new Map<string, Sheet>();
  #row = 0;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#names = schema.fields.map(({ name }) => name);
    if (this.#names.length > MAX_COLUMNS) {
      throw new OptionError({
        subject: 'table',
        problem: 'has more columns than a sheet of Excel',
        received: this.#names.length,
        allowed: `at most ${MAX_COLUMNS}`,
      });
    }
    this.#letters = this.#names.map((_, index) => columnLetters(index));
  }

  *encode(batch: RecordBatch): Generator<Uint8Array> {
    const { data } = batch;
    const columns = data.children.map((child, index) => this.#writer(child, this.#schema.fields[index]));
    const variable = batch.getChild('variable');
    const variableOf = variable !== null && isTextType(variable.type) ? variable : undefined;
    for (let row = 0; row < data.length; row++) {
      const sheet = this.#sheetOf(variableOf?.get(row) ?? '');
      const number = sheet.nextRow();
      for (let c = 0; c < columns.length; c++) columns[c](row, sheet, this.#letters[c] + number);
      sheet.endRow();
      this.#row++;
      if (this.#pieces.length > 0) yield* this.#taken();
    }
  }

  *end(): Generator<Uint8Array> {
    if (this.#sheets.length === 0) this.#sheetOf('');
    this.#writeAbout();
    for (const sheet of this.#sheets) sheet.end();
    for (const [path, xml] of workbookParts(this.#sheets.map(({ name }) => name))) {
      const entry = this.#entry(path);
      entry.push(new TextEncoder().encode(xml), true);
    }
    this.#zip.end();
    yield* this.#taken();
  }

  #taken(): Uint8Array[] {
    return this.#pieces.splice(0);
  }

  #entry(path: string): ZipDeflate {
    // More compression takes three times as long for a tenth of the bytes.
    const entry = new ZipDeflate(path, { level: 4 });
    entry.mtime = NO_TIME;
    this.#zip.add(entry);
    return entry;
  }

  #addSheet(wanted: string, widths: readonly number[], decimals: number): Sheet {
    const name = sheetName(
      wanted,
      this.#sheets.map((sheet) => sheet.name),
    );
    const sheet = new Sheet(name, this.#entry(sheetPath(this.#sheets.length + 1)), sheetHead(widths), decimals);
    this.#sheets.push(sheet);
    return sheet;
  }

  /** The sheet for the next row of a variable. */
  #sheetOf(variable: string): Sheet {
    const current = this.#current.get(variable);
    if (current !== undefined && current.rows < MAX_ROWS) return current;
    const stated = variable || (this.#schema.metadata.get('variable') ?? '');
    const decimals = variables.find(({ slug }) => slug === stated)?.decimals ?? 2;
    const widths = this.#schema.fields.map(({ name, type }) => Math.max(name.length + 2, isTextType(type) ? 14 : 11));
    const sheet = this.#addSheet(stated || 'table', widths, decimals);
    const row = sheet.nextRow();
    for (const [index, name] of this.#names.entries()) sheet.text(this.#letters[index] + row, name, STYLES.bold);
    sheet.endRow();
    this.#current.set(variable, sheet);
    return sheet;
  }

  /** What Excel has no other place for: the metadata of the table. */
  #writeAbout(): void {
    const { metadata } = this.#schema;
    if (metadata.size === 0) return;
    const sheet = this.#addSheet(ABOUT, [28, 100], 0);
    for (const [key, value] of metadata) {
      const row = sheet.nextRow();
      sheet.text(`A${row}`, key, STYLES.bold);
      const isShort = value.length <= MAX_CHARACTERS;
      sheet.text(`B${row}`, isShort ? value : `(${value.length} characters, more than a cell of Excel holds)`);
      sheet.endRow();
    }
  }

  #writer(data: Data, field: Field): WriteCell {
    const write = this.#valueWriter(data, field);
    if (data.nullCount === 0) return write;
    const { nullBitmap, offset } = data;
    return (row, sheet, reference) => {
      if (nullBitmap[(offset + row) >> 3] & (1 << ((offset + row) & 7))) write(row, sheet, reference);
    };
  }

  #valueWriter(data: Data, field: Field): WriteCell {
    const { type } = data;
    const { name } = field;
    if (DataType.isNull(type)) return () => {};
    if (isTextType(type)) {
      const texts = makeVector(data);
      return (row, sheet, reference) => {
        const text: string | null = texts.get(row);
        if (text !== null) sheet.text(reference, this.#fitting(text, name));
      };
    }
    if ((DataType.isDate(type) && type.unit === DateUnit.DAY) || DataType.isTimestamp(type)) {
      // Arrow gives both in milliseconds.
      const times = makeVector(data);
      const isDay = DataType.isDate(type);
      return (row, sheet, reference) => sheet.time(reference, Number(times.get(row)), isDay);
    }
    if (DataType.isInt(type) && type.bitWidth === 64) {
      const values = storedValues(data);
      return (row, sheet, reference) => {
        const text = String(values[row]);
        if (text.replace('-', '').length > 15) sheet.text(reference, text);
        else sheet.number(reference, STYLES.general, () => sheet.out.text(text));
      };
    }
    const isNumber = DataType.isFloat(type) || DataType.isInt(type);
    if (!isNumber && !DataType.isBool(type)) {
      if (DataType.isDictionary(type) && data.dictionary !== undefined) return this.#dictionaryWriter(data, field);
      throw unwritableColumn(name, type);
    }
    const styleOf = isNumber ? numberStyle(field) : () => STYLES.general;
    const values = isNumber ? storedValues(data) : undefined;
    const writers = new Map<Sheet, (row: number) => void>();
    return (row, sheet, reference) => {
      if (values !== undefined && Number.isNaN(values[row])) return;
      let cell = writers.get(sheet);
      if (cell === undefined) {
        cell = new TextCells(sheet.out, this.#cellStyle(), this.#names).writer(data, name);
        writers.set(sheet, cell);
      }
      const write = cell;
      sheet.number(reference, styleOf(sheet.decimals), () => write(row), values === undefined ? 'b' : undefined);
    };
  }

  /** Of a dictionary of other values than texts. */
  #dictionaryWriter(data: Data, field: Field): WriteCell {
    const entries = makeVector(data);
    return (row, sheet, reference) => {
      const value: unknown = entries.get(row);
      if (value === null || Number.isNaN(value)) return;
      if (typeof value !== 'number') throw unwritableColumn(field.name, data.type);
      sheet.number(reference, STYLES.general, () => sheet.out.text(String(value)));
    };
  }

  #cellStyle() {
    return {
      missing: '',
      quote: '',
      text: escapeXml,
      boolean: (value: boolean) => (value ? '1' : '0'),
      infinity: (value: number, column: string) => {
        const problem = 'cannot be written to Excel';
        throw new DataError({ row: this.#row, column, problem, received: value, allowed: 'finite numbers' });
      },
    };
  }

  #fitting(text: string, column: string): string {
    if (text.length <= MAX_CHARACTERS) return text;
    const problem = 'is longer than a cell of Excel';
    const received = `${text.length} characters`;
    throw new DataError({ row: this.#row, column, problem, received, allowed: `at most ${MAX_CHARACTERS}` });
  }
}

/** A sheet that is being written. */
class Sheet {
  readonly name: string;
  /** The decimals of its variable. */
  readonly decimals: number;
  readonly out = new TextBytes(2 * PIECE_BYTES);
  /** The rows that have begun. */
  rows = 0;
  readonly #entry: ZipDeflate;

  constructor(name: string, entry: ZipDeflate, head: string, decimals: number) {
    this.name = name;
    this.decimals = decimals;
    this.#entry = entry;
    this.out.text(head);
  }

  /** Begins a row, and returns its number, from 1. */
  nextRow(): number {
    this.out.text(`<row r="${++this.rows}">`);
    return this.rows;
  }

  endRow(): void {
    this.out.text('</row>');
    if (this.out.length >= PIECE_BYTES) this.#entry.push(this.out.take().slice());
  }

  text(reference: string, text: string, style: number = STYLES.general): void {
    // Without it, spaces at the ends are lost.
    const keep = /^\s|\s$/.test(text) ? ' xml:space="preserve"' : '';
    this.#open(reference, style, 'inlineStr');
    this.out.text(`<is><t${keep}>${escapeXml(text)}</t></is></c>`);
  }

  /** A number that `write` appends to `out`. */
  number(reference: string, style: number, write: () => void, type?: 'b'): void {
    this.#open(reference, style, type);
    this.out.text('<v>');
    write();
    this.out.text('</v></c>');
  }

  /** A time in milliseconds since 1970, or the day in which it lies. */
  time(reference: string, milliseconds: number, isDay: boolean): void {
    const days = milliseconds / DAY_MILLISECONDS;
    if (days < FIRST_DAY) {
      const text = new Date(milliseconds).toISOString();
      this.text(reference, isDay ? text.slice(0, 10) : text);
      return;
    }
    this.number(reference, isDay ? STYLES.date : STYLES.time, () => this.out.text(String(days + EPOCH)));
  }

  end(): void {
    this.out.text(SHEET_END);
    this.#entry.push(this.out.take().slice(), true);
  }

  #open(reference: string, style: number, type?: string): void {
    const ofStyle = style === STYLES.general ? '' : ` s="${style}"`;
    this.out.text(`<c r="${reference}"${ofStyle}${type === undefined ? '' : ` t="${type}"`}>`);
  }
}

/** How the numbers of a column are shown, by the decimals of the variable of a sheet. */
function numberStyle(field: Field): (decimals: number) => number {
  const measure = DataType.isFloat(field.type) ? measureOf(readStatistic(field)) : undefined;
  if (measure === 'share') return () => STYLES.share;
  return measure === undefined || measure === 'number' ? () => STYLES.general : decimalsStyle;
}
