import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const date = (day: number) => new Date(Date.UTC(2026, 2, 5 + day)).toISOString().slice(0, 10);
const csv = (name: string, days: number, value: (day: number) => string) =>
  `date,${name}_m1,${name}_m2\n${Array.from({ length: days }, (_, day) => `${date(day)},${value(day)}\n`).join('')}`;

const { folder, remove } = folderWith({
  // From a Thursday on.
  'sixteen.csv': csv('temp_min', 16, (day) => `${day - 8},${day - 6}`),
  'forty.csv': csv('temp_min', 40, (day) => `${day},${day}`),
  'year.csv': csv('temp_min', 465, (day) => `${day % 20},${day % 20}`),
  'empty.csv': csv('precipitation', 30, () => ','),
  'half.csv': csv('precipitation', 30, (day) => `${day},`),
});
afterAll(remove);
const path = (name: string) => join(folder, name);

describe('what is left out', () => {
  const stats = (file: string, ...options: string[]) =>
    plumecastHere('stats', path(file), '--units', 'degC', '--granularity', 'weekly', '--format', 'csv', ...options);

  it('is counted where it is as much as what is kept', async () => {
    const { code, err } = await stats('sixteen.csv');
    expect([code, err]).toEqual([
      0,
      `note: ${path('sixteen.csv')}: 16 days make 1 complete week; 9 days at the ends are left out, which --partial keeps\n`,
    ]);
    expect((await stats('sixteen.csv', '--partial')).err).toBe('');
    expect((await stats('forty.csv')).err).toBe('');
    expect((await stats('forty.csv', '--start-date', '2026-03-05', '--end-date', '2026-03-20')).err).toContain(
      '16 days make 1 complete week',
    );
  });

  it('is not what lies in other months than those of the windows', async () => {
    const months = (...options: string[]) =>
      plumecastHere('stats', path('year.csv'), '--units', 'degC', '--windows', '4-5', '--format', 'csv', ...options);
    expect(await months()).toMatchObject({ code: 0, err: '' });
  });

  it('is counted by plot as by stats', async () => {
    const plot = (...options: string[]) =>
      plumecastHere('plot', path('sixteen.csv'), '--units', 'degC', '--granularity', 'weekly', ...options);
    const { code, err } = await plot();
    expect([code, err]).toEqual([0, (await stats('sixteen.csv')).err]);
    const { out, err: none } = await plot('--partial');
    expect([none, out.includes('4 of 7 days')]).toEqual(['', true]);
  });

  it('conditions on means of weeks say what they are of', async () => {
    const { err } = await stats('forty.csv', '--threshold', '<0');
    expect(err).toBe(
      `note: ${path('forty.csv')}: p_lt_0 is the share of members whose weekly mean of temp_min is below 0 degC; with --window min, of members with any day below 0 degC\n`,
    );
    expect((await stats('forty.csv', '--threshold', '<0', '--window', 'mean')).err).toBe('');
    const all = ['--units', 'degC', '--windows', 'all', '--threshold', '<0'];
    expect((await plumecastHere('stats', path('forty.csv'), ...all)).err).toContain(
      'members whose mean of temp_min over a window is below 0 degC; with --window min,',
    );
  });
});

describe('results without any value', () => {
  it.each(['csv', 'netcdf', 'parquet'])('are an error, and leave no file: %s', async (format) => {
    const out = path(`out.${format}`);
    const run = (file: string) =>
      plumecastHere('stats', path(file), '--units', 'mm', '--granularity', 'weekly', '--format', format, '--out', out);
    const empty = await run('empty.csv');
    expect([empty.code, empty.err.replace(/^note.*\n/gm, '')]).toEqual([
      1,
      `error: ${path('empty.csv')}: has no value in any window; allowed: days with values for each member of a window\n`,
    ]);
    expect((await run('half.csv')).err).toContain(
      'half.csv: has no window with enough valid members; received "1 at most"; allowed: days with values for each member of a window; or a smaller --min-member-share',
    );
    expect(existsSync(out)).toBe(false);
  });

  it('say that no day fulfils a condition', async () => {
    const days = ['--granularity', 'weekly', '--first-day', '>1000'];
    const { code, out, err } = await plumecastHere('stats', path('forty.csv'), '--units', 'degC', ...days);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      'forty.csv: has no day in any window that fulfils the condition of its first day; received "first day >1000"; allowed: a condition that some days fulfil',
    );
  });

  it('fail an output of a batch, and say why', () => {
    const args = ['--units', 'mm', '--granularity', 'weekly', '--out', path('batch'), '--on-error', 'continue'];
    const { code, err } = plumecast(['batch', path('empty.csv'), path('half.csv'), ...args]);
    expect(code).not.toBe(0);
    expect(err).toContain('empty.csv: has no value in any window');
    expect(err).toContain('half.csv: has no window with enough valid members');
  });
});
