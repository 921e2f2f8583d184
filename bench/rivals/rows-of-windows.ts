import type { WindowTable } from '../../src/period/window-table.js';
import { DAYS } from '../workloads.js';

/** The rows of the input that lie in a window, cell by cell and day by day, and the numbers of their windows. */
export interface RowsOfWindows {
  readonly row: Int32Array;
  readonly window: Int32Array;
}

export function rowsOfWindows({ first, days, count }: WindowTable, cells: number): RowsOfWindows {
  const length = cells * days.reduce((sum, each) => sum + each, 0);
  const row = new Int32Array(length);
  const window = new Int32Array(length);
  let place = 0;
  for (let cell = 0; cell < cells; cell++) {
    for (let w = 0; w < count; w++) {
      for (let day = first[w]; day < first[w] + days[w]; day++, place++) {
        row[place] = cell * DAYS + day;
        window[place] = w;
      }
    }
  }
  return { row, window };
}
