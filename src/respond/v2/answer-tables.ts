import { Dictionary, Int32, makeData, makeVector, type Table, Utf8 } from 'apache-arrow';
import { concatenate, type FloatArray } from '../../core/number-arrays.js';
import { MAX_DIGIT_BYTES, putPeriod } from '../../files/text/text-bytes.js';
import { formatDate } from '../../period/day.js';
import type { Granularity, WindowTable } from '../../period/period.js';
import { resultColumn } from '../../statistics/result-column.js';
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
import { HORIZONS } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import type { EnsembleRange, HorizonRange, Location } from '../answer-data.js';
import {
  type AnswerDescription,
  BLENDED,
  ensembleOn,
  rowCount,
  type TableAnswer,
  type ValueColumn,
  visitHead,
} from './answer-description.js';

/*
 * Answers as tables: a row for each variable and window, in the columns `variable, units, latitude, longitude, period,
 * start, end, complete, n_days` and those of the values; or for each variable and day, with `date` in place of the
 * window. Tables of several points have also `requested_latitude, requested_longitude`.
 *
 * Where all members are requested, `horizon` follows these: of which one they are, or `blended`.
 *
 * Units are as CF writes them, the place is that of the values, values are not rounded, NaN is null. A column that a
 * variable does not have is null for it. Texts of the answer's first fields are the metadata, and `horizons`.
 */

/** Some rows of a variable, at one place. */
interface PlacedRows {
  readonly variable: Variable;
  readonly location: Location;
  /** The requested coordinates, in tables of several points. */
  readonly requested?: Location;
  readonly rows: number;
  /** Where each row has a window. */
  readonly windows?: WindowTable;
  /** Where each row has a day: the first one. */
  readonly firstDay?: number;
  readonly ensembles?: readonly EnsembleRange[];
  readonly columns: readonly ValueColumn[];
}

/** What all tables of an answer have in common. */
interface CommonParts {
  readonly isDaily: boolean;
  /** The columns of values that any variable has. */
  readonly columns: readonly ValueColumn[];
  readonly metadata: ReadonlyMap<string, string>;
  /** The texts in the rows, where all tables have the same dictionaries. */
  readonly texts?: RowTexts;
}

/** The texts in the rows of tables, each with its place in a dictionary. */
interface RowTexts {
  readonly slugs: RankedTexts<string>;
  readonly units: RankedTexts<string>;
  readonly periods: RankedTexts<number>;
  /** The names of ensembles, in the order of `ENSEMBLES`. */
  readonly ensembles: TextDictionary;
}

interface RankedTexts<Key> {
  readonly dictionary: TextDictionary;
  readonly ranks: ReadonlyMap<Key, number>;
}

/** All rows of an answer as one table. */
export function answerTable<Answer extends TableAnswer>(
  described: AnswerDescription<NoInfer<Answer>>,
  answer: Answer,
): Table {
  const groups = groupsOf(described, answer);
  return tableOf(groups, commonParts(described, answer, groups, false));
}

/** The same rows as tables of some rows each, in order; `isShared` gives all of them the same dictionaries. */
export function* answerTables<Answer extends TableAnswer>(
  described: AnswerDescription<NoInfer<Answer>>,
  answer: Answer,
  isShared: boolean,
): Generator<Table> {
  const groups = groupsOf(described, answer);
  const common = commonParts(described, answer, groups, isShared);
  for (const block of rowBlocks(groups, (common.isDaily ? DAY_LABELS : WINDOW_LABELS) + common.columns.length))
    yield tableOf(block, common);
}

/** The columns of a table of one point that hold no values. */
const WINDOW_LABELS = 9;
const DAY_LABELS = 5;

/** The rows of each variable, with the columns of its values. */
function groupsOf<Answer extends TableAnswer>({ values }: AnswerDescription<Answer>, answer: Answer): PlacedRows[] {
  const fields = Object.values(values);
  return answer.variables.map((one) => {
    const columns = fields.flatMap((field) => field.columns(answer, one));
    return { ...one, rows: rowCount(one), columns };
  });
}

