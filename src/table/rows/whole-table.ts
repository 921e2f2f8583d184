import { columnOf } from '../arrow/table-column.js';
import { isPlaceName } from '../columns/column-roles.js';
import { isTextType } from '../columns/text-column.js';
import type { EnsembleRows } from './read-ensemble.js';
import { isByDay } from './row-blocks.js';

/**
 * Why rows cannot be read as a stream, only as a complete table; undefined if they can. `rows` are the first rows, at
 * least two. Long tables can where `mayBeLong` says that rows in another order are then read once more.
 */
export function streamingObstacle(rows: EnsembleRows, mayBeLong = false): string | undefined {
  const { head, index } = rows;
  const isLong = head.values.form === 'long';
  if (isLong && (!mayBeLong || index.latitude === undefined)) return 'a row for each member and day';
  if (isByDay(index)) return 'rows go day by day';
  return gatheringObstacle(rows);
}

/**
 * Why rows cannot be gathered by location table by table, for what only a complete table shows of its columns;
 * undefined if they can. `rows` are the first rows.
 */
export function gatheringObstacle({ index: { table, roles, valueNames } }: EnsembleRows): string | undefined {
  const types = valueNames.map((name) => columnOf(table, name).type);
  if (types.some(isTextType)) return 'values are text';
  const names = table.schema.fields.map(({ name }) => name);
  if (roles.latitude === undefined && names.some(isPlaceName)) return 'places have names, but no coordinates';
  if (names.some((name) => name.trim().toLowerCase() === 'family')) return 'a column names families of forecasts';
  return undefined;
}
