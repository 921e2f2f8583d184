import { Dictionary, Int32, makeData, makeVector, type Table, Utf8 } from 'apache-arrow';
import { MAX_DIGIT_BYTES, putPeriod } from '../../files/text/digit-bytes.js';
import { formatDate } from '../../period/day.js';
import type { Granularity, WindowTable } from '../../period/window-table.js';
import {
  createTable,
  dates,
  flags,
  integers,
  type NewColumn,
  numbers,
  type TextDictionary,
  textDictionary,
  texts,
} from '../../table/build/create-table.js';
import type { Variable } from '../../variable/variable.js';
import type { HorizonRange, Location } from '../answer-data.js';

/** Rows of a table with one variable and place. */
interface PlacedRows {
  readonly variable: Variable;
  readonly location: Location;
  /** The requested coordinates, in tables of several points. */
  readonly requested?: Location;
}

/** Rows with one window each. */
interface WindowedRows extends PlacedRows {
  readonly windows: WindowTable;
}

/** The texts in the rows of an answer, each with its place in a dictionary: made once for all tables of the answer. */
export interface AnswerTexts {
  readonly slugs: RankedTexts<string>;
  readonly units: RankedTexts<string>;
  readonly periods: RankedTexts<number>;
}

interface RankedTexts<Key> {
  readonly dictionary: TextDictionary;
  readonly ranks: ReadonlyMap<Key, number>;
}

/** The texts of an answer whose rows have one window each. */
export function windowTexts(groups: readonly WindowedRows[]): AnswerTexts {
  const granularity = groups[0]?.windows.granularity ?? 'daily';
  const starts = new Set<number>();
  // Most variables share one window table.
  for (const windows of new Set(groups.map((group) => group.windows))) for (const day of windows.start) starts.add(day);
  const days = [...starts];
  const ranks = new Map(days.map((day, rank) => [day, rank]));
  return { ...variableTexts(groups), periods: { dictionary: periodDictionary(granularity, days), ranks } };
}

/**
 * The keys of periods. Long answers have thousands: they are written as bytes at once, as encoding so many texts is
 * slow.
 */
function periodDictionary(granularity: Granularity, days: readonly number[]): TextDictionary {
  const bytes = new Uint8Array(MAX_DIGIT_BYTES * (days.length + 1));
  const view = new DataView(bytes.buffer);
  const valueOffsets = new Int32Array(days.length + 1);
  days.forEach((day, i) => {
    valueOffsets[i + 1] = putPeriod(view, valueOffsets[i], granularity, day);
  });
  const data = bytes.subarray(0, valueOffsets[days.length]);
  const vector = makeVector(makeData({ type: new Utf8(), length: days.length, nullCount: 0, valueOffsets, data }));
  return { type: new Dictionary(new Utf8(), new Int32()), vector, missing: -1 };
}

/** The texts of an answer whose rows have no window. */
export function variableTexts(groups: readonly PlacedRows[]): AnswerTexts {
  return {
    slugs: ranked(groups.map(({ variable }) => variable.slug)),
    units: ranked(groups.map(({ variable }) => variable.units)),
    periods: { dictionary: textDictionary([]), ranks: new Map() },
  };
}

function ranked(all: readonly string[]): RankedTexts<string> {
  const distinct = [...new Set(all)];
  return { dictionary: textDictionary(distinct), ranks: new Map(distinct.map((text, rank) => [text, rank])) };
}

/**
 * The columns `variable, units, latitude, longitude` of groups of rows, one after the other; of several points also
 * `requested_latitude, requested_longitude`.
 */
export function variableColumns(
  groups: readonly PlacedRows[],
  rows: readonly number[],
  { slugs, units }: AnswerTexts,
): NewColumn[] {
  const length = rows.reduce((sum, count) => sum + count, 0);
  /** Each group's value in all of its rows. */
  const filled = <Values extends Int32Array | Float64Array>(into: Values, valueIn: (group: PlacedRows) => number) => {
    let at = 0;
    groups.forEach((group, g) => {
      into.fill(valueIn(group), at, at + rows[g]);
      at += rows[g];
    });
    return into;
  };
  const rankOf = (ranks: ReadonlyMap<string, number>, key: string) => ranks.get(key) as number;
  return [
    texts(
      'variable',
      filled(new Int32Array(length), ({ variable }) => rankOf(slugs.ranks, variable.slug)),
      slugs.dictionary,
    ),
    texts(
      'units',
      filled(new Int32Array(length), ({ variable }) => rankOf(units.ranks, variable.units)),
      units.dictionary,
    ),
    numbers(
      'latitude',
      filled(new Float64Array(length), ({ location }) => location.latitude),
    ),
    numbers(
      'longitude',
      filled(new Float64Array(length), ({ location }) => location.longitude),
    ),
    ...(groups[0]?.requested === undefined
      ? []
      : [
          numbers(
            'requested_latitude',
            filled(new Float64Array(length), ({ requested }) => requested?.latitude ?? Number.NaN),
          ),
          numbers(
            'requested_longitude',
            filled(new Float64Array(length), ({ requested }) => requested?.longitude ?? Number.NaN),
          ),
        ]),
  ];
}

