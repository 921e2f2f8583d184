import { periodKey } from '../period/period-key.js';
import type { WindowTable } from '../period/window-table.js';
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
} from '../table/create-table.js';
import { eachResult, resultsOf, type WindowedPart } from './windowed-part.js';

/** The texts in the columns of all results of an ensemble, each once. */
export interface ResultLabels {
  readonly variable: TextDictionary;
  readonly units: TextDictionary;
  readonly period: TextDictionary;
  /** The place of a window's period in the dictionary, by the window's first day. */
  readonly periodOf: ReadonlyMap<number, number>;
}

/**
 * The labels of an ensemble's results; in a stream of ensembles of one variable, new ones are appended to those of the
 * ensembles before.
 */
export function resultLabels(
  variable: string | undefined,
  units: string | undefined,
  parts: readonly WindowedPart[],
  before?: ResultLabels,
): ResultLabels {
  const { keys, periodOf } = newPeriods(parts, before?.periodOf ?? new Map());
  if (before !== undefined) {
    return keys.length === 0 ? before : { ...before, period: moreTexts(before.period, keys), periodOf };
  }
  return {
    variable: textDictionary([variable ?? null]),
    units: textDictionary([units ?? null]),
    period: textDictionary(keys),
    periodOf,
  };
}

/** The keys of periods that are not `known` yet, and the places of all. */
function newPeriods(parts: readonly WindowedPart[], known: ReadonlyMap<number, number>) {
  const periodOf = new Map(known);
  const keys: string[] = [];
  for (const { windows } of new Map(parts.map((part) => [spanOf(part.windows), part])).values()) {
    const { granularity, calendar } = windows;
    for (const start of windows.start) {
      if (periodOf.has(start)) continue;
      periodOf.set(start, known.size + keys.push(periodKey(granularity, start, calendar)) - 1);
    }
  }
  return { keys, periodOf };
}

function spanOf({ firstDay, lastDay }: WindowTable): string {
  return `${firstDay} ${lastDay}`;
}

/** The columns with the place and the window of each result, for parts one after the other. */
export function placeColumns(parts: readonly WindowedPart[], labels: ResultLabels): NewColumn[] {
  const length = parts.reduce((sum, part) => sum + resultsOf(part), 0);
  const latitude = new Float64Array(length);
  const longitude = new Float64Array(length);
  const period = new Int32Array(length);
  const [start, end, days] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
  const complete = new Uint8Array(length);
  const calendar = parts[0]?.windows.calendar;
  let row = 0;
  for (const part of parts) {
    const { windows } = part;
    const key = Int32Array.from(windows.start, (first) => labels.periodOf.get(first) as number);
    eachResult(part, (cell, w) => {
      latitude[row] = part.latitude[cell];
      longitude[row] = part.longitude[cell];
      period[row] = key[w];
      start[row] = windows.start[w];
      end[row] = windows.end[w];
      days[row] = windows.days[w];
      complete[row] = windows.complete[w];
      row++;
    });
  }
  return [
    texts('variable', new Int32Array(length), labels.variable),
    texts('units', new Int32Array(length), labels.units),
    numbers('latitude', latitude),
    numbers('longitude', longitude),
    texts('period', period, labels.period),
    dates('start', start, calendar),
    dates('end', end, calendar),
    flags('complete', complete),
    integers('n_days', days),
  ];
}
