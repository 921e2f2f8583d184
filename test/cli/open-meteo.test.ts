import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Inspection } from '../../src/input/inspect/inspection.js';
import { type AnswerOptions, openMeteoCsv, openMeteoJson } from '../files/open-meteo-answers.js';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const rain: AnswerOptions = { times: 24 * 9, members: 5 };
const berlin: AnswerOptions = { ...rain, timezone: 'Europe/Berlin', utcOffset: 7200 };
const several: AnswerOptions = { ...rain, variables: { precipitation: 'mm', temperature_2m: '°C' } };
const models: AnswerOptions = { ...rain, models: ['icon_seamless_eps', 'ncep_gefs025'] };
const days: AnswerOptions = { section: 'daily', times: 14, variables: { precipitation_sum: 'mm' } };
const { folder, remove } = folderWith({
  'rain.json': openMeteoJson(rain),
  'rain.csv': openMeteoCsv(rain),
  'berlin.json': openMeteoJson(berlin),
  'several.csv': openMeteoCsv(several),
  'models.csv': openMeteoCsv(models),
  'days.json': openMeteoJson(days),
  'error.json': '{"error":true,"reason":"Data corrupted at path \'\'"}',
});
afterAll(remove);
const at = (name: string) => join(folder, name);
mkdirSync(at('runs'));
writeFileSync(at('runs/a.json'), openMeteoJson(rain));
writeFileSync(at('runs/b.csv'), openMeteoCsv(rain));
writeFileSync(at('runs/package.json'), '{"name":"notes"}');
const run = async (...args: string[]) => {
  const { code, out, err } = await plumecastHere(...args);
  return { code, out, err: err.replaceAll(`${folder}/`, '') };
};
const NOTE =
  'amounts of each step, as Open-Meteo gives them; hourly values to daily sums; ' +
  'values are of the step before their times, as Open-Meteo documents';

describe('files of Open-Meteo on the command line', () => {
  it('stats gives weekly sums of the hours from 01:00 to 24:00 UTC, the same of CSV and JSON', async () => {
    const weekly = ['--variable', 'precipitation', '--granularity', 'weekly', '--format', 'csv'];
    const [csv, json] = [await run('stats', at('rain.csv'), ...weekly), await run('stats', at('rain.json'), ...weekly)];
    expect([csv.code, csv.err, json.err]).toEqual([0, `note: rain.csv: ${NOTE}\n`, `note: rain.json: ${NOTE}\n`]);
    expect(json.out).toBe(csv.out);
    // Hours of each day are 0 to 2.3 and the number of the member: 27.6 and 24 for each member.
    expect(csv.out.split('\n')[1]).toMatch(
      /^precipitation,mm,52\.52,13\.419998,2026-W10,2026-03-02,2026-03-08,1,7,5,529\.2\d*,/,
    );
  });

  it('stats notes that times were shifted, and keeps daily values as they are', async () => {
    const { err } = await run('stats', at('berlin.json'), '--format', 'csv');
    expect(err).toBe(`note: berlin.json: ${NOTE}; times of Europe/Berlin (UTC+02:00) shifted to UTC\n`);
    const daily = await run('stats', at('days.json'), '--granularity', 'weekly', '--format', 'csv');
    expect([daily.code, daily.err, daily.out.trim().split('\n').length]).toEqual([0, '', 3]);
  });

  it('stats reads the model that --model names, and lists the models without it', async () => {
    const failed = await run('stats', at('models.csv'));
    expect([failed.code, failed.err]).toEqual([
      1,
      expect.stringMatching(
        /models\.csv, --model: .*several models.*"icon_seamless_eps, ncep_gefs025"; allowed: one of them, by --model icon/,
      ),
    ]);
    const { code, out } = await run('stats', at('models.csv'), '--model', 'ncep_gefs025', '--format', 'csv');
    expect([code, out.split('\n')[1].split(',')[9]]).toEqual([0, '6']);
  });

  it('stats repeats the error message of Open-Meteo', async () => {
    const { code, err } = await run('stats', at('error.json'));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("is an error message of Open-Meteo: Data corrupted at path ''"),
    ]);
  });

  it('inspect describes them, and its commands run', async () => {
    const { out } = await run('inspect', at('several.csv'), '--json');
    const { format, variables }: Inspection = JSON.parse(out)[0] ?? JSON.parse(out);
    expect(format).toBe('CSV');
    expect(variables.map(({ variable, days: span }) => [variable, span?.first, span?.last, span?.whole])).toEqual([
      ['precipitation', '2026-03-02', '2026-03-09', 8],
      ['temp_mean', '2026-03-02', '2026-03-10', 9],
    ]);
    for (const { command } of variables) {
      const words = (command as string).split(' ').slice(1);
      expect((await run(...words, '--format', 'csv')).code).toBe(0);
    }
    const json = await run('inspect', at('rain.json'));
    expect(json.out).toContain('JSON');
    const ofModel = await run('inspect', at('models.csv'), '--model', 'icon_seamless_eps');
    expect(ofModel.out).toContain('--model icon_seamless_eps');
    expect((await run('inspect', at('models.csv'))).out.replace(/\s+/g, ' ')).toContain('several models');
  });

  it('convert writes times in UTC and says so, or the daily values of one model', async () => {
    const asItIs = await run('convert', at('berlin.json'), at('berlin.csv'));
    expect([asItIs.code, asItIs.err]).toEqual([
      0,
      'note: berlin.json: times of Europe/Berlin (UTC+02:00) shifted to UTC\n',
    ]);
    expect(readFileSync(at('berlin.csv'), 'utf8').split('\n').slice(0, 2).join('\n')).toMatch(
      /^latitude,longitude,time,precipitation \(mm\),.*\n52\.52,13\.419998,2026-03-01T22:00:00Z,0,/,
    );
    const daily = await run('convert', at('models.csv'), at('icon.csv'), '--model', 'icon_seamless_eps');
    expect(daily.code).toBe(0);
    expect(readFileSync(at('icon.csv'), 'utf8').split('\n')[0]).toMatch(
      /^variable,units,latitude,longitude,date,member_00,.*member_04$/,
    );
  });

  it('climatology reads them, with a model', async () => {
    const { code, err } = await run(
      ...['climatology', at('models.csv'), '--model', 'icon_seamless_eps', '--granularity', 'daily'],
      ...['--reference', '2026-2026', '--out', at('normal.csv')],
    );
    expect([code, err]).toEqual([0, expect.stringContaining(NOTE)]);
  });

  it('batch reads those in a folder but no other JSON, and has the option model', async () => {
    // Its threads are of the build.
    const done = plumecast([
      'batch',
      at('runs'),
      '--variable',
      'precipitation',
      '--format',
      'csv',
      '--out',
      at('made'),
    ]);
    expect([done.code, done.err]).toEqual([0, expect.stringContaining(NOTE)]);
    expect(readFileSync(at('made/a.csv'), 'utf8')).toBe(readFileSync(at('made/b.csv'), 'utf8'));
    const made = ['--model', 'ncep_gefs025', '--format', 'csv', '--out', at('of-model')];
    expect(plumecast(['batch', at('models.csv'), ...made]).code).toBe(0);
    expect(readFileSync(at('of-model/models.csv'), 'utf8').split('\n')[1].split(',')[9]).toBe('6');
  });
});
