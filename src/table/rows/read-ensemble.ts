import type { Table } from 'apache-arrow';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { ownTable } from '../arrow/own-table.js';
import { withCoordinates } from '../columns/coordinates.js';
import type { ReadOptions } from '../columns/read-options.js';
import { longTableParts } from './long-table.js';
import { readHead, readRows } from './read-rows.js';
import { createParts, rowBlocks } from './row-blocks.js';

/**
 * Reads daily values of one variable from an Arrow table in any of four forms: wide (a column per member), long (a row
 * per member and day), a list of members in each row, or a single series, which is an ensemble of one. One place or
 * many; nulls and NaN are missing. Throws DataError for what is wrong in the table, and OptionError for options that do
 * not fit it.
 */
export function readEnsemble(given: Table, options: ReadOptions = {}): Ensemble {
  const table = ownTable(given, options.source);
  const head = readHead(table, options);
  const { variable, units, metadata, notes } = head;
  const rows = readRows(table, head, options.source);
  const { index, members, type } = rows;
  const isLong = head.values.form === 'long';
  const parts = isLong ? longTableParts(rows) : createParts(index, rowBlocks(index), members, type);
  return { variable, units, metadata, notes, parts: withCoordinates(parts, table.schema.metadata) };
}
