import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { encodeTable, readTable } from '../../../src/files/index.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { type DailyTableOptions, dailyTable } from '../../../src/table/daily/index.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { type AnswerOptions, openMeteoCsv, openMeteoJson } from '../../files/open-meteo-answers.js';
import { columnsOf, utf8 } from '../../files/table-rows.js';

/** Each value is the number of its hour, from 0 on. */
const counting: AnswerOptions = { times: 72, members: 1, value: ({ time }) => time };
const sum = (from: number, to: number) => ((from + to) * (to - from + 1)) / 2;
const FIRST = 20_514;

function failureOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

async function daily(requested: AnswerOptions, options: DailyTableOptions & { slug?: string } = {}) {
  const { slug, ...others } = options;
  const read = async (text: string) =>
    dailyTable(await readTable(utf8(text)), { ...others, ...(slug !== undefined && { variable: findVariable(slug) }) });
  const [made, fromCsv] = await Promise.all([read(openMeteoJson(requested)), read(openMeteoCsv(requested))]);
  expect(columnsOf(fromCsv.table)).toEqual(columnsOf(made.table));
  expect(fromCsv.conversions).toEqual(made.conversions);
  const { date, member_00: values } = columnsOf(made.table);
  return { ...made, date: (date as number[]).map((day) => day - FIRST), values };
}

describe('dailyTable of hours of Open-Meteo', () => {
  it('sums amounts of the preceding hour from 01:00 to 24:00, and leaves days out that are not covered', async () => {
    const { date, values, conversions, accumulation } = await daily(counting);
    expect(date).toEqual([0, 1]);
    expect(values).toEqual([sum(1, 24), sum(25, 48)]);
    expect(accumulation).toBe('per-step');
    expect(conversions).toEqual([
      'amounts of each step, as Open-Meteo gives them',
      'hourly values to daily sums',
      'values are of the step before their times, as Open-Meteo documents',
    ]);
  });

  it('sums them by the times of UTC where the file has those of another zone', async () => {
    const { date, values, conversions } = await daily({ ...counting, timezone: 'Europe/Berlin', utcOffset: 7200 });
    // Hour 2 is 00:00 UTC of the first day, and so of the day before.
    expect(date).toEqual([0, 1]);
    expect(values).toEqual([sum(3, 26), sum(27, 50)]);
    expect(conversions.at(-1)).toBe('times of Europe/Berlin (UTC+02:00) shifted to UTC');
  });

  it('takes instants, as of temperature, from 00:00 to 23:00', async () => {
    const requested = { ...counting, variables: { temperature_2m: '°C' } };
    expect((await daily(requested)).values).toEqual([11.5, 35.5, 59.5]);
    expect((await daily(requested, { slug: 'temp_max' })).values).toEqual([23, 47, 71]);
    expect((await daily(requested, { slug: 'temp_min' })).values).toEqual([0, 24, 48]);
  });

  it.each([
    ['shortwave_radiation', 'W/m²', 'solar_radiation', (sum(1, 24) * 3_600) / 1e6],
    ['et0_fao_evapotranspiration', 'mm', 'evapotranspiration', sum(1, 24)],
    ['precipitation', 'inch', 'precipitation', sum(1, 24) * 25.4],
    ['wind_gusts_10m', 'km/h', 'wind_gust_max', 24 / 3.6],
    ['wind_gusts_10m', 'mp/h', 'wind_gust_max', 24 * 0.44704],
    ['wind_gusts_10m', 'kn', 'wind_gust_max', (24 * 463) / 900],
    ['wind_speed_10m', 'm/s', 'wind_speed', 11.5],
    ['relative_humidity_2m', '%', 'relative_humidity', 11.5],
    ['dew_point_2m', '°F', 'dew_point', ((11.5 - 32) * 5) / 9],
  ])('reads %s in %s as %s', async (name, units, slug, expected) => {
    const { values } = await daily({ ...counting, variables: { [name]: units } }, { slug });
    expect(values[0]).toBeCloseTo(expected, 9);
  });

  it('sums 6-hourly amounts from 06:00 to 24:00', async () => {
    const requested: AnswerOptions = { section: 'six_hourly', times: 9, members: 1, value: ({ time }) => time };
    expect((await daily(requested)).values).toEqual([sum(1, 4), sum(5, 8)]);
  });

  it('takes amounts that only ever rise for those of each hour, too', async () => {
    const requested: AnswerOptions = { times: 25, members: 2, value: ({ time, member }) => time * (1 + member) };
    expect((await daily(requested)).values).toEqual([sum(1, 24)]);
  });

  it('takes times as the option stamps says where it is given', async () => {
    const { values, conversions } = await daily(counting, { stamps: 'start' });
    expect(values).toEqual([sum(0, 23), sum(24, 47), sum(48, 71)]);
    expect(conversions.join()).not.toContain('Open-Meteo documents');
  });

  it('takes precipitation where its part rain, and variables that are not known, stand beside it', async () => {
    const variables = { rain: 'mm', cloud_cover: '%', precipitation: 'mm', precipitation_probability: '%' };
    const value: AnswerOptions['value'] = ({ variable }) => (variable === 'precipitation' ? 1 : 0.5);
    for (const members of [1, 3]) {
      const { values, conversions } = await daily({ times: 25, members, variables, value }, { slug: 'precipitation' });
      expect(values).toEqual([24]);
      expect(conversions.at(-1)).toMatch(/^columns left out: rain \(mm\).*cloud_cover.*precipitation_probability/);
    }
  });

  it('does not take another ensemble for the requested variable', async () => {
    const variables = { snowfall: 'cm', temperature_2m: '°C' };
    const table = await readTable(utf8(openMeteoJson({ times: 25, members: 3, variables })));
    const failed = failureOf(() => dailyTable(table, { variable: findVariable('precipitation') }));
    expect(failed.message).toMatch(/several columns may be meant; received "snowfall \(cm\) and 2 more"/);
  });

  it('gives a day null of which an hour is missing', async () => {
    const value: AnswerOptions['value'] = ({ time }) => (time === 30 ? null : time);
    expect((await daily({ ...counting, value })).values).toEqual([sum(1, 24), null]);
  });

  it('gives each of several locations its own days', async () => {
    const locations = [
      [52.52, 13.42],
      [48.1, 11.6],
    ] as const;
    const value: AnswerOptions['value'] = ({ location, time }) => 1000 * location + time;
    const { table } = await daily({ ...counting, locations, value });
    expect(columnsOf(table)).toMatchObject({
      latitude: [52.52, 52.52, 48.1, 48.1],
      member_00: [sum(1, 24), sum(25, 48), sum(1, 24) + 24_000, sum(25, 48) + 24_000],
    });
  });

  it.each(['arrow', 'parquet'] as const)('gives the same of a table that was written as %s', async (format) => {
    const table = await readTable(utf8(openMeteoJson({ ...counting, timezone: 'Europe/Berlin', utcOffset: 7200 })));
    const again = await readTable(await encodeTable(table, format));
    expect(columnsOf(dailyTable(again).table)).toEqual(columnsOf(dailyTable(table).table));
  });
});

