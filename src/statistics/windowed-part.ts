import { sliceCells } from '../core/field.js';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { type WindowTable, windowTable } from '../period/window-table.js';
import { statedCalendar } from '../table/columns/table-calendar.js';
import { type CheckedWindowOptions, requestedDays } from './options.js';

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
  const { granularity, partial, source } = options;
  const calendar = statedCalendar(metadata, source);
  const { startDay, endDay } = requestedDays(options, calendar);
  return parts.map((part) => {
    const { firstDay, days } = part.field;
    const first = Math.max(firstDay, startDay ?? Number.NEGATIVE_INFINITY);
    const last = Math.min(firstDay + days - 1, endDay ?? Number.POSITIVE_INFINITY);
    // A span that begins after the data is empty, too.
    const windows = windowTable(granularity, Math.min(first, firstDay + days - 1), first > last ? firstDay - 1 : last, {
      partial,
      calendar,
    });
    return { ...part, windows };
  });
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

function someCells({ field, latitude, longitude, windows }: WindowedPart, from: number, to: number): WindowedPart {
  return {
    field: sliceCells(field, from, to),
    latitude: latitude.subarray(from, to),
    longitude: longitude.subarray(from, to),
    windows,
  };
}

/** The windows from `from` up to, not including, `to`. */
export function someWindows(windows: WindowTable, from: number, to: number): WindowTable {
  const { start, end, first, days, complete, ...rest } = windows;
  return {
    ...rest,
    count: Math.min(to, windows.count) - from,
    start: start.subarray(from, to),
    end: end.subarray(from, to),
    first: first.subarray(from, to),
    days: days.subarray(from, to),
    complete: complete.subarray(from, to),
  };
}
