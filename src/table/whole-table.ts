import { DataType } from 'apache-arrow';
import { isPlaceName } from './column-roles.js';
import type { EnsembleRows, TableHead } from './read-ensemble.js';
import { isByDay } from './row-blocks.js';
import type { RowIndex } from './row-index.js';
import { columnOf } from './table-column.js';
import { isTextType } from './text-column.js';

/**
 * Why rows cannot be read as a stream, only as a complete table; undefined if they can. `rows` are the first rows, at
 * least two. Long tables can where `mayBeLong` says that rows in another order are then read once more.
 */
export function streamingObstacle({ head, index }: EnsembleRows, mayBeLong = false): string | undefined {
  const isLong = head.values.form === 'long';
  if (isLong && (!mayBeLong || index.latitude === undefined)) return 'a row for each member and day';
  if (isByDay(index)) return 'rows go day by day';
  return contentObstacle(head, index);
}

/** Why rows cannot be gathered by location table by table; undefined if they can. `rows` are the first rows. */
export function gatheringObstacle({ head, index }: EnsembleRows): string | undefined {
  return head.values.form === 'long' ? contentObstacle(head, index) : 'no row for each member and day';
}

/** What only a complete table shows of its columns. */
function contentObstacle({ values: { form } }: TableHead, { table, roles, valueNames }: RowIndex): string | undefined {
  const types = valueNames.map((name) => columnOf(table, name).type);
  if (types.some(isTextType)) return 'values are text';
  if (form === 'list' && !DataType.isFixedSizeList(types[0])) return 'lists may have any length';
  const names = table.schema.fields.map(({ name }) => name);
  if (roles.latitude === undefined && names.some(isPlaceName)) return 'places have names, but no coordinates';
  if (names.some((name) => name.trim().toLowerCase() === 'family')) return 'a column names families of forecasts';
  return undefined;
}
