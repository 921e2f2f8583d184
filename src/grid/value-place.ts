import type { DataPlace } from '../errors.js';
import { formatDate } from '../period/day.js';
import type { GridEnsemble } from './grid-ensemble.js';

/** Where a value of an array stands, for messages. */
export function valuePlace(
  { source, array }: Pick<GridEnsemble, 'source' | 'array'>,
  member: string,
  day: number,
  latitude: number,
  longitude: number,
): DataPlace {
  const where = `latitude ${latitude}, longitude ${longitude}`;
  return { source, column: `${array} (member ${member}, ${formatDate(day)}, ${where})` };
}
