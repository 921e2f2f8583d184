import { checkTimeZone } from '../ensemble/local-days.js';
import { DataError, FormatError, isPlumecastError } from '../errors.js';
import { readTable } from '../files/read-table.js';
import { columnOf } from '../table/arrow/table-schema.js';
import { plain } from '../table/columns/column-roles.js';
import { isIdName } from '../table/rows/read-places.js';
import { readInput, sourceName } from './input-file.js';

/** Reads the zones of places by their ids from a table. Throws FormatError, and DataError, which names place and row. */
export async function readZones(path: string): Promise<Readonly<Record<string, string>>> {
  const source = sourceName(path);
  const table = await readTable(await readInput(path), { source: path });
  const names = table.schema.fields.map(({ name }) => name);
  const zone = names.find((name) => /^(time[_ ]?zone|tz|zone)$/i.test(name));
  const ids = names.filter((name) => name !== zone && (isIdName(name) || names.length === 2));
  const id = ids.find((name) => plain(name) !== 'name') ?? ids[0];
  if (zone === undefined || id === undefined) {
    const problem = `has no column of ${zone === undefined ? 'zones' : 'ids'}`;
    const allowed = 'a table with columns id and time_zone';
    throw new FormatError({ subject: source, problem, received: names.join(', '), allowed });
  }
  const [places, zones] = [columnOf(table, id), columnOf(table, zone)];
  const found = new Map<string, string>();
  for (let row = 0; row < table.numRows; row++) {
    const [place, name] = [places.get(row) as unknown, zones.get(row) as unknown];
    const fail = (column: string, problem: string, received: unknown, allowed?: string) =>
      new DataError({ source, row: row + 1, column, problem, received, allowed });
    if (place === null || place === '') throw fail(id, 'has no id', place, 'an id for each zone');
    if (name === null || name === '') throw fail(zone, `no zone for ${place}`, name, 'a zone for each place');
    const before = found.get(String(place)) ?? name;
    if (before !== name) throw fail(zone, `another zone for ${place} than in a row before`, name, `${before}`);
    checkZone(name, (problem, allowed) => fail(zone, `${place}: ${problem}`, name, allowed));
    found.set(String(place), String(name));
  }
  if (found.size === 0) throw new DataError({ source, problem: 'has no places', allowed: 'at least one' });
  return Object.fromEntries(found);
}

function checkZone(zone: unknown, fail: (problem: string, allowed?: string) => DataError): void {
  try {
    checkTimeZone(zone);
  } catch (cause) {
    if (!isPlumecastError(cause, 'option')) throw cause;
    throw fail(cause.problem, cause.allowed);
  }
}
