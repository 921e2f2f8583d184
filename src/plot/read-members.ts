import type { Table } from 'apache-arrow';
import { nearestCell } from '../ensemble/nearest-cell.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { checkReadOptions, type ReadingOptions } from '../table/columns/read-options.js';
import { readEnsemble } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import type { MemberLines, TableTexts } from './panel-data.js';
import {
  hasWindows,
  infiniteError,
  type RowsRequest,
  readWindowRows,
  severalPlaces,
  shownUnits,
} from './window-rows.js';

/** The members of an ensemble at one place, and what their table says of itself. */
export interface ReadMembers {
  readonly texts: TableTexts;
  readonly members: MemberLines;
}

/** How to read a table of members. */
export type MembersRequest = RowsRequest & Pick<ReadingOptions, 'variable' | 'columns'>;

const MEMBER_COLUMN = /^member_\d+$/;

/**
 * Reads the members of one place: daily values of an ensemble table of any form, or a result of `memberWindows`. Throws
 * DataError as `statistics` does, and for several places of which none is chosen.
 */
export function readMembers(table: Table, request: MembersRequest): ReadMembers {
  if (hasWindows(table)) return windowMembers(table, request);
  const { point, variable: named, columns, source } = request;
  const all = readEnsemble(table, { ...checkReadOptions({ variable: named, columns, source }), places: readPlaces });
  const ensemble = point === undefined ? all : nearestCell(all, point, source);
  const [part, ...others] = ensemble.parts;
  if (others.length > 0 || part.field.cells > 1) throw severalPlaces(source);
  const { firstDay, days, members } = part.field;
  const start = Int32Array.from({ length: days }, (_, day) => firstDay + day);
  const { variable, metadata } = ensemble;
  const values = members.map((member, m) => {
    const copy = new Float64Array(days);
    member.copyTo(copy, 0, 0, days);
    const infinite = copy.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
    if (infinite >= 0) throw infiniteError(copy[infinite], { ...part.field.place?.(m, infinite), source });
    return copy;
  });
  return {
    texts: {
      variable: variable?.slug ?? metadata.get('variable'),
      units: shownUnits(variable?.slug, ensemble.units),
      calendar: statedCalendar(metadata, source),
      window: variable?.window,
      metadata,
      labels: part.labels,
      latitude: part.latitude[0],
      longitude: part.longitude[0],
    },
    members: { granularity: 'daily', start, end: start, values },
  };
}

function windowMembers(table: Table, request: MembersRequest): ReadMembers {
  const { texts, granularity, start, end, days, times, values } = readWindowRows(table, request);
  const names = table.schema.fields.map(({ name }) => name).filter((name) => MEMBER_COLUMN.test(name));
  return { texts, members: { granularity, start, end, days, times, values: names.map(values) } };
}
