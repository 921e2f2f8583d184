import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { climatologyTable } from '../../src/climate/climatology-table.js';
import { loadCore } from '../../src/core/load.js';
import { encodeTable } from '../../src/files/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { locationRows, wideTable } from '../../src/table/build/wide-table.js';
import { plainClimatology, setPeriod } from '../climate/against-climatology.js';
import { rowsOf } from '../input/location-tables.js';
import { folderWith, plumecast } from './run-command.js';

const DAYS = 180;
const CELLS = 1_400;

/** Some 35 MB of rain by location, which is not read as a whole. */
function longTable(): Table {
  const cells = Array.from({ length: CELLS }, (_, i) => i);
  const latitude = Float64Array.from(cells, (i) => 60 - i / 20);
  const rows = locationRows(
    { latitude, longitude: new Float64Array(CELLS).fill(-80) },
    { firstDay: 20_454, days: DAYS },
  );
  const members = Array.from({ length: 30 }, (_, m) =>
    Float32Array.from({ length: CELLS * DAYS }, (_, i) => ((i * 7 + m * 13) % 97) / 4),
  );
  return wideTable(
    { ...rows, members },
    new Map([
      ['variable', 'precipitation'],
      ['units', 'mm'],
    ]),
  );
}

const table = longTable();
/** Of all places; at the last one limits coincide in March. */
const normal = plainClimatology(
  Array.from({ length: CELLS }, (_, i) => ({ latitude: 60 - i / 20, longitude: -80, limits: [350, 370], mean: 360 })),
  { granularity: 'monthly' },
);
setPeriod(normal, '03', { limits: [360, 360] }, CELLS - 1);
const { folder, remove } = folderWith({
  'long.arrow': tableToIPC(table, 'file'),
  'long.arrows': tableToIPC(table, 'stream'),
  'long.parquet': await encodeTable(table, 'parquet'),
  'normal.arrow': await encodeTable(climatologyTable(normal), 'arrow'),
});
afterAll(remove);
const stats = (...args: string[]) => plumecast(['stats', ...args], { cwd: folder });

describe('plumecast stats of a long file', () => {
  it('gives what the library gives for all rows, from a file, a stream in a file, and standard input', async () => {
    const expected = rowsOf([statistics(await loadCore(), table, { granularity: 'monthly' })]);
    const input = readFileSync(join(folder, 'long.arrows'));
    const args = ['--granularity', 'monthly', '--out', 'months.arrow'];
    for (const name of ['long.arrow', 'long.arrows', '-']) {
      expect(plumecast(['stats', name, ...args], { cwd: folder, input })).toEqual({ code: 0, out: '', err: '' });
      expect(rowsOf([tableFromIPC(readFileSync(join(folder, 'months.arrow')))])).toEqual(expected);
    }
  });

  it('compares it with a climatology as the library does, from Parquet and from an Arrow stream', async () => {
    const expected = rowsOf([statistics(await loadCore(), table, { climatology: normal })]);
    const input = readFileSync(join(folder, 'long.arrows'));
    for (const name of ['long.parquet', '-']) {
      const { code, err } = plumecast(['stats', name, '--climatology', 'normal.arrow', '--out', 'against.arrow'], {
        ...{ cwd: folder, input },
      });
      const source = name === '-' ? 'standard input' : name;
      expect([code, err]).toEqual([
        0,
        `warning: ${source}: limits of the climatology coincide in 1 period (2026-03): between them are only members that equal them\n`,
      ]);
      expect(rowsOf([tableFromIPC(readFileSync(join(folder, 'against.arrow')))])).toEqual(expected);
    }
  });

  it('gives the place nearest to a point, and reads texts, as for short files', () => {
    const { out, code } = stats('long.arrow', '--granularity', 'monthly', '--point', '59.9,-80', '--quantiles', '0.5');
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 2)).toEqual([
      'variable,units,latitude,longitude,period,start,end,complete,n_days,n_members,mean,q50',
      expect.stringMatching(/^precipitation,mm,59.9,-80,2026-01,2026-01-01,2026-01-31,1,31,30,/),
    ]);
  });

  it('names the available days if no window is complete', () => {
    const { err, code } = stats('long.arrow', '--granularity', 'monthly', '--start-date', '2026-06-02');
    expect(err).toBe(
      'error: long.arrow: no complete month from 2026-06-02; allowed: windows within the days available, 2026-01-01 to 2026-06-29; or --partial\n',
    );
    expect(code).toBe(1);
  });

  it('leaves no output if the file is cut off, or a value near its end cannot be used', () => {
    const bytes = tableToIPC(table, 'file');
    writeFileSync(join(folder, 'cut.arrow'), bytes);
    truncateSync(join(folder, 'cut.arrow'), bytes.length - 5_000);
    expect(stats('cut.arrow', '--out', 'cut.csv').err).toMatch('error: cut.arrow: is a truncated Arrow file');
    const values = table.getChild('member_07')?.data[0].values as Float32Array;
    const [row, former] = [CELLS * DAYS - 3, values[CELLS * DAYS - 3]];
    values[row] = Number.POSITIVE_INFINITY;
    writeFileSync(join(folder, 'infinite.arrow'), tableToIPC(table, 'file'));
    values[row] = former;
    expect(stats('infinite.arrow', '--out', 'infinite.csv').err).toMatch(
      `error: infinite.arrow, row ${row + 1}, column member_07: infinite value`,
    );
    expect(existsSync(join(folder, 'cut.csv')) || existsSync(join(folder, 'infinite.csv'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
