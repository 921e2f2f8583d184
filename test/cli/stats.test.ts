import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { type Dataset, File, ready } from 'h5wasm/node';
import { afterAll, describe, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { folderWith, plumecast, threeMembers } from './run-command.js';

const demo = demoTable('precipitation', { days: 30 });
const { folder, remove } = folderWith({
  'weeks.csv': threeMembers(14),
  'cold.csv': threeMembers(14).replaceAll(',1,2,3', ',-1,0.5,3'),
  'long.csv': 'day,run,mm\n2024-01-01,a,1\n2024-01-01,b,3\n2024-01-02,a,2\n2024-01-02,b,4\n',
  'demo.arrow': await encodeTable(demo, 'arrow'),
  'demo.parquet': await encodeTable(demo, 'parquet'),
});
afterAll(remove);

const stats = (...args: string[]) => plumecast(['stats', ...args], { cwd: folder });
const rain = ['--variable', 'precipitation', '--units', 'mm'];
const HEADER = 'variable,units,latitude,longitude,period,start,end,complete,n_days,n_members,mean,q05,q25,q50,q75,q95';

describe('plumecast stats', () => {
  it('writes CSV with exactly the documented columns when piped', () => {
    const { code, out, err } = stats('weeks.csv', ...rain, '--granularity', 'weekly');
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toBe(
      `${HEADER}
precipitation,mm,,,2024-W01,2024-01-01,2024-01-07,1,7,3,14,7.7,10.5,14,17.5,20.3
precipitation,mm,,,2024-W02,2024-01-08,2024-01-14,1,7,3,14,7.7,10.5,14,17.5,20.3
`,
    );
  });

  it('averages a temperature and sums precipitation over the window', () => {
    const { out } = stats('weeks.csv', '--variable', 'temp_mean', '--granularity', 'weekly', '--quantiles', '0.5');
    expect(out.split('\n')[1]).toBe('temp_mean,degC,,,2024-W01,2024-01-01,2024-01-07,1,7,3,2,2');
  });

  it('adds spread and thresholds as columns after the quantiles', () => {
    const { out } = stats(
      ...['cold.csv', '--variable', 'temp_mean', '--granularity', 'weekly', '--quantiles', '1,0'],
      ...['--spread', '--threshold', '>0.5', '--threshold', '<= -1', '--threshold', '>=0.5'],
    );
    expect(out.split('\n')[0]).toBe(`${HEADER.replace(/mean,q.*$/, 'mean')},q100,q00,spread,p_gt_0.5,p_le_-1,p_ge_0.5`);
    const row = out.split('\n')[1].split(',').slice(10).map(Number);
    const centre = 2.5 / 3;
    const spread = Math.sqrt(((-1 - centre) ** 2 + (0.5 - centre) ** 2 + (3 - centre) ** 2) / 2);
    const expected = [centre, 3, -1, spread, 1 / 3, 1 / 3, 2 / 3];
    row.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 14);
    });
    expect(row).toHaveLength(expected.length);
  });

  it('gives the same numbers from Arrow, Parquet and standard input, with any file name', () => {
    const args = ['--granularity', 'weekly'];
    const fromArrow = stats('demo.arrow', ...args);
    expect(fromArrow.out.split('\n').length).toBe(6);
    expect(stats('demo.parquet', ...args).out).toBe(fromArrow.out);
    writeFileSync(join(folder, 'wrong-name.csv'), readFileSync(join(folder, 'demo.parquet')));
    expect(stats('wrong-name.csv', ...args).out).toBe(fromArrow.out);
    const input = readFileSync(join(folder, 'demo.arrow'));
    expect(plumecast(['stats', '-', ...args], { input }).out).toBe(fromArrow.out);
  });

  it('reads NetCDF and Parquet from standard input, too', () => {
    plumecast(['convert', 'demo.arrow', 'demo.nc'], { cwd: folder });
    const expected = stats('demo.nc', '--granularity', 'weekly').out;
    expect(expected.split('\n').length).toBe(6);
    for (const name of ['demo.nc', 'demo.parquet']) {
      const input = readFileSync(join(folder, name));
      expect(plumecast(['stats', '-', '--granularity', 'weekly'], { input }).out).toBe(expected);
    }
  });

  it('reads columns by their given roles', () => {
    const { out } = stats('long.csv', ...rain, '--columns', 'date=day,member=run,value=mm', '--quantiles', '0.5');
    expect(out.split('\n').slice(1)).toEqual([
      'precipitation,mm,,,2024-01-01,2024-01-01,2024-01-01,1,1,2,2,2',
      'precipitation,mm,,,2024-01-02,2024-01-02,2024-01-02,1,1,2,3,3',
      '',
    ]);
  });

  it('limits days to the requested dates, and keeps incomplete windows only with --partial', () => {
    const requested = [
      'weeks.csv',
      ...rain,
      '--granularity',
      'weekly',
      '--start-date',
      '2024-01-02',
      '--quantiles',
      '0.5',
    ];
    expect(
      stats(...requested)
        .out.split('\n')
        .slice(1),
    ).toEqual(['precipitation,mm,,,2024-W02,2024-01-08,2024-01-14,1,7,3,14,14', '']);
    expect(stats(...requested, '--partial').out.split('\n')[1]).toBe(
      'precipitation,mm,,,2024-W01,2024-01-01,2024-01-07,0,6,3,12,12',
    );
  });

  it('writes every format to a file, selected by its ending or by --format', async () => {
    const csv = stats('demo.arrow', '--granularity', 'weekly').out;
    for (const [name, format] of [['a.csv'], ['a.json'], ['a.arrow'], ['a.parquet'], ['a.dat', 'parquet']]) {
      const { code, out } = stats(
        ...['demo.arrow', '--granularity', 'weekly', '--out', name],
        ...(format === undefined ? [] : ['--format', format]),
      );
      expect([code, out]).toEqual([0, '']);
    }
    expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe(csv);
    const rows = JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8'));
    expect(rows).toHaveLength(4);
    expect(Object.keys(rows[0]).join()).toBe(HEADER);
    const text = async (table: Awaited<ReturnType<typeof readTable>>) =>
      new TextDecoder().decode(await encodeTable(table, 'csv'));
    expect(await text(tableFromIPC(readFileSync(join(folder, 'a.arrow'))))).toBe(csv);
    expect(await text(await readTable(readFileSync(join(folder, 'a.parquet'))))).toBe(csv);
    expect(await text(await readTable(readFileSync(join(folder, 'a.dat'))))).toBe(csv);
  });

  it('writes JSON lines, Arrow streams and NetCDF, with the requested compression', async () => {
    const weekly = (...more: string[]) => stats('demo.arrow', '--granularity', 'weekly', ...more);
    const csv = weekly().out;
    const rows = JSON.parse(weekly('--format', 'json').out);
    weekly('--out', 'a.jsonl');
    const lines = readFileSync(join(folder, 'a.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    for (const compression of ['none', 'lz4']) {
      expect(weekly('--out', 'a.arrows', '--compression', compression).code).toBe(0);
      const table = await readTable(readFileSync(join(folder, 'a.arrows')));
      expect(new TextDecoder().decode(await encodeTable(table, 'csv'))).toBe(csv);
    }
    expect(weekly('--out', 'a.nc')).toEqual({ code: 0, out: '', err: '' });
    await ready;
    const file = new File(join(folder, 'a.nc'), 'r');
    const mean = file.get('precipitation_mean') as Dataset;
    expect([...(mean.value as Float32Array)].map(Math.fround)).toEqual(
      rows.map((row: { mean: number }) => Math.fround(row.mean)),
    );
    file.close();
  });

  it('rejects forms and compressions that do not go together', () => {
    const weekly = (...more: string[]) => stats('demo.arrow', '--granularity', 'weekly', ...more);
    const faults = [
      weekly('--compression', 'lz4'),
      weekly('--format', 'arrow', '--compression', 'deflate'),
      weekly('--out', 'b.nc', '--compression', 'zstd'),
      weekly('--format', 'netcdf'),
    ];
    expect(faults.map(({ code, out, err }) => [code, out, err])).toMatchInlineSnapshot(`
      [
        [
          1,
          "",
          "error: --compression: csv is not written with it; received "lz4"; allowed: none
      ",
        ],
        [
          1,
          "",
          "error: --compression: arrow is not written with it; received "deflate"; allowed: another one, or none
      ",
        ],
        [
          1,
          "",
          "error: --compression: netcdf is not written with it; received "zstd"; allowed: deflate or none
      ",
        ],
        [
          1,
          "",
          "error: output: netcdf is written to files only; allowed: the path of a file
      ",
        ],
      ]
    `);
    expect(existsSync(join(folder, 'b.nc'))).toBe(false);
  });

  it('puts the statistics of several files one after the other', async () => {
    const out = stats('weeks.csv', 'cold.csv', '--variable', 'temp_mean', '--granularity', 'weekly').out;
    expect(out.split('\n')).toHaveLength(6);
    stats('weeks.csv', 'cold.csv', '--variable', 'temp_mean', '--granularity', 'weekly', '--out', 'two.arrow');
    const joined = await readTable(readFileSync(join(folder, 'two.arrow')));
    expect(new TextDecoder().decode(await encodeTable(joined, 'csv'))).toBe(out);
  });

  it('exits 1 with one line that names file, place, value and what is allowed', () => {
    const cases: [string, string, string[]][] = [
      ['ragged.csv', 'date,m01,m02\n2024-01-01,1,2\n2024-01-02,1\n', []],
      ['text.csv', 'date,m01,m02\n2024-01-01,1,2\n2024-01-02,1,lots\n', []],
      ['order.csv', 'date,m01,m02\n2024-01-02,1,2\n2024-01-01,1,2\n', []],
      ['twice.csv', 'date,m01,m02\n2024-01-02,1,2\n2024-01-02,1,2\n', []],
      ['infinite.csv', 'date,m01,m02\n2024-01-02,1,2\n2024-01-03,1,-inf\n', []],
      ['units.csv', 'date,units,value\n2024-01-02,mm,2\n2024-01-03,inch,3\n', []],
      ['empty.csv', '', []],
      ['no-member.csv', 'date,name\n2024-01-02,x\n', []],
      ['lacking.csv', 'date,run,mm\n2024-01-02,1,2\n', ['--columns', 'member=number']],
      ['quantile.csv', threeMembers(7), ['--quantiles', '0.5,1.5']],
      ['type.csv', threeMembers(7), ['--quantile-type', '10']],
      ['share.csv', threeMembers(7), ['--min-member-share', '80']],
      ['february.csv', threeMembers(7), ['--start-date', '2024-02-30']],
      ['month.csv', threeMembers(7), ['--granularity', 'monthly']],
      ['later.csv', threeMembers(7), ['--start-date', '2025-01-01']],
    ];
    const messages = cases.map(([name, content, args]) => {
      writeFileSync(join(folder, name), content);
      const { code, out, err } = stats(name, ...rain, ...args);
      expect([name, code, out]).toEqual([name, 1, '']);
      return err;
    });
    expect(messages.join('')).toMatchSnapshot();
  });

  it('exits 1 for a file that is cut off', () => {
    const whole = readFileSync(join(folder, 'demo.arrow'));
    const parquet = readFileSync(join(folder, 'demo.parquet'));
    const files: Record<string, Uint8Array> = {
      'cut.arrow': whole.subarray(0, whole.length - 50),
      'cut.parquet': parquet.subarray(0, parquet.length - 50),
      'magic.parquet': Buffer.concat([parquet.subarray(0, parquet.length - 4), Buffer.from('PAR9')]),
      'noise.bin': Buffer.from([1, 2, 3, 0, 255, 254]),
    };
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(join(folder, name), bytes);
      const { code, out, err } = stats(name, '--granularity', 'weekly');
      expect([name, code, out]).toEqual([name, 1, '']);
      expect(err).toMatch(new RegExp(`^error: ${name}.*: .+`));
    }
  });

  it('exits 2 for usage errors', () => {
    const lines: string[][] = [
      ['--granularity', 'hourly'],
      ['--quantiles', 'half'],
      ['--threshold', '20'],
      ['--start-date', '1 May'],
      ['--point', '37.3'],
      ['--columns', 'date'],
      ['--min-member-share', 'most'],
      ['--format', 'xml'],
      ['--colour'],
    ];
    const messages = lines.map((args) => {
      const { code, out, err } = stats('weeks.csv', ...rain, ...args);
      expect([args, code, out]).toEqual([args, 2, '']);
      return err;
    });
    expect(messages.join('')).toMatchSnapshot();
    expect(stats().code).toBe(2);
    expect(plumecast(['statz']).code).toBe(2);
    expect(plumecast([]).code).toBe(2);
  });

  it('leaves no output file behind, and an existing one untouched, if it fails', () => {
    writeFileSync(join(folder, 'late.csv'), threeMembers(15_000).replace(/1,2,3\n$/, '1,2,inf\n'));
    writeFileSync(join(folder, 'kept.csv'), 'as it was\n');
    const before = readdirSync(folder).sort();
    expect(stats('late.csv', ...rain, '--out', 'kept.csv').code).toBe(1);
    expect(stats('late.csv', ...rain, '--out', 'new.csv').code).toBe(1);
    expect(stats('late.csv', ...rain)).toMatchObject({ code: 1, out: '' });
    expect(readFileSync(join(folder, 'kept.csv'), 'utf8')).toBe('as it was\n');
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(stats('weeks.csv', ...rain, '--out', 'no/such/folder.csv')).toMatchObject({
      code: 1,
      err: 'error: no/such/folder.csv: cannot be written: there is no such file or folder; allowed: a path in a folder that exists and can be written to\n',
    });
  });

  it('does not write over an input', () => {
    const whole = readFileSync(join(folder, 'demo.arrow'));
    expect(stats('demo.arrow', '--out', './demo.arrow')).toMatchObject({
      code: 1,
      err: 'error: ./demo.arrow: is also an input; allowed: another path to write to\n',
    });
    expect(readFileSync(join(folder, 'demo.arrow')).equals(whole)).toBe(true);
  });

  it('warns of values that are not plausible, but computes them', () => {
    writeFileSync(join(folder, 'kelvin.csv'), threeMembers(7).replaceAll(',1,2,3', ',280,290,300'));
    const args = ['--granularity', 'weekly', '--quantiles', '0.5'];
    const warm = stats('kelvin.csv', '--variable', 'temp_mean', ...args);
    expect([warm.code, warm.err]).toEqual([
      1,
      'error: kelvin.csv, --units: of m01 and others are not stated, and cannot be degC: a value of temp_mean lies outside -95 to 60; received 300; allowed: a column named units, or --units K if it is so; or --missing 300 if that stands for no value\n',
    ]);
    expect(stats('kelvin.csv', '--variable', 'temp_mean', '--units', 'degC', ...args)).toMatchObject({
      code: 0,
      out: expect.stringContaining(',290,290\n'),
      err: 'warning: kelvin.csv: temp_mean of 290 degC a day in 2024-W01 is not plausible (-95 to 60): are the units right, and are numbers such as -9999 missing values (--missing)?\n',
    });
    expect(stats('kelvin.csv', ...rain, ...args).err).toBe('');
    writeFileSync(join(folder, 'fill.csv'), threeMembers(7).replaceAll(',1,2,3', ',1,2,-9999'));
    expect(stats('fill.csv', ...rain, ...args).err).toMatch(/^warning: fill.csv: precipitation of -3332 mm a day/);
    expect(plumecast(['convert', 'fill.csv', 'fill.nc', ...rain], { cwd: folder }).code).toBe(0);
    const warning = /fill.nc: precipitation of -\d+ mm a day/;
    expect(stats('fill.nc', ...args).err).toMatch(warning);
    const batch = plumecast(['batch', 'fill.nc', '--granularity', 'weekly', '--out', 'filled'], { cwd: folder });
    expect(batch.err.match(new RegExp(warning, 'g'))).toHaveLength(1);
  });

  it('names a missing file, and a folder', () => {
    expect(stats('nowhere.csv').err).toBe(
      'error: nowhere.csv: cannot be read: there is no such file or folder; allowed: a readable file\n',
    );
    expect(stats('.').err).toMatch(
      "error: .: is a folder of files, not a Zarr store; allowed: files in it, such as '*.",
    );
  });

  it('computes only the place nearest to --point, and rejects a point that is not covered', async () => {
    const locations = [36.5, 36.75].flatMap((latitude) => [-80, -79.75].map((longitude) => ({ latitude, longitude })));
    const grid = demoTable('temp_mean', { locations, days: 7, members: 3 });
    writeFileSync(join(folder, 'grid.arrow'), await encodeTable(grid, 'arrow'));
    const { out } = stats('grid.arrow', '--granularity', 'weekly', '--point', '36.7,280.1');
    expect(out.split('\n')).toHaveLength(3);
    expect(out.split('\n')[1]).toMatch(/^temp_mean,degC,36.75,-80,/);
    expect(stats('grid.arrow', '--granularity', 'weekly', '--point', '40,-80').err).toBe(
      'error: grid.arrow, point: is not covered; received "40, -80"; allowed: within one grid step (0.25 by 0.25 degrees) of the data; the nearest is 36.75, -80\n',
    );
    expect(stats('grid.arrow', '--point', '95,0').code).toBe(1);
  });

  it('prints an aligned table with a fan on request', () => {
    expect(stats('demo.arrow', '--granularity', 'weekly', '--format', 'table').out).toMatchSnapshot();
    expect(stats('weeks.csv', ...rain, '--format', 'table', '--quantiles', '0.5').out).toMatchSnapshot();
  });
});
