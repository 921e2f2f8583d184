import { type Data, DataType, type FixedSizeList, type List, makeData } from 'apache-arrow';
import type { TableKernels } from '../../core/table-kernels.js';
import { PADDING } from '../codecs/kernel-codecs.js';
import type { BufferPool } from '../column-buffers.js';
import type { ListLevels } from './column-builders.js';
import {
  arrayOf,
  bitmapBytes,
  type Entries,
  type KernelChunk,
  KernelPages,
  type NumberArrayConstructor,
  spreadValues,
} from './kernel-pages.js';
import { PAGE, type PageHeader, type StoredPage } from './pages.js';

type NumberArray = InstanceType<NumberArrayConstructor>;

/** What the kernel keeps from page to page, as int32: rows, items, whether the last list has items, null lists. */
const STATE_LENGTH = 4;

/** The lists of a column chunk as they are read: addresses in the memory of the kernels, and the items. */
interface Lists {
  readonly state: number;
  readonly offsets: number;
  readonly validity: number;
  readonly itemValidity: number;
  readonly items: NumberArray;
  nullItems: number;
}

/** A column chunk of lists of numbers that are stored as they are needed, decoded by kernels. */
export class KernelLists {
  readonly #column: KernelChunk & { readonly type: List | FixedSizeList };
  readonly #levels: ListLevels;
  readonly #array: NumberArrayConstructor;
  readonly #pool: BufferPool;

  private constructor(
    column: KernelChunk & { readonly type: List | FixedSizeList },
    levels: ListLevels,
    array: NumberArrayConstructor,
    pool: BufferPool,
  ) {
    this.#column = column;
    this.#levels = levels;
    this.#array = array;
    this.#pool = pool;
  }

  /** Undefined if the kernels do not know such a column. */
  static of(pool: BufferPool, column: KernelChunk, levels: ListLevels): KernelLists | undefined {
    const { leaf, type } = column;
    if (!(DataType.isList(type) || DataType.isFixedSizeList(type)) || leaf.maxRepetition !== 1) return undefined;
    const array = arrayOf(leaf, type.children[0].type);
    return array && new KernelLists({ ...column, type }, levels, array, pool);
  }

  /** All rows, of which `pages` have all; as `read` of KernelColumn. */
  async read(tools: TableKernels, pages: readonly StoredPage[]): Promise<Data | undefined> {
    const { type, chunk } = this.#column;
    const opener = new KernelPages(tools, this.#column, this.#array.BYTES_PER_ELEMENT);
    if (!opener.areKnown(pages.map(({ header }) => header))) return undefined;
    // Null lists of one size have items, too.
    if (DataType.isFixedSizeList(type) && chunk.values !== chunk.rows * type.listSize) return undefined;
    const mark = tools.memory.mark();
    try {
      return await this.#read(tools, opener, pages);
    } finally {
      tools.memory.release(mark);
    }
  }

  async #read(tools: TableKernels, opener: KernelPages, pages: readonly StoredPage[]): Promise<Data | undefined> {
    const { memory } = tools;
    const { rows, values } = this.#column.chunk;
    const lists: Lists = {
      state: memory.scratch(4 * STATE_LENGTH),
      offsets: memory.scratch(4 * (rows + 1)),
      validity: memory.scratch(bitmapBytes(rows)),
      itemValidity: memory.scratch(bitmapBytes(values)),
      items: new this.#array(this.#pool.take(values * this.#array.BYTES_PER_ELEMENT), 0, values),
      nullItems: 0,
    };
    memory.int32(lists.state, STATE_LENGTH).fill(0);
    memory.int32(lists.offsets, 1).fill(0);
    memory.bytes(lists.validity, bitmapBytes(rows)).fill(255);
    memory.bytes(lists.itemValidity, bitmapBytes(values)).fill(255);
    let entries: Entries | undefined;
    for (const { header, bytes } of pages) {
      if (header.type === PAGE.dictionary) {
        entries = await opener.openDictionary(header, bytes);
        if (entries === undefined) return undefined;
        continue;
      }
      const mark = memory.mark();
      if (!(await this.#append(tools, opener, header, bytes, entries, lists))) return undefined;
      memory.release(mark);
    }
    return this.#finish(tools, lists);
  }

  /** Adds the lists of a page, and returns whether it is valid. */
  async #append(
    tools: TableKernels,
    opener: KernelPages,
    header: PageHeader,
    stored: Uint8Array,
    entries: Entries | undefined,
    lists: Lists,
  ): Promise<boolean> {
    const { memory, kernels } = tools;
    const page = await opener.open(header, stored);
    if (page?.repetition === undefined) return false;
    const { repetition, definition } = page;
    const { state, offsets, validity } = lists;
    const isV2 = header.type === PAGE.dataV2;
    if (isV2 && header.values > 0 && memory.bytes(repetition, 1)[0] !== 0) return false;
    const [rowsBefore, at] = memory.int32(state, STATE_LENGTH);
    const levels = definition === undefined ? 0 : memory.scratch(header.values + PADDING);
    const { empty, value: full } = this.#levels;
    const { rows } = this.#column.chunk;
    const from = definition ?? 0;
    const count = kernels.readLists(repetition, from, header.values, empty, rows, state, offsets, validity, levels);
    const [rowsAfter] = memory.int32(state, STATE_LENGTH);
    if (count < 0 || (isV2 && header.rows !== rowsAfter - rowsBefore)) return false;
    const decoded = opener.decode(header, page, entries);
    if (decoded === undefined) return false;
    const width = this.#array.BYTES_PER_ELEMENT;
    let items = decoded;
    if (count > page.count) {
      items = memory.scratch(count * width + PADDING);
      // The kernel counts items from the first of the column, the page has its own alone.
      const out = items - at * width;
      const spread = { levels, full, values: decoded, out, validity: lists.itemValidity };
      const { type } = this.#column.type.children[0];
      lists.nullItems += spreadValues(tools, type, width, spread, [0, count, at]);
    }
    new Uint8Array(lists.items.buffer, at * width, count * width).set(memory.bytes(items, count * width));
    return true;
  }

  #finish({ memory }: TableKernels, lists: Lists): Data | undefined {
    const { type, chunk } = this.#column;
    const [rows, length, , nullCount] = memory.int32(lists.state, STATE_LENGTH);
    if (rows !== chunk.rows) return undefined;
    const valueOffsets = memory.int32(lists.offsets, rows + 1).slice();
    if (DataType.isFixedSizeList(type)) {
      const { listSize } = type;
      if (nullCount > 0 || valueOffsets.some((offset, row) => offset !== row * listSize)) return undefined;
    }
    const bits = (address: number, count: number, nulls: number) =>
      nulls > 0 ? memory.bytes(address, bitmapBytes(count)).slice() : undefined;
    const child = makeData({
      type: type.children[0].type,
      length,
      nullCount: lists.nullItems,
      nullBitmap: bits(lists.itemValidity, length, lists.nullItems),
      data: lists.items.subarray(0, length),
    } as never);
    const nullBitmap = bits(lists.validity, rows, nullCount);
    return makeData({ type, length: rows, nullCount, nullBitmap, valueOffsets, child } as never);
  }
}
