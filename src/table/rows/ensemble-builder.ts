import type { Table } from 'apache-arrow';
import type { TableKernels } from '../../core/table-kernels.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { nearestCell, nearestPlace } from '../../ensemble/nearest-cell.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { columnOf } from '../arrow/table-column.js';
import { isPlaceName } from '../columns/column-roles.js';
import type { ReadOptions } from '../columns/read-options.js';
import { isTextType } from '../columns/text-column.js';
import { GatheredRows, type GatherLimits } from './gathered-rows.js';
import type { EnsembleRows } from './read-rows.js';
import { isByDay } from './row-blocks.js';
import { RowReader } from './row-reader.js';
import type { RunBytes } from './row-runs.js';
import { RowsByLocation } from './rows-by-location.js';
import { RowsInPlace } from './rows-in-place.js';
import { RowOrderError } from './wrong-day.js';

/** Which rows make up ensembles. */
export interface BuildOptions extends ReadOptions {
  /** The place to give: the one nearest to it. */
  readonly point?: Point | undefined;
  /** Whether rows are sorted: they may be in any order. */
  readonly sort?: boolean | undefined;
}

/** What rows are kept in. */
export interface BuildMemory {
  /** Memory and loops for rows of long tables by location; without it, they are in ordinary memory. */
  readonly kernels?: TableKernels | undefined;
  /** Rows in other orders; without it, they are a RowOrderError. */
  readonly gathered?: { readonly bytes: RunBytes; readonly limits: GatherLimits } | undefined;
}

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
  readonly #memory: BuildMemory;
  #rows: RowsInPlace | RowsByLocation | GatheredRows;
  #reader: RowReader;
  #isFirst = true;

  constructor(way: RowWay, options: BuildOptions, memory: BuildMemory = {}) {
    this.#options = options;
    this.#memory = memory;
    this.#rows =
      way === 'in-place'
        ? new RowsInPlace()
        : way === 'gathered'
          ? this.#gathered(options)
          : new RowsByLocation(memory.kernels);
    this.#reader = this.#readerOf(this.#rows);
  }

  /** Whether later rows may show that what is given counts for nothing, by a RowOrderError. */
  get isOrderAssumed(): boolean {
    return this.#rows instanceof RowsByLocation;
  }

  /** Whether rows that are sorted were in the order of their places, members and days; known in the end. */
  get isInOrder(): boolean {
    return !(this.#rows instanceof GatheredRows) || this.#rows.isInOrder;
  }

  /**
   * Adds a table, and returns the locations that are complete now; undefined if there are none. Throws RowOrderError
   * where rows have to be read in another way, and else as `readEnsemble` does, with rows counted from the first table
   * on, and what writing throws.
   */
  add(table: Table): Ensemble | undefined {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    try {
      return this.#reader.ensemble(this.#add(table));
    } catch (error) {
      const mayGather = isFirst && this.isOrderAssumed && this.#memory.gathered !== undefined;
      if (!mayGather || !(error instanceof RowOrderError)) throw error;
      this.#rows = this.#gathered(this.#options);
      this.#reader = this.#readerOf(this.#rows);
      this.#add(table);
      return undefined;
    }
  }

  /**
   * Returns the ensembles that are left. Throws as `add` does, and WrongDayError and FileError as `GatheredRows` does.
   */
  *end(): Generator<BuiltEnsemble> {
    const rows = this.#rows;
    if (!(rows instanceof GatheredRows)) {
      const ensemble = this.#reader.ensemble(rows.end());
      if (ensemble !== undefined) yield { ensemble, isAll: false };
      return;
    }
    const { point, source } = this.#options;
    let isGiven = false;
    for (const { parts, isAll } of rows.end()) {
      const ensemble = this.#reader.ensemble(parts);
      // Rows of places far from the point have to be right, too.
      if (ensemble === undefined || (point !== undefined && !isAll)) continue;
      isGiven = true;
      yield { ensemble: point === undefined ? ensemble : nearestCell(ensemble, point, source), isAll };
    }
    if (isGiven || point === undefined) return;
    const { locations } = rows;
    const nearest = nearestPlace(locations.placesOf(0, locations.count), point, source);
    const ensemble = this.#reader.ensemble(rows.partsOf(nearest));
    if (ensemble !== undefined) yield { ensemble, isAll: true };
  }

  #add(table: Table): readonly EnsemblePart[] {
    const rows = this.#rows;
    if (rows instanceof RowsByLocation) rows.prepare();
    return rows.add(this.#reader.read(table));
  }

  #gathered(options: BuildOptions): GatheredRows {
    const { gathered } = this.#memory;
    if (gathered === undefined) {
      throw new RowOrderError({ source: options.source, problem: 'rows are not ordered by location' });
    }
    return new GatheredRows(options, gathered.bytes, gathered.limits);
  }

  #readerOf(rows: RowsInPlace | RowsByLocation | GatheredRows): RowReader {
    if (rows instanceof RowsInPlace) return new RowReader(this.#options);
    const reading = rows instanceof RowsByLocation ? rows.reading : {};
    return new RowReader(this.#options, { ...reading, mayLackRows: true });
  }
}
