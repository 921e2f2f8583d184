import type { Table } from 'apache-arrow';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { nearestCell } from '../../ensemble/nearest-cell.js';
import { columnOf } from '../arrow/table-column.js';
import { isPlaceName } from '../columns/column-roles.js';
import { isTextType } from '../columns/text-column.js';
import type { AddedRows, BuildOptions, RowStores } from './added-rows.js';
import type { EnsembleRows } from './read-rows.js';
import { isByDay } from './row-blocks.js';
import { RowReader } from './row-reader.js';
import { RowsInPlace } from './rows-in-place.js';
import { RowOrderError } from './wrong-day.js';

/**
 * How rows become ensembles: `in-place`, views of the tables, where rows that have all members go by location;
 * `by-location`, copied, in a long table; `gathered` by location, in any order.
 */
export type RowWay = 'in-place' | 'by-location' | 'gathered';

/** The way of rows, or why they have to be read together. */
export type FoundWay = { readonly way: RowWay } | { readonly together: string };

/**
 * Finds how rows become ensembles by the first of them, at least two. `mayGather` says that rows can be gathered, and
 * `isUnordered` that those of a long table are known not to be by location.
 */
export function findWay(
  rows: EnsembleRows,
  { point, sort = false }: BuildOptions,
  { mayGather, isUnordered = false }: { readonly mayGather: boolean; readonly isUnordered?: boolean },
): FoundWay {
  const { head, index } = rows;
  const isLong = head.values.form === 'long';
  const obstacle = gatheringObstacle(rows);
  const reason = sort
    ? 'rows have to be sorted'
    : point !== undefined
      ? 'a point is requested'
      : isLong && (!mayGather || isUnordered || index.latitude === undefined)
        ? 'a row for each member and day'
        : isByDay(index)
          ? 'rows go day by day'
          : obstacle;
  if (reason === undefined) return { way: isLong ? 'by-location' : 'in-place' };
  // The results of a wide table by day are by period, not by place.
  const hasOrder = sort || isLong || point !== undefined;
  return mayGather && hasOrder && obstacle === undefined ? { way: 'gathered' } : { together: reason };
}

/** Why rows cannot be gathered table by table, for what only a complete table shows of its columns. */
function gatheringObstacle({ index: { table, roles, valueNames } }: EnsembleRows): string | undefined {
  const types = valueNames.map((name) => columnOf(table, name).type);
  if (types.some(isTextType)) return 'values are text';
  const names = table.schema.fields.map(({ name }) => name);
  if (roles.latitude === undefined && names.some(isPlaceName)) return 'places have names, but no coordinates';
  if (names.some((name) => name.trim().toLowerCase() === 'family')) return 'a column names families of forecasts';
  return undefined;
}

/** An ensemble of some locations. Its values are good until the next one is requested, or a table is added. */
export interface BuiltEnsemble {
  readonly ensemble: Ensemble;
  /** Whether it has all rows. */
  readonly isAll: boolean;
}

/**
 * Builds ensembles of the rows of tables of one schema, which come one after the other. A location is given as soon as
 * all its rows are there, where rows go by location; the first table decides whether they do. In other orders all rows
 * are gathered first. Together the ensembles are what `readEnsemble` gives for all tables.
 */
export class EnsembleBuilder {
  readonly #options: BuildOptions;
  readonly #stores: RowStores | undefined;
  #rows: AddedRows;
  #reader: RowReader;
  #isFirst = true;

  /** Throws RowOrderError where the way needs `stores` that are not there. */
  constructor(way: RowWay, options: BuildOptions, stores?: RowStores) {
    this.#options = options;
    this.#stores = stores;
    const kept = way === 'gathered' ? stores?.gathered(options) : stores?.byLocation();
    const rows = way === 'in-place' ? new RowsInPlace() : kept;
    if (rows === undefined) {
      throw new RowOrderError({ source: options.source, problem: 'rows have to be read together' });
    }
    this.#rows = rows;
    this.#reader = new RowReader(options, rows.reading);
  }

  /** Whether later rows may show that what is given counts for nothing, by a RowOrderError. */
  get isOrderAssumed(): boolean {
    return this.#rows.isOrderAssumed;
  }

  /** Whether rows that are sorted were in the order of their places, members and days; known in the end. */
  get isInOrder(): boolean {
    return this.#rows.isInOrder;
  }

  /**
   * Adds a table, and returns the locations that are complete now; undefined if there are none. Throws RowOrderError
   * where rows have to be read in another way, and else as `readEnsemble` does, with rows counted from the first table
   * on, and what writing throws.
   */
  add(table: Table): Ensemble | undefined {
    const stores = this.#isFirst && this.isOrderAssumed ? this.#stores : undefined;
    this.#isFirst = false;
    try {
      return this.#add(table);
    } catch (error) {
      if (stores === undefined || !(error instanceof RowOrderError)) throw error;
      this.#rows = stores.gathered(this.#options);
      this.#reader = new RowReader(this.#options, this.#rows.reading);
      return this.#add(table);
    }
  }

  /** Returns the ensembles that are left. Throws as `add` does, WrongDayError, and FileError. */
  *end(): Generator<BuiltEnsemble> {
    const { point, source } = this.#options;
    for (const { parts, isAll, isAtPoint = false } of this.#rows.end()) {
      const ensemble = this.#reader.ensemble(parts);
      if (ensemble === undefined) continue;
      yield { ensemble: isAtPoint || point === undefined ? ensemble : nearestCell(ensemble, point, source), isAll };
    }
  }

  #add(table: Table): Ensemble | undefined {
    this.#rows.prepare?.();
    return this.#reader.ensemble(this.#rows.add(this.#reader.read(table)));
  }
}
