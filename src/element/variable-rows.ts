import type { Table } from 'apache-arrow';
import { OptionError } from '../errors.js';

/** The rows of one variable; of a table without a column of variables, all rows. */
export interface VariableRows {
  readonly slug: string | undefined;
  readonly table: Table;
}

/**
 * The rows of each variable of a table, in the order in which they begin, or of the requested ones. Throws OptionError for
 * a requested variable that the table does not have.
 */
export function variableRows(table: Table, requested: readonly string[]): VariableRows[] {
  const column = table.getChild('variable');
  const stated = table.schema.metadata.get('variable');
  const runs = new Map<string | undefined, Table[]>();
  if (column === null) runs.set(stated, [table]);
  for (let row = 0; column !== null && row < column.length; ) {
    const [from, slug] = [row, column.get(row)];
    while (row < column.length && column.get(row) === slug) row++;
    const rows = from === 0 && row === column.length ? table : table.slice(from, row);
    const name = slug === null ? undefined : String(slug);
    runs.set(name, [...(runs.get(name) ?? []), rows]);
  }
  const all = [...runs].map(([slug, [first, ...others]]) => ({ slug, table: first.concat(...others) }));
  if (requested.length === 0) return all;
  return requested.map((slug) => {
    const found = all.find((each) => each.slug === slug);
    if (found !== undefined) return found;
    const allowed = all.map((each) => each.slug ?? 'none is named').join(', ');
    throw new OptionError({ subject: 'variable', problem: 'the table does not have it', received: slug, allowed });
  });
}
