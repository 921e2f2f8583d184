import type { Table } from 'apache-arrow';
import {
  dates,
  flags,
  integers,
  type NewColumn,
  numbers,
  tableOf,
  textDictionary,
  texts,
} from '../arrow/write-table.js';
import { periodKey } from '../period/period-key.js';
import type { WindowTable } from '../period/window-table.js';
import type { Variable } from '../variable/variable.js';
import type { Location } from './answers.js';

/** Rows of a table that are of one variable and place. */
interface PlacedRows {
  readonly variable: Variable;
  readonly location: Location;
}

/** Rows that are each of one window. */
interface WindowedRows extends PlacedRows {
  readonly windows: WindowTable;
}

/** The columns `variable, units, latitude, longitude` of groups of rows, one after the other. */
export function variableColumns(groups: readonly PlacedRows[], rows: readonly number[]): NewColumn[] {
  const group = Int32Array.from(rows.flatMap((count, g) => Array<number>(count).fill(g)));
  const variables = groups.map(({ variable }) => variable);
  const slugs = textDictionary(variables.map(({ slug }) => slug));
  const units = textDictionary([...new Set(variables.map((variable) => variable.units))]);
  const unitOf = variables.map((variable) => units.vector.indexOf(variable.units));
  return [
    texts('variable', group, slugs),
    texts(
      'units',
      group.map((g) => unitOf[g]),
      units,
    ),
    numbers(
      'latitude',
      Float64Array.from(group, (g) => groups[g].location.latitude),
    ),
    numbers(
      'longitude',
      Float64Array.from(group, (g) => groups[g].location.longitude),
    ),
  ];
}

/** The columns `variable` to `n_days` of the statistics table: of which place, variable and window each row is. */
export function windowColumns(groups: readonly WindowedRows[]): NewColumn[] {
  const all = groups.map(({ windows }) => windows);
  const start = Int32Array.from(all.flatMap((windows) => [...windows.start]));
  const granularity = all[0]?.granularity ?? 'daily';
  const starts = [...new Set(start)];
  const rankOf = new Map(starts.map((first, rank) => [first, rank]));
  const keys = textDictionary(starts.map((first) => periodKey(granularity, first)));
  return [
    ...variableColumns(
      groups,
      all.map(({ count }) => count),
    ),
    texts(
      'period',
      start.map((first) => rankOf.get(first) as number),
      keys,
    ),
    dates('start', start),
    dates('end', Int32Array.from(all.flatMap(({ end }) => [...end]))),
    flags('complete', Uint8Array.from(all.flatMap(({ complete }) => [...complete]))),
    integers('n_days', Int32Array.from(all.flatMap(({ days }) => [...days]))),
  ];
}

/** A table whose schema says what is known of `metadata`. */
export function tableWith(columns: readonly NewColumn[], metadata: Record<string, string | undefined>): Table {
  const known = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return tableOf(columns, new Map(known));
}
