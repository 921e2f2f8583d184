import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from './run-command.js';

/** A year and a month of 30-day months: each day of month M has M mm. */
const rows = Array.from({ length: 390 }, (_, d) => {
  const month = Math.floor(d / 30) % 12;
  const date = [2025 + Math.floor(d / 360), month + 1, (d % 30) + 1]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${date},${month + 1},${month + 1}`;
});
const { folder, remove } = folderWith({ 'rain.csv': `date,member_00,member_01\n${rows.join('\n')}\n` });
afterAll(remove);

const run = (...args: string[]) => plumecast(args, { cwd: folder });
const RAIN = ['--variable', 'precipitation'];
const MODEL = [...RAIN, '--calendar', '360_day'];
const NOTE = 'dates of calendar 360_day: days and months are its own';

describe('a table of a model calendar', () => {
  it('has its own months and text dates, and a note says so', () => {
    const { out, err } = run(
      'stats',
      'rain.csv',
      ...MODEL,
      '--granularity',
      'monthly',
      '--quantiles',
      '0.5',
      '--format',
      'csv',
    );
    expect(out.split('\n').slice(1, 3)).toEqual([
      'precipitation,mm,,,2025-01,2025-01-01,2025-01-30,1,30,2,30,30',
      'precipitation,mm,,,2025-02,2025-02-01,2025-02-30,1,30,2,60,60',
    ]);
    expect(err).toContain(NOTE);
  });

  it('cannot be read without its calendar, and has no weeks', () => {
    expect(run('stats', 'rain.csv', ...RAIN).err).toContain('2025-02-29');
    expect(run('stats', 'rain.csv', ...MODEL, '--granularity', 'weekly').err).toContain(
      'calendar 360_day has no weekdays',
    );
  });

  it('keeps its calendar in NetCDF, Parquet and back', () => {
    const monthly = ['--granularity', 'monthly', '--format', 'csv'];
    const { out: direct } = run('stats', 'rain.csv', ...MODEL, ...monthly);
    run('convert', 'rain.csv', 'rain.nc', ...MODEL);
    run('convert', 'rain.nc', 'rain.parquet');
    expect(run('stats', 'rain.nc', ...monthly).out).toBe(direct);
    expect(run('stats', 'rain.parquet', ...monthly).out).toBe(direct);
    run('stats', 'rain.nc', '--granularity', 'monthly', '--out', 'monthly.nc');
    run('convert', 'monthly.nc', 'monthly.csv');
    expect(run('convert', 'monthly.nc', '-', '--to', 'csv').out).toBe(direct);
  });

  it('accepts dates of its calendar, such as 30 February', () => {
    const dates = ['--start-date', '2025-02-28', '--end-date', '2025-03-01', '--format', 'csv'];
    const { out } = run('stats', 'rain.nc', ...dates);
    expect(
      out
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[4]),
    ).toEqual([...['2025-02-28', '2025-02-29', '2025-02-30', '2025-03-01']]);
  });

  it('has a climatology by its own days, and is not compared with one of another calendar', () => {
    const years = ['--reference', '2025-2025', '--half-width', '0'];
    run('climatology', 'rain.nc', ...years, '--out', 'normal.arrow');
    const { out } = run('convert', 'normal.arrow', '-', '--to', 'csv');
    expect(out.trim().split('\n')).toHaveLength(361);
    expect(out).toContain(',02-30,2,2,');
    const { out: against, code } = run('stats', 'rain.nc', '--climatology', 'normal.arrow', '--format', 'csv');
    expect([code, against.split('\n')[0]]).toEqual([0, expect.stringContaining('p_below,p_normal,p_above')]);
  });

  it('cannot be blended', () => {
    expect(run('blend', 'rain.parquet', 'rain.parquet', ...RAIN).err).toContain(
      'dates are not of the real calendar, and blending needs real dates',
    );
  });
});

describe('pictures of a model calendar', () => {
  it('are of its own days, from values and from results, for which an option states it', () => {
    run('stats', 'rain.csv', ...MODEL, '--granularity', 'monthly', '--out', 'months.csv');
    const plot = (...args: string[]) => run('plot', ...args, '--format', 'svg', '--theme', 'light');
    const { out } = plot('rain.csv', ...MODEL, '--granularity', 'monthly');
    expect(out).toContain('2025-01-01 to 2026-01-30');
    expect(plot('months.csv', '--calendar', '360_day').out).toContain('2025-01-01 to 2026-01-30');
    expect(plot('months.csv').err).toContain('2025-02-30');
  });
});
