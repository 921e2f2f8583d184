import type { DataPlace } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import type { GridEnsemble } from './grid-ensemble.js';

/** Where a value of an array stands, for messages. */
export function valuePlace(
  { source, array, calendar }: Pick<GridEnsemble, 'source' | 'array'> & { readonly calendar?: ModelCalendar },
  member: string,
  day: number,
  latitude: number,
  longitude: number,
): DataPlace {
  const where = `latitude ${latitude}, longitude ${longitude}`;
  return { source, column: `${array} (member ${member}, ${dateText(calendar, day)}, ${where})` };
}
