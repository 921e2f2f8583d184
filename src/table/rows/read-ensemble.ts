import type { Table } from 'apache-arrow';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { ownTable } from '../arrow/own-table.js';
import { withCoordinates } from '../columns/coordinates.js';
import type { ReadOptions } from '../columns/read-options.js';
import { GatheredRows, WrongDayError } from './gathered-rows.js';
import { type EnsembleRows, readHead, readRows } from './read-rows.js';
import { createParts, isByDay, rowBlocks } from './row-blocks.js';
import { BytesInMemory } from './row-runs.js';
import { RowsByLocation } from './rows-by-location.js';
import { RowOrderError, wrongDay } from './wrong-day.js';

/**
 * Reads daily values of one variable from an Arrow table in any of four forms: wide (a column per member), long (a row
 * per member and day), a list of members in each row, or a single series, which is an ensemble of one. One place or
 * many; nulls and NaN are missing. Throws DataError for what is wrong in the table, and OptionError for options that do
 * not fit it.
 */
export function readEnsemble(given: Table, options: ReadOptions = {}): Ensemble {
  const table = ownTable(given, options.source);
  const head = readHead(table, options);
  const { variable, units, metadata } = head;
  const parts = partsOf(readRows(table, head, options.source));
  return { variable, units, metadata, notes: head.notes, parts: withCoordinates(parts, table.schema.metadata) };
}

function partsOf(rows: EnsembleRows): readonly EnsemblePart[] {
  const { head, index, members, type } = rows;
  if (head.values.form !== 'long') return createParts(index, rowBlocks(index), members, type);
  return longParts(rows) ?? gatheredParts(rows);
}

/** The parts of a long table by location; undefined if its rows are in another order, or wrong. */
function longParts(rows: EnsembleRows): readonly EnsemblePart[] | undefined {
  if (isByDay(rows.index)) return undefined;
  try {
    const parts = new RowsByLocation().whole(rows);
    return parts.length > 0 ? parts : undefined;
  } catch (error) {
    if (error instanceof RowOrderError) return undefined;
    throw error;
  }
}

/** The parts of a long table in any order, but with the days of each series ascending. */
function gatheredParts(rows: EnsembleRows): readonly EnsemblePart[] {
  const { index } = rows;
  const limits = { runValues: index.days.length, pivotBytes: Number.POSITIVE_INFINITY };
  const gathered = new GatheredRows({}, new BytesInMemory(), limits);
  gathered.add(rows);
  try {
    return [...gathered.end()].flatMap(({ parts }) => parts);
  } catch (error) {
    if (error instanceof WrongDayError) throw wrongDay(index, error.fault.row, error.fault.before, error.fault.member);
    throw error;
  }
}
