import type { Table } from 'apache-arrow';
import { OptionError } from '../errors.js';

/** The tables that are given, one or a list of them. Throws OptionError where there is none, or something else. */
export function givenTables(tables: Table | readonly Table[]): readonly Table[] {
  const list: readonly Table[] = Array.isArray(tables) ? tables : [tables];
  if (list.length === 0) {
    throw new OptionError({ subject: 'tables', problem: 'none are given', allowed: 'at least one table' });
  }
  list.forEach((table, i) => {
    refuseNoTable(table, list.length > 1 ? `table ${i + 1}` : 'table');
  });
  return list;
}

/** Throws OptionError for what is no Arrow table. */
export function refuseNoTable(table: Table | undefined | null, subject = 'table'): void {
  if (table?.schema?.fields !== undefined) return;
  throw new OptionError({ subject, problem: 'is none', received: String(table), allowed: 'an Arrow table' });
}

/** Throws OptionError for options that are no object. */
export function refuseNoOptions(options: object | null): void {
  if (typeof options === 'object' && options !== null) return;
  throw new OptionError({
    subject: 'options',
    problem: 'are none',
    received: String(options),
    allowed: 'an object, such as { granularity: "weekly" }, or nothing',
  });
}
