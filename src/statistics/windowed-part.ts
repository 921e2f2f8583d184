import { sliceCells } from '../core/field.js';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { somePlaces } from '../ensemble/nearest-place.js';
import { type Granularity, periodKey, type WindowTable } from '../period/period.js';
import {
  dates,
  flags,
  integers,
  moreTexts,
  type NewColumn,
  numbers,
  type TextDictionary,
  textDictionary,
  texts,
} from '../table/build/create-table.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { type CheckedWindowOptions, requestedWindows } from './options.js';

/** Cells that share one axis of days, and the windows to compute for them. */
export interface WindowedPart extends EnsemblePart {
  readonly windows: WindowTable;
}

/** The number of results of a part. */
export function resultsOf({ field, windows }: WindowedPart): number {
  return field.cells * windows.count;
}

/** Visits cells and windows in the order of results. */
export function eachResult({ field, windows }: WindowedPart, visit: (cell: number, window: number) => void): void {
  if (field.order === 'day-fastest') {
    for (let cell = 0; cell < field.cells; cell++) for (let w = 0; w < windows.count; w++) visit(cell, w);
  } else {
    for (let w = 0; w < windows.count; w++) for (let cell = 0; cell < field.cells; cell++) visit(cell, w);
  }
}

/** Adds windows to the parts of an ensemble: those of each part's days that lie between the requested dates. */
export function windowedParts({ parts, metadata }: Ensemble, options: CheckedWindowOptions): WindowedPart[] {
  const calendar = statedCalendar(metadata, options.source);
  return parts.map((part) => ({ ...part, windows: requestedWindows(part.field, options, calendar) }));
}

/**
 * Divides parts into groups of about `results` results, in order: long parts are cut between cells, or between windows
 * where the cell is fastest, and short ones are put together.
 */
export function* groupsOfParts(parts: readonly WindowedPart[], results: number): Generator<WindowedPart[]> {
  let group: WindowedPart[] = [];
  let size = 0;
  for (const part of parts) {
    for (const piece of pieces(part, results)) {
      if (size > 0 && size + resultsOf(piece) > results) {
        yield group;
        group = [];
        size = 0;
      }
      group.push(piece);
      size += resultsOf(piece);
    }
  }
  if (group.length > 0) yield group;
}

function* pieces(part: WindowedPart, results: number): Generator<WindowedPart> {
  const { field, windows } = part;
  if (resultsOf(part) <= results) {
    yield part;
  } else if (field.order === 'day-fastest') {
    const step = Math.max(1, Math.floor(results / windows.count));
    for (let cell = 0; cell < field.cells; cell += step)
      yield someCells(part, cell, Math.min(cell + step, field.cells));
  } else {
    const step = Math.max(1, Math.floor(results / field.cells));
    for (let w = 0; w < windows.count; w += step) yield { ...part, windows: someWindows(windows, w, w + step) };
  }
}

function someCells(part: WindowedPart, from: number, to: number): WindowedPart {
  return { ...part, field: sliceCells(part.field, from, to), ...somePlaces(part, from, to) };
}

/** The windows from `from` up to, not including, `to`. */
export function someWindows(windows: WindowTable, from: number, to: number): WindowTable {
  const { start, end, first, days, complete, keys, ...rest } = windows;
  return {
    ...rest,
    count: Math.min(to, windows.count) - from,
    start: start.subarray(from, to),
    end: end.subarray(from, to),
    first: first.subarray(from, to),
    days: days.subarray(from, to),
    complete: complete.subarray(from, to),
    keys: keys?.slice(from, to),
  };
}

/** The texts in the columns of all results of an ensemble, each once. */
export interface ResultLabels {
  readonly variable: TextDictionary;
  readonly units: TextDictionary;
  readonly period: TextDictionary;
  /** The place of a window's period in the dictionary, by its key, or by its first day where that says the key. */
  readonly periodOf: ReadonlyMap<string | number, number>;
}

