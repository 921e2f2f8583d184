import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const rows = (times: readonly string[]) => times.map((time, i) => `${time},${i % 5},${i % 3}`);
const days = Array.from({ length: 8 }, (_, d) => new Date(Date.UTC(2026, 2, 2 + d)).toISOString());
const steps = days.flatMap((day) => ['00', '06', '12', '18'].map((hour) => `${day.slice(0, 10)}T${hour}:00:00Z`));
const daily = ['date,m1 (mm),m2 (mm)', ...rows(days.map((day) => day.slice(0, 10)))].join('\n');
const warm = daily.replaceAll('(mm)', '(degC)');
const { folder, remove } = folderWith({
  'daily.csv': daily,
  'other.csv': daily,
  'warm.csv': warm,
  'steps.csv': ['time,m1 (mm),m2 (mm)', ...rows(steps)].join('\n'),
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const RAIN = ['-v', 'precipitation'];

describe('an option about values of several inputs', () => {
  it('may be about one of them', async () => {
    for (const command of ['stats', 'plot'] as const)
      expect(
        await plumecastHere(command, at('daily.csv'), at('steps.csv'), ...RAIN, '--stamps', 'start'),
      ).toMatchObject({ code: 0 });
  });

  it.each(['stats', 'plot'])('is an error of %s that names it, where it has no effect on any', async (command) => {
    const files = [at('daily.csv'), at('other.csv')];
    expect(await plumecastHere(command, ...files, ...RAIN, '--stamps', 'start')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'error: --stamps: is for time steps, and values are daily: of the dates as written; received "start"',
      ),
    });
    expect(await plumecastHere(command, ...files, ...RAIN, '--decimal', '.')).toMatchObject({ code: 0 });
    expect(await plumecastHere(command, ...files, ...RAIN, '--sheet', 'one')).toMatchObject({
      code: 1,
      err: expect.stringContaining('error: --sheet: is for Excel, and no file is one; received "one"'),
    });
  });

  it('is an error of a panel of results, whose values were read before', async () => {
    const results = at('results.csv');
    expect(await plumecastHere('stats', at('daily.csv'), ...RAIN, '--out', results)).toMatchObject({ code: 0 });
    expect(await plumecastHere('plot', results)).toMatchObject({ code: 0 });
    expect((await plumecastHere('plot', results, '--units', 'inch')).err).toContain(
      'results.csv, --units: is for values of members, and the file has results; received "inch"',
    );
    expect(await plumecastHere('plot', results, at('daily.csv'), ...RAIN, '--missing', '4')).toMatchObject({ code: 0 });
  });

  it('is an error of a batch, before a file is read, where no variable that it names uses it', () => {
    const batch = (...variables: string[]) =>
      plumecast([
        ...['batch', at('warm.csv'), '--variable', variables.join(), '--out', at('out')],
        ...['--accumulation', 'since-start', '--dry-run'],
      ]);
    expect(batch('temp_mean', 'wind_speed').err).toContain(
      'error: variables, --accumulation: is for amounts, and temp_mean is none; received "since-start"',
    );
    expect(batch('temp_mean', 'precipitation').code).toBe(0);
  });
});
