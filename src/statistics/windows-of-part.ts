import type { EnsemblePart } from '../arrow/ensemble.js';
import { dates, flags, integers, type NewColumn, numbers, sameText, texts } from '../arrow/write-table.js';
import { periodKey } from '../period/period-key.js';
import { type WindowTable, windowTable } from '../period/window-table.js';
import type { CheckedWindowOptions } from './options.js';

/** The windows of a part: those of its days that lie between the dates asked. */
export function windowsOfPart({ field }: EnsemblePart, options: CheckedWindowOptions): WindowTable {
  const first = Math.max(field.firstDay, options.startDay ?? Number.NEGATIVE_INFINITY);
  const last = Math.min(field.firstDay + field.days - 1, options.endDay ?? Number.POSITIVE_INFINITY);
  return windowTable(options.granularity, Math.min(first, field.firstDay + field.days), last, {
    partial: options.partial,
  });
}

/** The columns that say of which place and window each result is, for parts one after the other. */
export function placeAndWindowColumns(
  parts: readonly EnsemblePart[],
  windows: readonly WindowTable[],
  variable: string | undefined,
  units: string | undefined,
): NewColumn[] {
  const length = parts.reduce((sum, { field }, i) => sum + field.cells * windows[i].count, 0);
  const latitude = new Float64Array(length);
  const longitude = new Float64Array(length);
  const period = new Int32Array(length);
  const [start, end, days] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
  const complete = new Uint8Array(length);
  const keys = new Map<number, number>();
  const names: string[] = [];
  let lane = 0;
  parts.forEach((part, i) => {
    const table = windows[i];
    const key = keyIndex(table, keys, names);
    eachLane(part, table, (cell, w) => {
      latitude[lane] = part.latitude[cell];
      longitude[lane] = part.longitude[cell];
      period[lane] = key[w];
      start[lane] = table.start[w];
      end[lane] = table.end[w];
      days[lane] = table.days[w];
      complete[lane] = table.complete[w];
      lane++;
    });
  });
  return [
    sameText('variable', variable, length),
    sameText('units', units, length),
    numbers('latitude', latitude),
    numbers('longitude', longitude),
    texts('period', period, names),
    dates('start', start),
    dates('end', end),
    flags('complete', complete),
    integers('n_days', days),
  ];
}

/** Cells and windows in the order of results. */
function eachLane(
  { field }: EnsemblePart,
  { count }: WindowTable,
  visit: (cell: number, window: number) => void,
): void {
  if (field.order === 'day-fastest') {
    for (let cell = 0; cell < field.cells; cell++) for (let w = 0; w < count; w++) visit(cell, w);
  } else {
    for (let w = 0; w < count; w++) for (let cell = 0; cell < field.cells; cell++) visit(cell, w);
  }
}

/** Which of `names` is the key of each window; new ones are added. */
function keyIndex(table: WindowTable, keys: Map<number, number>, names: string[]): Int32Array {
  return Int32Array.from(table.start, (start) => {
    let index = keys.get(start);
    if (index === undefined) {
      index = names.push(periodKey(table.granularity, start)) - 1;
      keys.set(start, index);
    }
    return index;
  });
}
