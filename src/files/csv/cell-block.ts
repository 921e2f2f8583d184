import type { TableKernels } from '../../core/table-kernels.js';

/** Bytes of text that are looked at together: they stay in the second-level cache. A row must not be longer. */
const BLOCK_BYTES = 1 << 18;
/** Bytes that kernels may read behind the text. */
const PADDING = 64;
/**
 * The most distinct texts of a column that are kept: fewer where there are many columns, as each has memory of its own.
 */
const MAX_TEXTS = 1 << 15;
const MIN_TEXTS = 1 << 6;
/** Bytes of the texts of a column, for each of them. */
const TEXT_BYTES = 32;
/** Scratch for the numbers of a column that were read. */
const KNOWN_BYTES = 5120;
const LINE_FEED = 10;
const QUOTE = 34;
const [ONE, NINE] = [49, 57];
/** Numbers hold integers of fewer digits. */
const MANY_DIGITS = 16;

/**
 * Cells of one column of texts, from row `from` to `to`: codes of its dictionary, -1 where a cell is empty; or one
 * text.
 */
export type TextRun =
  | { readonly from: number; readonly to: number; readonly codes: Int32Array; readonly dictionary: number }
  | { readonly from: number; readonly to: number; readonly text: string };

/**
 * A block of CSV in UTF-8, read by kernels: the cells of its complete rows, as numbers or as texts. What the kernels
 * leave, such as a row with another number of cells, is left to the caller.
 */
export class CellBlock {
  /** The complete rows that `find` found. */
  rows = 0;
  readonly #tools: TableKernels;
  readonly #columns: number;
  readonly #delimiter: number;
  readonly #mark: number;
  readonly #text: number;
  readonly #ends: number;
  readonly #state: number;
  readonly #dictionaries: (TextPool | undefined)[] = [];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Where scratch begins. */
  #top: number;
  #length = 0;
  #consumed = 0;
  #isQuoted = false;

  /** `mark` is the decimal mark of numbers. */
  constructor(tools: TableKernels, columns: number, delimiter: string, mark: string) {
    this.#tools = tools;
    this.#columns = columns;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#mark = mark.charCodeAt(0);
    const { memory } = tools;
    // A byte more than a block: the line feed that may be missing at the end.
    this.#text = memory.allocate(BLOCK_BYTES + 1 + PADDING);
    this.#ends = memory.allocate(4 * (BLOCK_BYTES + 1));
    this.#state = memory.allocate(16);
    this.#top = memory.mark();
  }

  /** Whether bytes of UTF-8 are ASCII. */
  isAscii(bytes: Uint8Array): boolean {
    const { memory, kernels } = this.#tools;
    const at = memory.scratch(bytes.length);
    memory.bytes(at, bytes.length).set(bytes);
    const result = kernels.isAscii(at, bytes.length) !== 0;
    memory.release(at);
    return result;
  }

  /** Whether no more bytes fit. */
  get isFull(): boolean {
    return this.#length === BLOCK_BYTES;
  }

