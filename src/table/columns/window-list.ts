import type { Table } from 'apache-arrow';
import { assertKind } from '../../check/option-checks.js';
import { DataError } from '../../errors.js';
import { dateText } from '../../period/calendar.js';
import type { NamedWindow } from '../../period/windows.js';
import { assertTable } from '../arrow/own-table.js';
import { dayColumn } from './day-column.js';

/**
 * The windows of a table with the columns `name`, `start` and `end`, for `windowsOf`. Days are dates or texts. Throws
 * DataError for a table without one of the columns, and for what is no date.
 */
export function windowList(table: Table, source?: string): NamedWindow[] {
  assertTable(table);
  assertKind('source', source, 'any text?');
  const column = (name: string) => {
    const found = table.getChild(name);
    if (found !== null) return found;
    throw new DataError({
      source,
      problem: `no column ${name}`,
      received: table.schema.fields.map((field) => field.name).join(', '),
      allowed: 'a table of windows: name, start, end',
    });
  };
  const names = column('name');
  const [start, end] = ['start', 'end'].map((name) => dayColumn(column(name), name, source));
  return Array.from(start, (day, row) => ({
    name: String(names.get(row) ?? ''),
    start: dateText(undefined, day),
    end: dateText(undefined, end[row]),
  }));
}