describe('dailyTable of several models of Open-Meteo', () => {
  const models = ['icon_seamless_eps', 'ncep_gefs025'];
  const variables = { precipitation: 'mm', temperature_2m: '°C' };
  const requested: AnswerOptions = { ...counting, members: 2, models, variables, value: ({ model }) => model + 1 };

  it('takes the members of the model that is named, of which there may be another number', async () => {
    const first = await daily(requested, { model: 'icon_seamless_eps', slug: 'precipitation' });
    expect(columnsOf(first.table)).toMatchObject({ member_00: [24, 24], member_01: [24, 24] });
    expect(first.table.schema.names).not.toContain('member_02');
    const second = await daily(requested, { model: 'ncep_gefs025', slug: 'precipitation' });
    expect(columnsOf(second.table)).toMatchObject({ member_00: [48, 48], member_02: [48, 48] });
    expect(second.table.schema.metadata.get('model')).toBe('ncep_gefs025');
    expect(second.conversions.at(-1)).toBe(
      'columns left out: temperature_2m (°C), temperature_2m_member01 (°C), temperature_2m_member02 (°C)',
    );
  });

  it('asks for one where none is named, and lists them', async () => {
    const table = await readTable(utf8(openMeteoCsv(requested)), { source: 'two.csv' });
    const failed = failureOf(() => dailyTable(table, { source: 'two.csv' }));
    expect(failed.message).toBe(
      'two.csv, model: the columns are of several models, which are not one ensemble; received "icon_seamless_eps, ncep_gefs025"; ' +
        "allowed: one of them, by model: 'icon_seamless_eps'",
    );
    expect(failureOf(() => dailyTable(table, { model: 'icon' })).message).toMatch(
      /model: is not in the table; received "icon"; allowed: icon_seamless_eps, ncep_gefs025/,
    );
  });

  it('never takes models for members, whatever they are called', async () => {
    const core = await loadCore();
    for (const of of [models, ['gfs025', 'gfs05'], ['ecmwf_ifs025', 'ecmwf_ifs04']]) {
      const single = {
        section: 'daily',
        times: 3,
        members: 1,
        models: of,
        variables: { precipitation_sum: 'mm' },
      } as const;
      const table = await readTable(utf8(openMeteoJson(single)));
      expect(failureOf(() => statistics(core, table)).message).toMatch(/several models/);
      expect(failureOf(() => dailyTable(table)).message).toMatch(/several models/);
    }
    const unknown = { section: 'daily', times: 3, members: 1, models: ['new', 'other'] } as const;
    const table = await readTable(utf8(openMeteoJson(unknown)));
    expect(failureOf(() => dailyTable(table)).message).toMatch(/several columns may be meant/);
  });

  it('rejects a model of a table that names none', async () => {
    const table = await readTable(utf8(openMeteoJson()));
    expect(failureOf(() => dailyTable(table, { model: 'gfs' })).message).toMatch(/the table does not name models/);
    expect(failureOf(() => dailyTable(table, { model: 1 as never })).message).toMatch(
      /model: cannot be used; received 1/,
    );
  });
});
