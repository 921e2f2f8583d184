import type { Table } from 'apache-arrow';
import h5wasm, { type Dataset } from 'h5wasm/node';
import { formatDate, parseDate } from '../../src/period/day.js';
import { table } from '../table/tables.js';

/**
 * One forecast for each year, 1993 to 2019, from a NetCDF-4 file in which they stand one after the other: days by year.
 */
export async function seasonalForecasts(path: string, name: 'precip' | 't2m'): Promise<Map<number, Table>> {
  await h5wasm.ready;
  const file = new h5wasm.File(path, 'r');
  const values = (key: string) => (file.get(key) as Dataset).value as Float64Array | Int32Array;
  const epoch = parseDate('1993-01-01');
  const dates = Array.from(values('time'), (days) => formatDate(epoch + days));
  const all = Array.from(values(name));
  file.close();
  const forecasts = new Map<number, Table>();
  for (let from = 0; from < dates.length; ) {
    const year = dates[from].slice(0, 4);
    const to = dates.findLastIndex((date) => date.startsWith(year)) + 1;
    const members = Array.from({ length: all.length / dates.length }, (_, m): [string, number[]] => [
      `m${m}`,
      all.slice(m * dates.length + from, m * dates.length + to),
    ]);
    const variable = name === 'precip' ? 'precipitation' : 'temp_mean';
    forecasts.set(Number(year), table({ date: dates.slice(from, to), ...Object.fromEntries(members) }, { variable }));
    from = to;
  }
  return forecasts;
}