/** The columns `variable` to `n_days` of the statistics table: the place, variable and window of each row. */
export function windowColumns(groups: readonly WindowedRows[], answerTexts: AnswerTexts): NewColumn[] {
  const { dictionary, ranks } = answerTexts.periods;
  const rows = groups.map(({ windows }) => windows.count);
  const length = rows.reduce((sum, count) => sum + count, 0);
  const joined = (valuesOf: (windows: WindowTable) => Int32Array) => {
    const values = new Int32Array(length);
    let at = 0;
    for (const { windows } of groups) {
      values.set(valuesOf(windows), at);
      at += windows.count;
    }
    return values;
  };
  const start = joined((windows) => windows.start);
  return [
    ...variableColumns(groups, rows, answerTexts),
    texts(
      'period',
      start.map((first) => ranks.get(first) as number),
      dictionary,
    ),
    dates('start', start),
    dates(
      'end',
      joined(({ end }) => end),
    ),
    flags('complete', Uint8Array.from(groups.flatMap(({ windows }) => [...windows.complete]))),
    integers(
      'n_days',
      joined(({ days }) => days),
    ),
  ];
}

/** The windows from `from` up to, not including, `to`; nothing is copied. */
export function windowsBetween(windows: WindowTable, from: number, to: number): WindowTable {
  if (from === 0 && to === windows.count) return windows;
  const { start, end, first, days, complete } = windows;
  return {
    ...windows,
    count: to - from,
    start: start.subarray(from, to),
    end: end.subarray(from, to),
    first: first.subarray(from, to),
    days: days.subarray(from, to),
    complete: complete.subarray(from, to),
  };
}

/** The cells of one table, so that making and writing it takes a few milliseconds. */
const BLOCK_CELLS = 8192;

/**
 * Cuts groups of rows into blocks for tables of `columns` columns and about `BLOCK_CELLS` cells, in order; one block
 * where there are no rows. `slice` returns the rows of a group from one up to, not including, another.
 */
export function* rowBlocks<Group>(
  groups: readonly Group[],
  columns: number,
  rowsOf: (group: Group) => number,
  slice: (group: Group, from: number, to: number) => Group,
): Generator<readonly Group[]> {
  const maxRows = Math.max(1, Math.floor(BLOCK_CELLS / columns));
  let block: Group[] = [];
  let free = maxRows;
  for (const group of groups) {
    const rows = rowsOf(group);
    let from = 0;
    do {
      const to = Math.min(rows, from + free);
      block.push(slice(group, from, to));
      free -= to - from;
      from = to;
      if (free > 0) continue;
      yield block;
      block = [];
      free = maxRows;
    } while (from < rows);
  }
  if (free < maxRows || groups.every((group) => rowsOf(group) === 0)) yield block;
}

/**
 * The metadata `horizons` of an answer: as in the tables of `blend` a list; of several variables an object with such a
 * list for each. A variable whose points have different horizons has an empty one. Undefined where there are none.
 */
export function horizonsText(
  variables: readonly { readonly variable: Variable; readonly horizons?: readonly HorizonRange[] }[],
): string | undefined {
  if (variables.every(({ horizons }) => horizons === undefined)) return undefined;
  const lists = new Map<string, string>();
  for (const { variable, horizons = [] } of variables) {
    const list = JSON.stringify(horizons.map(statedHorizon));
    const known = lists.get(variable.slug) ?? list;
    lists.set(variable.slug, known === list ? list : '[]');
  }
  const [[, only]] = lists;
  return lists.size === 1 ? only : `{${[...lists].map(([slug, list]) => `"${slug}":${list}`).join()}}`;
}

function statedHorizon({ horizon, firstDay, lastDay }: HorizonRange, h: number) {
  const start = formatDate(firstDay);
  return { name: horizon, start, end: formatDate(lastDay), hand_over: h === 0 ? undefined : start };
}

/** A table with the defined entries of `metadata` in its schema. */
export function tableWith(columns: readonly NewColumn[], metadata: Record<string, string | undefined>): Table {
  const known = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return createTable(columns, new Map(known));
}
