import { type Granularity, type WindowTable, windowTable } from '../../period/window-table.js';

/** So many tables are kept: a run has one for each granularity and span of days that is requested. */
const MAX_TABLES = 64;

/** The tables of windows of the spans that were requested last: to make one takes a tenth of the time of an answer. */
export class WindowTables {
  readonly #tables = new Map<string, WindowTable>();

  /** As `windowTable`; the table must not be changed. */
  find(granularity: Granularity, firstDay: number, lastDay: number): WindowTable {
    const name = `${granularity} ${firstDay} ${lastDay}`;
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table = windowTable(granularity, firstDay, lastDay);
    if (this.#tables.size === MAX_TABLES) this.#tables.clear();
    this.#tables.set(name, table);
    return table;
  }
}
