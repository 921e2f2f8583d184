import { Schema, Table } from 'apache-arrow';
import { OptionError } from '../errors.js';
import { ownTable } from '../table/arrow/own-table.js';
import { withSchema } from '../table/arrow/same-schema.js';
import { tableCalendar } from '../table/columns/day-column.js';
import { resolveVariable } from '../variable/find-variable.js';

/** Which results of a table are drawn, and how its dates are to be read. */
export interface ResultChoice {
  readonly variable?: string;
  /** The calendar of dates, where the table does not state it, as CSV cannot. */
  readonly calendar?: string;
}

/**
 * Returns the results of a variable, of a table that has those of several one after the other; the calendar is in their
 * metadata. Throws OptionError if they are of other variables than the requested one, and for another calendar than the
 * stated one.
 */
export function chosenResults(given: Table, { variable, calendar }: ResultChoice, source: string): Table {
  const table = ownTable(given);
  const column = table.getChild('variable');
  const stated = table.schema.metadata.get('variable') ?? column?.get(0);
  const rows = rowsOfVariable(table, variable);
  if (rows === undefined) assertVariable(stated, variable, source);
  const chosen = rows ?? table;
  const known = calendar === undefined ? undefined : tableCalendar(chosen, { calendar, source });
  if (known === undefined || chosen.schema.metadata.has('calendar')) return chosen;
  const metadata = new Map(chosen.schema.metadata).set('calendar', known);
  const schema = new Schema(chosen.schema.fields, metadata);
  return new Table(
    schema,
    chosen.batches.map((batch) => withSchema(batch, schema)),
  );
}

/** The rows of the requested variable; undefined where the column of variables does not have it, or has only it. */
function rowsOfVariable(table: Table, variable: string | undefined): Table | undefined {
  const column = variable === undefined ? null : table.getChild('variable');
  const slug = variable && slugOf(variable);
  if (column === null || slug === undefined) return undefined;
  const names = Array.from(column, String);
  const [first, end] = [names.indexOf(slug), names.lastIndexOf(slug) + 1];
  const isRun = first >= 0 && names.slice(first, end).every((name) => name === slug);
  return isRun && end - first < names.length ? table.slice(first, end) : undefined;
}

/** Throws OptionError if a variable was requested that is not the stated one. */
export function assertVariable(stated: string | undefined, requested: string | undefined, source: string): void {
  if (requested === undefined || !stated || slugOf(requested) === stated) return;
  throw new OptionError({
    ...{ subject: `${source}, variable`, problem: 'the results are of another one', received: requested },
    allowed: `${stated}, or to leave it out`,
  });
}

/** The slug that a name means; a name of no known variable is its own, as results of any variable can be had. */
function slugOf(name: string): string {
  return resolveVariable(name, [], 'mean').variable.slug;
}