function commonParts<Answer extends TableAnswer>(
  described: AnswerDescription<NoInfer<Answer>>,
  answer: Answer,
  groups: readonly PlacedRows[],
  isShared: boolean,
): CommonParts {
  const columns = new Map<string, ValueColumn>();
  const none = groups.length === 0 ? Object.values(described.values).flatMap((field) => field.columns(answer)) : [];
  for (const column of [...none, ...groups.flatMap((group) => group.columns)]) {
    if (!columns.has(column.name)) columns.set(column.name, column);
  }
  const metadata = new Map<string, string>();
  // Fields that follow from variables come behind the others.
  const last = new Map<string, string>();
  visitHead(described.head, answer, (field, value) => {
    if (typeof value === 'string') ('as' in field ? metadata : last).set(field.name, value);
    else if ('as' in field && field.as === 'plain') metadata.set(field.name, JSON.stringify(value));
  });
  for (const [name, value] of last) metadata.set(name, value);
  const horizons = horizonsText(answer.variables);
  if (horizons !== undefined) metadata.set('horizons', horizons);
  return {
    isDaily: described.row === 'list',
    columns: [...columns.values()],
    metadata,
    texts: isShared ? rowTexts(groups) : undefined,
  };
}

function tableOf(groups: readonly PlacedRows[], { isDaily, columns, metadata, texts = rowTexts(groups) }: CommonParts) {
  const labels = [
    ...variableColumns(groups, texts),
    ...(isDaily ? dayColumns(groups) : windowColumns(groups, texts)),
    ...ensembleColumns(groups, texts),
  ];
  const known = groups.map((group) => new Map(group.columns.map((column) => [column.name, column.values])));
  const values = columns.map((column) => {
    const parts = groups.map((group, g) => known[g].get(column.name) ?? new Float32Array(group.rows).fill(Number.NaN));
    return valueColumn(column, joinNumbers(parts, column.values));
  });
  return createTable([...labels, ...values], metadata);
}

function valueColumn({ name, statistic }: ValueColumn, values: ValueColumn['values']): NewColumn {
  if (statistic !== undefined) return resultColumn(statistic, values);
  return values instanceof Int32Array ? integers(name, values) : numbers(name, values);
}

/** Joins numbers of the type of `some`. */
function joinNumbers(parts: readonly ValueColumn['values'][], some: ValueColumn['values']): ValueColumn['values'] {
  if (some instanceof Int32Array) return Int32Array.from(parts.flatMap((part) => [...part]));
  return concatenate(parts.filter((part): part is FloatArray => !(part instanceof Int32Array)));
}

