import type { Table } from 'apache-arrow';
import { isPlumecastError } from '../../errors.js';
import { unitsAgree } from '../../variable/units-agree.js';
import { folded } from '../../variable/variable-by-name.js';
import { codedColumn } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import type { ReadOptions } from '../columns/read-options.js';
import { meaningTest } from '../columns/table-variable.js';
import { RowOrderError } from './long-location-stream.js';
import { readHead, type TableHead } from './read-ensemble.js';

/**
 * The heads of long tables of one schema that come one after the other: that of the first one, with the rows that each
 * table uses. Tables may have no rows of the variable.
 */
export class RowHeads {
  readonly #options: ReadOptions;
  #first?: TableHead;
  /** How rows of the variable name it. */
  readonly #names = new Set<string>();

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** The head of the next table. Throws RowOrderError where only all tables together say which rows are used. */
  add(table: Table): TableHead {
    const first = (this.#first ??= this.#read(table));
    const { roles } = first;
    if (roles.variable === undefined && roles.units === undefined) return first;
    if (roles.variable !== undefined && !this.#hasVariable(table, roles.variable))
      return { ...first, use: () => false };
    const head = this.#read(table);
    if (head.variable?.slug !== first.variable?.slug) throw this.#uneven('rows of several variables');
    const isSameUnit = head.units === undefined || (first.units !== undefined && unitsAgree(head.units, first.units));
    if (!isSameUnit) throw this.#uneven('units that are not those of the first rows');
    return { ...first, use: head.use };
  }

  #read(table: Table): TableHead {
    try {
      return readHead(table, this.#options);
    } catch (cause) {
      if (!isPlumecastError(cause)) throw cause;
      throw this.#uneven('rows that do not state what the first ones do', cause);
    }
  }

  /** Whether some rows of a table are of the variable. */
  #hasVariable(table: Table, column: string): boolean {
    const { variable, variables = [] } = this.#options;
    const { codes, values } = codedColumn(columnOf(table, column));
    if (codes.includes(-1)) throw this.#uneven('rows without a variable');
    const names = values.map(String);
    const meant = variable === undefined ? names : names.filter(meaningTest(variable, variables));
    for (const name of meant) this.#names.add(folded(name));
    if (this.#names.size > 1) throw this.#uneven('rows that name the variable in several ways');
    return meant.length > 0;
  }

  #uneven(problem: string, cause?: unknown): RowOrderError {
    return new RowOrderError({ source: this.#options.source, problem, cause });
  }
}