  /** Whether there are no bytes. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Adds bytes, as many as fit, and returns their number. */
  add(bytes: Uint8Array): number {
    const count = Math.min(bytes.length, BLOCK_BYTES - this.#length);
    this.#tools.memory.bytes(this.#text + this.#length, count).set(bytes.subarray(0, count));
    this.#length += count;
    return count;
  }

  /**
   * Finds the cells of the complete rows. Returns false if something is there that the kernels do not read: behind
   * these rows, or no row at all in a full block. With `isLast` the last row may have no line end.
   */
  find(isLast: boolean): boolean {
    const { memory, kernels } = this.#tools;
    const text = memory.bytes(this.#text, this.#length + 1);
    const isCut = isLast && this.#length > 0 && text[this.#length - 1] !== LINE_FEED;
    if (isCut) text[this.#length] = LINE_FEED;
    const length = this.#length + (isCut ? 1 : 0);
    this.rows = kernels.findCells(this.#text, length, this.#delimiter, this.#columns, this.#ends, this.#state);
    const [flags, bytes, quoted] = memory.int32(this.#state, 3);
    this.#consumed = bytes;
    this.#isQuoted = quoted !== 0;
    const isStuck = isLast ? bytes < length : this.rows === 0 && this.isFull;
    return flags === 0 && !isStuck;
  }

  /** The lines of the complete rows: a quoted cell may contain line ends. */
  get lines(): number {
    if (!this.#isQuoted) return this.rows;
    let count = 0;
    const text = this.#tools.memory.bytes(this.#text, this.#consumed);
    for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) count++;
    return count;
  }

  /** Drops the complete rows. */
  drop(): void {
    const end = Math.min(this.#consumed, this.#length);
    this.#tools.memory.bytes(this.#text, this.#length).copyWithin(0, end);
    this.#length -= end;
    this.rows = 0;
    this.#consumed = 0;
  }

  /** Takes all bytes that are not dropped; a view that is valid until the next call. */
  takeRest(): Uint8Array {
    const bytes = this.#tools.memory.bytes(this.#text, this.#length);
    this.#length = 0;
    return bytes;
  }

  /**
   * The numbers of a column from row `from` to `to`, NaN where a cell is missing; `missing` is their number, and `left`
   * lists the rows whose cells the caller has to read, NaN as well. Views, valid until the next call.
   */
  numbers(
    column: number,
    from: number,
    to: number,
  ): { readonly values: Float64Array; readonly missing: number; readonly left: Int32Array } {
    const { memory, kernels } = this.#tools;
    const count = to - from;
    const out = memory.scratch(8 * count);
    const left = memory.scratch(4 * (count + 1));
    const known = memory.scratch(KNOWN_BYTES);
    const leftCount = kernels.readNumbers(
      ...([this.#text, this.#ends, this.#columns, column, from, to, this.#mark, out, left, known] as const),
    );
    memory.release(this.#top);
    const rows = memory.int32(left, leftCount + 1);
    return { values: memory.float64(out, count), missing: rows[0], left: rows.subarray(1) };
  }

  /** The rows whose cells have many characters, or several of which the first is no digit from 1 to 9. */
  rowsOfCodes(column: number, from: number, to: number): number[] {
    const { memory } = this.#tools;
    const ends = memory.int32(this.#ends, this.#columns * to);
    const text = memory.bytes(this.#text, this.#length);
    const rows: number[] = [];
    for (let row = from, index = from * this.#columns + column; row < to; row++, index += this.#columns) {
      const begin = index === 0 ? 0 : ends[index - 1] + 1;
      const length = ends[index] - begin;
      if (length >= MANY_DIGITS || (length > 1 && !(text[begin] >= ONE && text[begin] <= NINE))) rows.push(row);
    }
    return rows;
  }

  /** The texts of a column from row `from` to `to`; views that are valid until the next call. */
  *texts(column: number, from: number, to: number): Generator<TextRun> {
    const { memory, kernels } = this.#tools;
    const pool = this.#pool(column);
    let isFresh = false;
    for (let row = from; row < to; ) {
      const codes = memory.scratch(4 * (to - row));
      // The kernel counts rows from the beginning of the block.
      const end = kernels.readTexts(
        ...([this.#text, this.#ends, this.#columns, column, row, to, pool.address, codes - 4 * row] as const),
      );
      memory.release(this.#top);
      if (end > row) {
        yield { from: row, to: end, codes: memory.int32(codes, end - row), dictionary: pool.generation };
        isFresh = false;
      }
      if (end === to) return;
      row = end;
      if (!isFresh && pool.isFull) {
        pool.clear();
        isFresh = true;
        continue;
      }
      yield { from: row, to: row + 1, text: this.cell(row, column) };
      row++;
    }
  }

  /** A text of a column's dictionary. */
  text(column: number, code: number): string {
    return this.#pool(column).text(code);
  }

  /** A cell as text, without its quotes. */
  cell(row: number, column: number): string {
    const { memory } = this.#tools;
    const index = row * this.#columns + column;
    const [before, end] =
      index === 0 ? [-1, memory.int32(this.#ends, 1)[0]] : memory.int32(this.#ends + 4 * index - 4, 2);
    const text = this.#decoder.decode(memory.bytes(this.#text + before + 1, end - before - 1)).replace(/\r$/, '');
    if (text.charCodeAt(0) !== QUOTE) return text;
    return text.slice(1, -1).replaceAll('""', '"').replace(/\r\n?/g, '\n');
  }

  #pool(column: number): TextPool {
    const known = this.#dictionaries[column];
    if (known !== undefined) return known;
    const made = new TextPool(this.#tools, textsForEach(this.#columns));
    this.#dictionaries[column] = made;
    this.#top = this.#tools.memory.mark();
    return made;
  }
}

const ENTRY_BYTES = 16;

/** A power of two, so that all columns together keep about half a million texts. */
function textsForEach(columns: number): number {
  return Math.max(MIN_TEXTS, Math.min(MAX_TEXTS, 2 ** Math.floor(Math.log2((16 * MAX_TEXTS) / columns))));
}

/** The distinct texts of a column, in the memory of the kernels. */
class TextPool {
  readonly address: number;
  /** Counts how often the texts were cleared: codes are of one generation. */
  generation = 0;
  readonly #tools: TableKernels;
  readonly #slots: number;
  readonly #entries: number;
  readonly #bytes: number;
  readonly #maxTexts: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(tools: TableKernels, maxTexts: number) {
    const { memory } = tools;
    this.#tools = tools;
    this.#maxTexts = maxTexts;
    this.address = memory.allocate(32);
    this.#slots = memory.allocate(4 * 2 * maxTexts);
    this.#entries = memory.allocate(ENTRY_BYTES * maxTexts);
    this.#bytes = memory.allocate(TEXT_BYTES * maxTexts + PADDING);
    this.#write();
  }

  /** Whether there may be no room for another text. */
  get isFull(): boolean {
    const { memory } = this.#tools;
    const [count, used] = [memory.int32(this.address, 1)[0], memory.int32(this.address + 20, 1)[0]];
    return count === this.#maxTexts || (count > 0 && used > (TEXT_BYTES * this.#maxTexts) / 2);
  }

  clear(): void {
    this.generation++;
    this.#write();
  }

  /** Writes a dictionary without texts. */
  #write(): void {
    const { memory } = this.#tools;
    const texts = this.#maxTexts;
    memory
      .int32(this.address, 8)
      .set([0, 2 * texts - 1, this.#slots, this.#entries, this.#bytes, 0, TEXT_BYTES * texts, texts]);
    memory.int32(this.#slots, 2 * texts).fill(0);
    memory.int32(this.#entries, (ENTRY_BYTES / 4) * texts).fill(0);
  }

  text(code: number): string {
    const { memory } = this.#tools;
    const [at, length] = memory.int32(this.#entries + ENTRY_BYTES * code, 2);
    return this.#decoder.decode(memory.bytes(this.#bytes + at, length));
  }
}