/** The labels of an ensemble's results. */
export function resultLabels(
  variable: string | undefined,
  units: string | undefined,
  parts: readonly WindowedPart[],
): ResultLabels {
  const { keys, periodOf } = newPeriods(parts, new Map());
  return {
    variable: textDictionary([variable ?? null]),
    units: textDictionary([units ?? null]),
    period: textDictionary(keys),
    periodOf,
  };
}

/** The labels of results that come after others, in a stream of ensembles of one variable: new ones are appended. */
export function moreLabels(before: ResultLabels, parts: readonly WindowedPart[]): ResultLabels {
  const { keys, periodOf } = newPeriods(parts, before.periodOf);
  return keys.length === 0 ? before : { ...before, period: moreTexts(before.period, keys), periodOf };
}

/** The keys of periods that are not `known` yet, and the places of all. */
function newPeriods(parts: readonly WindowedPart[], known: ReadonlyMap<string | number, number>) {
  const periodOf = new Map(known);
  const keys: string[] = [];
  for (const { windows } of parts) {
    const { granularity, calendar } = windows;
    for (const id of windows.keys ?? windows.start) {
      if (periodOf.has(id)) continue;
      const key = typeof id === 'string' ? id : periodKey(granularity as Granularity, id, calendar);
      periodOf.set(id, known.size + keys.push(key) - 1);
    }
  }
  return { keys, periodOf };
}

/** The columns with the place and the window of each result, for parts one after the other. */
export function placeColumns(parts: readonly WindowedPart[], labels: ResultLabels): NewColumn[] {
  const length = parts.reduce((sum, part) => sum + resultsOf(part), 0);
  const { labels: ofPlaces, windows: { calendar } = {} } = parts[0] ?? {};
  const column = <C extends Column>(
    all: C,
    isOfPlaces: boolean,
    valuesOf: (part: WindowedPart) => ArrayLike<number>,
  ) => {
    let row = 0;
    for (const part of parts) {
      const isInRuns = isOfPlaces === (part.field.order === 'day-fastest');
      fill(all.subarray(row, (row += resultsOf(part))), valuesOf(part), isInRuns);
    }
    return all;
  };
  const coordinate = (name: 'latitude' | 'longitude') =>
    numbers(
      name,
      column(new Float64Array(length), true, (part) => part[name]),
    );
  const ofWindows = (name: 'start' | 'end' | 'days') =>
    column(new Int32Array(length), false, ({ windows }) => windows[name]);
  const periodsOf = ({ windows: { keys, start } }: WindowedPart) =>
    Array.from<string | number, number>(keys ?? start, (id) => labels.periodOf.get(id) as number);
  return [
    texts('variable', new Int32Array(length), labels.variable),
    texts('units', new Int32Array(length), labels.units),
    coordinate('latitude'),
    coordinate('longitude'),
    ...((ofPlaces?.toColumns(column(new Int32Array(length), true, ({ labels }) => labels?.of ?? [])) ??
      []) as NewColumn[]),
    texts('period', column(new Int32Array(length), false, periodsOf), labels.period),
    dates('start', ofWindows('start'), calendar),
    dates('end', ofWindows('end'), calendar),
    flags(
      'complete',
      column(new Uint8Array(length), false, ({ windows }) => windows.complete),
    ),
    integers('n_days', ofWindows('days')),
  ];
}

type Column = Float64Array | Int32Array | Uint8Array;

/**
 * Fills a column with values: again and again, or `isInRuns` with as many of each. In blocks, since a loop over entries
 * takes longer until it is compiled.
 */
function fill(column: Column, values: ArrayLike<number>, isInRuns: boolean): void {
  const { length } = values;
  const times = column.length / length;
  if (isInRuns) for (let i = 0; i < length; i++) column.fill(values[i], i * times, (i + 1) * times);
  else for (let k = 0; k < times; k++) column.set(values, k * length);
}
