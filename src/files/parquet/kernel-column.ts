import { type Data, makeData, Vector } from 'apache-arrow';
import type { TableKernels } from '../../core/table-kernels.js';
import type { BufferPool } from '../buffer-pool.js';
import { PADDING } from '../codecs/kernel-codecs.js';
import {
  arrayOf,
  bitmapBytes,
  type Entries,
  type KernelChunk,
  KernelPages,
  type NumberArrayConstructor,
  type OpenPage,
  spreadValues,
} from './kernel-pages.js';
import { ENCODING, PAGE, type PageHeader } from './page-header.js';
import type { StoredPage } from './pages.js';
import { isCodedText } from './text-codes.js';

/** The rows that are read. */
interface Target {
  readonly from: number;
  readonly to: number;
  readonly out: number;
  readonly validity: number;
}

/**
 * A column chunk without lists, of numbers that are stored as they are needed, or of texts that are read as codes,
 * decoded by kernels: plain values and those of dictionaries.
 */
export class KernelColumn {
  readonly #column: KernelChunk;
  readonly #array: NumberArrayConstructor;
  readonly #pool: BufferPool;

  private constructor(column: KernelChunk, array: NumberArrayConstructor, pool: BufferPool) {
    this.#column = column;
    this.#array = array;
    this.#pool = pool;
  }

  /** Undefined if the kernels do not know such a column. */
  static of(pool: BufferPool, column: KernelChunk): KernelColumn | undefined {
    const array = arrayOf(column.leaf, column.type);
    if (array === undefined || column.leaf.maxRepetition > 0) return undefined;
    return new KernelColumn(column, array, pool);
  }

  /**
   * The rows from `from` up to `to`, of which `pages` have all. Undefined if the kernels do not know how they are
   * written, or find them corrupt. Throws a RangeError for wrong checksums and impossible sizes.
   */
  async read(tools: TableKernels, pages: readonly StoredPage[], from: number, to: number): Promise<Data | undefined> {
    const opener = new KernelPages(tools, this.#column, this.#array.BYTES_PER_ELEMENT);
    if (!opener.areKnown(pages.map(({ header }) => header))) return undefined;
    const mark = tools.memory.mark();
    try {
      return await this.#read(tools, opener, pages, [from, to]);
    } finally {
      tools.memory.release(mark);
    }
  }

  async #read(
    tools: TableKernels,
    opener: KernelPages,
    pages: readonly StoredPage[],
    [from, to]: readonly [number, number],
  ): Promise<Data | undefined> {
    const { memory } = tools;
    const { type } = this.#column;
    const width = this.#array.BYTES_PER_ELEMENT;
    const rows = to - from;
    const out = memory.scratch(rows * width + PADDING);
    const validity = memory.scratch((rows >> 3) + PADDING);
    const target = { from, to, out, validity };
    let entries: Entries | undefined;
    let nullCount: number | undefined;
    for (const { header, bytes, row } of pages) {
      if (header.type === PAGE.dictionary) {
        entries = await opener.openDictionary(header, bytes);
        if (entries === undefined) return undefined;
        continue;
      }
      if (row >= to || row + header.values <= from) continue;
      const mark = memory.mark();
      const page = await opener.open(header, bytes);
      if (page === undefined) return undefined;
      if (page.definition !== undefined && nullCount === undefined) {
        memory.bytes(validity, bitmapBytes(rows)).fill(255);
        nullCount = 0;
      }
      const nulls = this.#append(tools, opener, { header, page, row, entries }, target);
      if (nulls === undefined) return undefined;
      if (nullCount !== undefined) nullCount += nulls;
      memory.release(mark);
    }
    const nullBitmap = nullCount ? memory.bytes(validity, bitmapBytes(rows)).slice() : undefined;
    const bytes = memory.bytes(out, rows * width);
    const buffer = this.#pool.take(bytes.length);
    new Uint8Array(buffer).set(bytes);
    const data = new this.#array(buffer, 0, rows);
    const dictionary = isCodedText(type) ? entries?.texts && new Vector([entries.texts]) : undefined;
    if (isCodedText(type) && dictionary === undefined) return undefined;
    return makeData({
      type,
      length: rows,
      nullCount: nullCount ?? 0,
      nullBitmap,
      data,
      dictionary,
    } as never);
  }

  /**
   * Writes the rows of a page that are wanted, and returns the number of nulls; undefined if it is left to the caller.
   */
  #append(
    tools: TableKernels,
    opener: KernelPages,
    { header, page, row, entries }: { header: PageHeader; page: OpenPage; row: number; entries: Entries | undefined },
    { from, to, out, validity }: Target,
  ): number | undefined {
    const { leaf, type } = this.#column;
    const width = this.#array.BYTES_PER_ELEMENT;
    const { definition } = page;
    const [first, last] = [Math.max(from - row, 0), Math.min(to - row, header.values)];
    const at = row + first - from;
    const isWhole = definition === undefined && first === 0 && last === header.values;
    const decoded = opener.decode(header, page, entries, isWhole ? out + at * width : undefined);
    if (decoded === undefined) return undefined;
    if (definition !== undefined) {
      const spread = { levels: definition, full: leaf.maxDefinition, values: decoded, out, validity };
      return spreadValues(tools, type, width, spread, [first, last, at]);
    }
    if (!isWhole || header.encoding === ENCODING.plain) {
      const bytes = tools.memory.bytes(decoded + first * width, (last - first) * width);
      tools.memory.bytes(out + at * width, bytes.length).set(bytes);
    }
    return 0;
  }
}
