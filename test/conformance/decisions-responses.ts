import { tableFromIPC } from 'apache-arrow';
import { beforeAll, expect } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { ingestForecast } from '../../src/service/ingest/index.js';
import { filesOf, horizonTables, RecordingWriter, TODAY } from '../service/ingest/recording-writer.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, AT_FINE, type Body, conformanceService, FINE_KEY, MISSING, type Service } from './service.js';
import { measuredSizes } from './sizes.js';
import { datesFrom, memberWindows, statisticsOf } from './slow-statistics.js';
import { tinyForecast, tinyService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const CSV = { Accept: 'text/csv' };
const ARROW = { Accept: 'application/vnd.apache.arrow.stream' };

async function linesOf(path: string): Promise<string[]> {
  return (await (await service.request(path, CSV)).text()).trimEnd().split(/\r?\n/);
}

async function columnsOf(path: string): Promise<string[]> {
  const bytes = new Uint8Array(await (await service.request(path, ARROW)).arrayBuffer());
  return tableFromIPC(bytes).schema.fields.map(({ name }) => name);
}

section('Responses', import.meta.url, {
  raw: test("raw members keep the run's order, null where missing, beside the metadata of statistics", async () => {
    const query = `${AT}&var=temp_mean&start_date=2026-03-09&end_date=2026-03-10`;
    const raw = await service.get(`/v2/forecast?${query}`);
    const { variables: _, granularity, ...metadata } = await service.get(`/v2/forecast/statistics?${query}`);
    const { variables, ...ours } = raw;
    expect([ours, granularity]).toEqual([metadata, 'daily']);
    const run = service.run('short-term', 'temp_mean');
    const { members, ...head } = variables.temp_mean;
    expect([head, Object.keys(members)]).toEqual([{ units: '°C', downscaled: false }, ['2026-03-09', '2026-03-10']]);
    for (const [date, values] of Object.entries<number[]>(members)) {
      expectRounded(values, memberWindows(run, [date], 'mean'));
    }
    const { get } = tinyService({ forecast: tinyForecast('temp_mean', [[1], [Number.NaN], [3]]) });
    const tiny = await get(`/v2/forecast?${AT}`);
    expect(tiny.variables.temp_mean.members).toEqual({ '2026-03-05': [1, null, 3] });
  }),

  extra: test('each variable of statistics has units, downscaled and statistics', async () => {
    const { variables } = await service.get(`/v2/forecast/statistics?${AT}`);
    for (const variable of Object.values<object>(variables)) {
      expect(Object.keys(variable)).toEqual(['units', 'downscaled', 'statistics']);
    }
  }),

  locations: test('closest_location is the coarse point, and a downscaled variable has its own', async () => {
    for (const path of ['/v2/forecast', '/v2/forecast/statistics']) {
      const query = `${AT_FINE}&var=temp_mean,precipitation&end_date=2026-03-06`;
      const { location, variables } = await service.get(`${path}?${query}`, FINE_KEY);
      expect(location).toEqual({
        requested: { latitude: 37.257, longitude: -80.0002 },
        closest_location: { latitude: 37.25, longitude: -80 },
      });
      expect(variables.temp_mean.closest_location).toEqual({ latitude: 37.2583, longitude: -80 });
      expect(variables.precipitation).not.toHaveProperty('closest_location');
    }
  }),

  historyLocation: test("history's meta.location is the coarse point, also for 1 km values", async () => {
    const path = `/v2/history?${AT_FINE}&var=temp_mean`;
    const { meta, data } = await service.get(path, FINE_KEY);
    expect(meta.location).toEqual({ latitude: 37.25, longitude: -80 });
    expect(data.temp_mean).toMatchObject({ closest_location: { latitude: 37.2583, longitude: -80 } });
  }),

  legacyMeta: test('v1 metadata have exactly these fields; a missing history value is null', async () => {
    const seasonal = await service.get(
      '/v1/forecast/seasonal/location/field?var=temp_mean,wind_gust_max&granularity=monthly',
    );
    expect(seasonal.meta).toEqual({
      ...{ variables: ['temp_mean'], dropped_variables: ['wind_gust_max'], granularity: 'monthly' },
      ...{ units: { temp_mean: '°C' }, location: { latitude: 37.25, longitude: -80 }, location_id: 'field' },
      ...{ init_time: '2026-03-01T00:00:00Z', reference_period: '1993-2022', tercile_reference: 'observations' },
      attribution: 'Made for tests.',
    });
    const keys = async (path: string) => Object.keys((await service.get(`/v1/${path}?${AT}`)).meta);
    const always = ['variables', 'dropped_variables', 'granularity', 'units', 'location'];
    expect(await keys('forecast/short-term')).toEqual([...always, 'init_time', 'attribution']);
    expect(await keys('history')).toEqual([...always, 'attribution']);
    expect(await keys('climatology')).toEqual([...always, 'reference_period', 'attribution']);
    const { data } = await service.get(`/v1/history?${AT}&var=temp_mean`);
    const on = (date: string) => data.find((entry: Body) => entry.date === date);
    expect(on(MISSING)).toEqual({ date: MISSING, attributes: { temp_mean: { values: null } } });
    expect(on('2026-03-04').attributes.temp_mean).toEqual({ values: expect.any(Number) });
  }),

  nested: test("quantile and probability are objects, and their numbers those over the run's members", async () => {
    const { data } = await service.get(`/v1/forecast/short-term?${AT}&var=temp_mean`);
    const exact = statisticsOf(memberWindows(service.run('short-term', 'temp_mean'), ['2026-03-05'], 'mean'));
    const { ensemble_mean, quantile } = data[0].attributes.temp_mean;
    expectRounded(
      [ensemble_mean, quantile['quantile_0.05'], quantile['quantile_0.95']],
      [exact[0], exact[1], exact[5]],
    );
    const [week] = (await service.get(`/v1/forecast/subseasonal?${AT}&granularity=weekly`)).data;
    expect(week.attributes.temp_mean.probability['clim_prob_0.33-0.67']).toEqual(expect.any(Number));
  }),

  dropped: test('variables that a horizon does not have are dropped and listed; 400 where none remains', async () => {
    for (const horizon of ['subseasonal', 'seasonal']) {
      const { meta, data } = await service.get(
        `/v1/forecast/${horizon}?${AT}&var=wind_speed_max,temp_min,wind_gust_max`,
      );
      expect([meta.variables, meta.dropped_variables]).toEqual([['temp_min'], ['wind_speed_max', 'wind_gust_max']]);
      expect(Object.keys(data[0].attributes)).toEqual(['temp_min']);
      const { errors } = await service.problem(400, `/v1/forecast/${horizon}?${AT}&var=wind_speed_max,wind_gust_max`);
      expect(errors.map(({ received }: Body) => received)).toEqual(['wind_speed_max', 'wind_gust_max']);
      expect((await service.get(`/v1/forecast/${horizon}?${AT}`)).meta.dropped_variables).toEqual([]);
    }
  }),

  gust: test('gusts end with lead 9, in legacy entries, and in runs that begin a day late', async () => {
    const { data } = await service.get(`/v1/forecast/short-term?${AT}`);
    const withGust = data.filter(({ attributes }: Body) => 'wind_gust_max' in attributes);
    expect(withGust.map(({ date }: Body) => date)).toEqual(datesFrom('2026-03-05', '2026-03-14'));
    expect(Object.keys(data[10].attributes)).toHaveLength(8);
    // Nor do the current answers have it then, also of a run whose gusts begin a day late.
    const late = horizonTables('short-term', { initDate: TODAY + 1, days: 14 }).wind_gust_max;
    const { temp_mean } = horizonTables('short-term');
    const writer = new RecordingWriter();
    const files = filesOf('short-term', { temp_mean, wind_gust_max: late });
    await ingestForecast(await loadCore(), writer, { files, initTime: '2026-03-02T00:00:00Z' });
    const gusts = writer.dataset('short-term').variables.get('wind_gust_max');
    expect(gusts).toMatchObject({ firstDay: TODAY + 1, days: 9 });
    expect(writer.dataset('timeline').variables.get('wind_gust_max')).toMatchObject({ days: 10 });
  }),

  strings: test('init_time ends in Z; generation and attribution are those of the source', async () => {
    const current = await service.get(`/v2/forecast?${AT}&var=temp_mean`);
    expect(current).toMatchObject({ generation: 'run-1', attribution: 'Made for tests.' });
    const legacy = await service.get(`/v1/forecast/seasonal?${AT}`);
    for (const time of [current.init_time, legacy.meta.init_time]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
    for (const path of ['/v2/history', '/v1/history', '/v1/climatology', '/v1/forecast/short-term']) {
      expect((await service.get(`${path}?${AT}`)).meta.attribution).toBe('Made for tests.');
    }
    const { get } = tinyService({ forecast: tinyForecast('temp_mean', [[1]]) });
    expect(await get(`/v2/forecast?${AT}`)).not.toHaveProperty('attribution');
  }),

  sizes: test('JSON has no blanks, and both versions of four contents are measured plain and gzipped', async () => {
    const paths = [
      '/v1/history',
      '/v1/forecast/short-term',
      '/v1/climatology',
      '/v2/history',
      '/v2/forecast/statistics',
    ];
    for (const path of paths) {
      const text = await (await service.request(`${path}?${AT}`)).text();
      expect(text).toBe(JSON.stringify(JSON.parse(text)));
    }
    const sizes = await measuredSizes(service);
    expect(sizes).toHaveLength(4);
    for (const { legacyBytes, legacyGzipped, currentBytes, currentGzipped } of sizes) {
      expect(legacyGzipped).toBeLessThan(legacyBytes);
      expect(currentGzipped).toBeLessThan(currentBytes);
    }
  }),

  columns: test('CSV and Arrow have the columns of the statistics table, or of raw members', async () => {
    const columns =
      'variable,units,latitude,longitude,period,start,end,complete,n_days,n_members,mean,q05,q25,q50,q75,q95';
    const statistics = `/v2/forecast/statistics?${AT}&var=precipitation&granularity=monthly`;
    const [header, april] = await linesOf(statistics);
    expect(header).toBe(columns);
    expect(april).toMatch(/^precipitation,mm,37\.25,-80,2026-04,2026-04-01,2026-04-30,1,30,31,/);
    expect((await columnsOf(statistics)).join()).toBe(columns);
    const members = Array.from({ length: 31 }, (_, m) => `member_${String(m).padStart(2, '0')}`);
    const raw = `/v2/forecast?${AT}&var=precipitation`;
    const [rawHeader, today] = await linesOf(raw);
    expect(rawHeader.split(',')).toEqual(['variable', 'units', 'latitude', 'longitude', 'date', ...members]);
    expect(today).toMatch(/^precipitation,mm,37\.25,-80,2026-03-05,/);
    expect(await columnsOf(raw)).toEqual(rawHeader.split(','));
    const { request } = tinyService({ forecast: tinyForecast('temp_mean', [[1], [2], [3], [4], [Number.NaN]]) });
    const [, row] = (await (await request(`/v2/forecast/statistics?${AT}`, CSV)).text()).split(/\r?\n/);
    expect(row).toMatch(/^temp_mean,degC,37\.25,-80,2026-03-05,2026-03-05,2026-03-05,1,1,4,2\.5,/);
  }),
});
