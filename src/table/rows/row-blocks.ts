import { DataError } from '../../errors.js';
import { blockByDay } from './block-by-day.js';
import { blocksByLocation } from './blocks-by-location.js';
import { type RowBlock, type RowIndex, samePlace } from './row-index.js';

/**
 * Finds the regular blocks in a table's rows: either location by location with the days of each in order, or day by day
 * with the same locations in the same order. Days without rows between the first and the last are missing. Throws a
 * DataError for the first row that is out of order.
 */
export function rowBlocks(index: RowIndex): RowBlock[] {
  const { days } = index;
  if (days.length === 0) throw new DataError({ source: index.source, problem: 'no rows', allowed: 'at least one day' });
  return isByDay(index) ? [blockByDay(index)] : blocksByLocation(index);
}

/** Whether rows go day by day: the first two have the same day at two places. */
export function isByDay(index: RowIndex): boolean {
  const { days } = index;
  return days.length > 1 && days[1] === days[0] && !samePlace(index, 0, 1);
}