/** The texts of the rows, and the keys of their windows where they have such. */
function rowTexts(groups: readonly PlacedRows[]): RowTexts {
  const tables = new Set(groups.flatMap(({ windows }) => windows ?? []));
  const starts = new Set<number>();
  // Most variables share one window table.
  for (const { start } of tables) for (const day of start) starts.add(day);
  const days = [...starts];
  const granularity = (groups[0]?.windows?.granularity ?? 'daily') as Granularity;
  return {
    slugs: ranked(groups.map(({ variable }) => variable.slug)),
    units: ranked(groups.map(({ variable }) => variable.units)),
    periods: {
      dictionary: periodDictionary(granularity, days),
      ranks: new Map(days.map((day, rank) => [day, rank])),
    },
    ensembles: textDictionary(ENSEMBLES),
  };
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

function ranked(all: readonly string[]): RankedTexts<string> {
  const distinct = [...new Set(all)];
  return { dictionary: textDictionary(distinct), ranks: new Map(distinct.map((text, rank) => [text, rank])) };
}

/** The columns of the variable and place of each row. */
function variableColumns(groups: readonly PlacedRows[], { slugs, units }: RowTexts): NewColumn[] {
  const rankOf = (ranks: ReadonlyMap<string, number>, key: string) => ranks.get(key) as number;
  const degrees = (name: string, valueIn: (group: PlacedRows) => number) =>
    numbers(name, filled(groups, new Float64Array(rowsIn(groups)), valueIn));
  const words = (name: string, { dictionary, ranks }: RankedTexts<string>, textIn: (variable: Variable) => string) => {
    const places = new Int32Array(rowsIn(groups));
    return texts(
      name,
      filled(groups, places, ({ variable }) => rankOf(ranks, textIn(variable))),
      dictionary,
    );
  };
  const isOfSeveral = groups[0]?.requested !== undefined;
  return [
    words('variable', slugs, ({ slug }) => slug),
    words('units', units, (variable) => variable.units),
    degrees('latitude', ({ location }) => location.latitude),
    degrees('longitude', ({ location }) => location.longitude),
    ...(isOfSeveral ? [degrees('requested_latitude', ({ requested }) => requested?.latitude ?? Number.NaN)] : []),
    ...(isOfSeveral ? [degrees('requested_longitude', ({ requested }) => requested?.longitude ?? Number.NaN)] : []),
  ];
}

function rowsIn(groups: readonly PlacedRows[]): number {
  return groups.reduce((sum, { rows }) => sum + rows, 0);
}

/** Each group's value in all of its rows. */
function filled<Values extends Int32Array | Float64Array>(
  groups: readonly PlacedRows[],
  into: Values,
  valueIn: (group: PlacedRows) => number,
): Values {
  let at = 0;
  for (const group of groups) {
    into.fill(valueIn(group), at, at + group.rows);
    at += group.rows;
  }
  return into;
}

/** The column of the day of each row. */
function dayColumns(groups: readonly PlacedRows[]): NewColumn[] {
  const days = groups.flatMap(({ firstDay = 0, rows }) => Array.from({ length: rows }, (_, day) => firstDay + day));
  return [dates('date', Int32Array.from(days))];
}

/** The columns of the window of each row. */
function windowColumns(groups: readonly PlacedRows[], { periods: { dictionary, ranks } }: RowTexts): NewColumn[] {
  const tables = groups.flatMap(({ windows }) => windows ?? []);
  const joined = (valuesOf: (windows: WindowTable) => Int32Array) => {
    const values = new Int32Array(rowsIn(groups));
    let at = 0;
    for (const windows of tables) {
      values.set(valuesOf(windows), at);
      at += windows.count;
    }
    return values;
  };
  const start = joined((windows) => windows.start);
  const keys = start.map((first) => ranks.get(first) as number);
  return [
    texts('period', keys, dictionary),
    dates('start', start),
    dates(
      'end',
      joined((windows) => windows.end),
    ),
    flags('complete', Uint8Array.from(tables.flatMap((windows) => [...windows.complete]))),
    integers(
      'n_days',
      joined((windows) => windows.days),
    ),
  ];
}

/** The names of ensembles, in the order of their places in a dictionary. */
const ENSEMBLES = [...HORIZONS, BLENDED];

/** The column of the ensemble of each row, where they are known. */
function ensembleColumns(groups: readonly PlacedRows[], { ensembles: dictionary }: RowTexts): NewColumn[] {
  if (groups.every(({ ensembles }) => ensembles === undefined)) return [];
  const places = groups.flatMap(({ ensembles = [], windows, firstDay = 0, rows }) =>
    Array.from({ length: rows }, (_, row) => {
      const found = ensembleOn(ensembles, windows === undefined ? firstDay + row : windows.start[row]);
      return ENSEMBLES.indexOf(found?.horizon ?? BLENDED);
    }),
  );
  return [texts('horizon', Int32Array.from(places), dictionary)];
}

/** The cells of one table, so that making and writing it takes a few milliseconds. */
const BLOCK_CELLS = 8192;

/**
 * Cuts groups of rows into blocks for tables of `columns` columns and about `BLOCK_CELLS` cells, in order; one block
 * where there are no rows.
 */
function* rowBlocks(groups: readonly PlacedRows[], columns: number): Generator<readonly PlacedRows[]> {
  const maxRows = Math.max(1, Math.floor(BLOCK_CELLS / columns));
  let block: PlacedRows[] = [];
  let free = maxRows;
  for (const group of groups) {
    let from = 0;
    do {
      const to = Math.min(group.rows, from + free);
      block.push(rowsBetween(group, from, to));
      free -= to - from;
      from = to;
      if (free > 0) continue;
      yield block;
      block = [];
      free = maxRows;
    } while (from < group.rows);
  }
  if (free < maxRows || groups.every(({ rows }) => rows === 0)) yield block;
}

/** The rows from `from` up to, not including, `to`; nothing is copied. */
function rowsBetween(group: PlacedRows, from: number, to: number): PlacedRows {
  const { windows, firstDay = 0, columns } = group;
  return {
    ...group,
    rows: to - from,
    windows: windows && windowsBetween(windows, from, to),
    firstDay: firstDay + from,
    columns: columns.map((column) => ({ ...column, values: column.values.subarray(from, to) })),
  };
}

/** The windows from `from` up to, not including, `to`; nothing is copied. */
function windowsBetween(windows: WindowTable, from: number, to: number): WindowTable {
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

/**
 * The metadata `horizons` of an answer: as in the tables of `blend` a list; of several variables an object with such a
 * list for each. A variable whose points have different horizons has an empty one. Undefined where there are none.
 */
function horizonsText(
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
