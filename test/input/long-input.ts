import type { Table } from 'apache-arrow';
import { readTable } from '../../src/files/read-table.js';
import type { TableInput } from '../../src/input/input.js';
import type { Notice } from '../../src/input/notice.js';

/** A row of a long table; further cells are those of other columns. A table without places has NaN. */
export interface LongRow {
  readonly place: number;
  readonly day: number;
  readonly member: number | string;
  readonly value: number | string;
  readonly cells?: Readonly<Record<string, string>>;
}

/** The table of rows as CSV, read at once. */
export function longTable(rows: readonly LongRow[]): Promise<Table> {
  const others = Object.keys(rows[0].cells ?? {});
  const value = others.includes('variable') ? 'value' : 'precipitation';
  const head = ['lat', 'lon', 'date', 'member', value, ...others];
  const date = (day: number) => new Date(Date.UTC(2026, 2, 2 + day)).toISOString().slice(0, 10);
  const degrees = (place: number) => (Number.isNaN(place) ? ['', ''] : [50 - place / 4, 8]);
  const lines = rows.map(({ place, day, member, value, cells }) =>
    [...degrees(place), date(day), member, value, ...others.map((name) => cells?.[name] ?? '')].join(),
  );
  return readTable(new TextEncoder().encode(`${head.join()}\n${lines.join('\n')}\n`));
}

/** The input of a long file that comes in tables of `size` rows, and what it reports. */
export async function longInput(
  rows: readonly LongRow[],
  size: number,
): Promise<{ input: TableInput; notices: Notice[] }> {
  const parts: Table[] = [];
  for (let at = 0; at < rows.length; at += size) parts.push(await longTable(rows.slice(at, at + size)));
  return inputOfTables(parts, () => longTable(rows));
}

/** The input of a file that comes in these tables, and what it reports; `read` gives all of it. */
export function inputOfTables(
  parts: readonly Table[],
  read: TableInput['read'],
): { input: TableInput; notices: Notice[] } {
  const notices: Notice[] = [];
  async function* tables() {
    yield* parts;
  }
  const input: TableInput = {
    kind: 'table',
    form: 'text',
    source: 'rain.csv',
    path: 'rain.csv',
    report: (notice) => notices.push(notice),
    read,
    tables,
    areViews: false,
    close: async () => {},
  };
  return { input, notices };
}
