import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

/** Hours of two members at a place, from a time of UTC on. */
function hourly(hours: number): string {
  const rows = Array.from({ length: hours }, (_, hour) => {
    const time = new Date(Date.UTC(2026, 2, 1, hour)).toISOString().slice(0, 16);
    return `${time}Z,52.5,13.4,${(hour * 7) % 23},${(hour * 5) % 19}`;
  });
  return `time,latitude,longitude,member_00,member_01\n${rows.join('\n')}\n`;
}

const { folder, remove } = folderWith({ 'hours.csv': hourly(24 * 34) });
afterAll(remove);
const at = (name: string) => join(folder, name);

const ZONES = { berlin: 'Europe/Berlin', kolkata: 'Asia/Kolkata', utc: undefined };
const FORMATS = ['nc', 'zarr', 'parquet', 'arrow'] as const;

async function done(...args: string[]): Promise<string> {
  const { code, out, err } = await plumecastHere(...args);
  expect([code, err]).toEqual([0, expect.not.stringContaining('error')]);
  return out;
}

async function failed(...args: string[]): Promise<string> {
  const { code, err } = await plumecastHere(...args);
  expect(code).not.toBe(0);
  return err;
}

const MEAN = ['--variable', 'temp_mean', '--units', 'degC', '--stamps', 'instant'];

beforeAll(async () => {
  for (const [name, zone] of Object.entries(ZONES)) {
    for (const format of FORMATS) {
      const given = zone === undefined ? [] : ['--time-zone', zone];
      await done('convert', at('hours.csv'), at(`${name}.${format}`), ...MEAN, ...given);
    }
  }
});

const OF_KOLKATA = 'another zone of its days; received "days of Asia/Kolkata"; allowed: days of Europe/Berlin';
const OF_UTC = 'another zone of its days; received "days of UTC"; allowed: days of Europe/Berlin';
const STORE = 'the service has days of UTC alone; received "days of Europe/Berlin"';

describe.each(FORMATS)('days of a zone in a file (%s)', (format) => {
  const [berlin, kolkata, utc] = ['berlin', 'kolkata', 'utc'].map((name) => at(`${name}.${format}`));
  const climate = at(`climate-${format}.arrow`);

  it('are no timeline with days of another zone', async () => {
    const blend = (one: string, other: string) =>
      failed(
        'blend',
        one,
        other,
        '--variable',
        'temp_mean',
        '--names',
        'a,b',
        '--last-leads',
        '9,all',
        '--overlaps',
        '2',
      );
    expect(await blend(berlin, kolkata)).toContain(OF_KOLKATA);
    expect(await blend(berlin, utc)).toContain(OF_UTC);
  });

  it('are no climatology with days of another zone, and none is compared with it', async () => {
    const options = ['--variable', 'temp_mean', '--granularity', 'daily', '--reference', '2026-2026'];
    expect(await failed('climatology', berlin, kolkata, ...options, '--out', climate)).toContain(OF_KOLKATA);
    await done('climatology', berlin, ...options, '--out', climate);
    const compared = ['--variable', 'temp_mean', '--granularity', 'daily', '--climatology', climate];
    const text = 'its days are not those of the climatology; received';
    expect(await failed('stats', kolkata, ...compared)).toContain(`${text} "days of Asia/Kolkata"`);
    expect(await failed('stats', utc, ...compared)).toContain(`${text} "days of UTC"`);
    expect(await done('stats', berlin, ...compared, '--format', 'csv')).toContain('p_below');
  });

  it('are no output with days of another zone, nor taken for days of one', async () => {
    const daily = ['--variable', 'temp_mean', '--granularity', 'daily', '--format', 'csv'];
    expect(await failed('stats', berlin, kolkata, ...daily)).toContain(OF_KOLKATA);
    expect(await failed('stats', berlin, ...daily, '--time-zone', 'Asia/Kolkata')).toContain(
      'values are daily, and of other days, as the data state; received "days of Asia/Kolkata"; allowed: days of Europe/Berlin',
    );
    expect(await failed('stats', berlin, ...daily, '--day-start', '06')).toMatch(
      /--day-start: values are daily, .*received "days of UTC from 06:00"; .*or to leave out --day-start/,
    );
  });

  it('are rejected by a store, as horizon, history and climatology', async () => {
    const store = ['ingest', '--store', at('store'), '--dry-run'];
    expect(await failed(...store, '--short-term', berlin, '--variable', 'temp_mean')).toContain(STORE);
    expect(await failed(...store, '--history', berlin, '--variable', 'temp_mean')).toContain(STORE);
    expect(await failed(...store, '--climatology', climate)).toContain(STORE);
  });
});

it('days that ingest is requested to make of a zone are rejected', async () => {
  const steps = ['--short-term', at('hours.csv'), ...MEAN, '--time-zone', 'Europe/Berlin'];
  expect(await failed('ingest', '--store', at('store'), ...steps)).toContain(STORE);
});
