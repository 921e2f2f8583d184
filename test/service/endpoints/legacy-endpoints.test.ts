import { Schema, Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { climatology, climatologyTable } from '../../../src/climate/index.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { parseDate } from '../../../src/period/day.js';
import { periodKey } from '../../../src/period/period.js';
import { createAnswers } from '../../../src/service/endpoints/answers.js';
import type { LegacyPeriodParameters } from '../../../src/service/endpoints/legacy-climatology.js';
import { DEFAULT_QUANTILES } from '../../../src/statistics/options.js';
import { quantileName } from '../../../src/statistics/statistic.js';
import { statistics } from '../../../src/statistics/statistics.js';
import type { HorizonName } from '../../../src/variable/availability.js';
import { findVariable } from '../../../src/variable/index.js';
import { TODAY } from '../ingest/recording-writer.js';
import { type ServiceData, serviceData } from './service-data.js';

let core: Core;
let service: ServiceData;
beforeAll(async () => {
  core = await loadCore();
  service = await serviceData();
});

const point = { latitude: 37.3, longitude: -80.05 };
const answers = createAnswers();
const rain = findVariable('precipitation');

const query = (requested: Partial<LegacyPeriodParameters> = {}): LegacyPeriodParameters => ({
  ...{ point, locationId: undefined, variables: [rain], granularity: 'daily' },
  ...requested,
});
const forecast = (horizon: HorizonName, requested: Partial<LegacyPeriodParameters> = {}) =>
  answers.legacyForecast(service.data, { ...query(requested), horizon });

describe('legacy forecasts', () => {
  it.each([
    ['short-term', 'daily', 0, 14],
    ['subseasonal', 'daily', 7, 41],
    ['seasonal', 'daily', 30, 79],
  ] as const)('%s %s cover the leads from %i to %i', async (horizon, granularity, from, to) => {
    const { variables } = await forecast(horizon, { granularity });
    const { start } = variables[0].windows;
    expect([start[0], start[start.length - 1]]).toEqual([TODAY + from, TODAY + to]);
    expect(variables[0].terciles).toBeUndefined();
  });

  it.each([
    ['subseasonal', 'weekly', ['2026-W11', '2026-W12', '2026-W13', '2026-W14', '2026-W15']],
    ['seasonal', 'monthly', ['2026-04']],
  ] as const)(
    '%s %s have the complete windows of these leads, with tercile shares',
    async (horizon, granularity, keys) => {
      const { variables, tercileReference, referencePeriod } = await forecast(horizon, { granularity });
      const [{ windows, statistics: found, terciles }] = variables;
      expect(Array.from(windows.start, (day) => periodKey(granularity, day))).toEqual(keys);
      const normal = climatology(core, service.history.precipitation, { granularity });
      const against = statistics(core, service.horizons[horizon].precipitation, {
        ...{ granularity, point },
        ...{ startDate: '2026-03-09', endDate: '2026-04-30' },
        climatology: normal,
      });
      const column = (name: string) => [...(against.getChild(name)?.toArray() ?? [])].slice(0, keys.length);
      const ours = (values: ArrayLike<number> | undefined) => Array.from(values ?? []);
      expect(ours(found.mean)).toEqual(column('mean'));
      expect(found.quantiles.map(ours)).toEqual(DEFAULT_QUANTILES.map((p) => column(quantileName(p))));
      expect(terciles?.map(ours)).toEqual(['p_below', 'p_normal', 'p_above'].map(column));
      expect([tercileReference, referencePeriod]).toEqual(['observations', '1993-2022']);
    },
  );

  it("give the timeline's numbers where a window lies in one horizon, outside overlaps", async () => {
    // The timeline is of the short-term horizon alone to lead 11, of the subseasonal one from lead 15 to 34, and of the
    // seasonal one from lead 42.
    const cases = [
      ['short-term', 'daily', TODAY, TODAY + 11],
      ['subseasonal', 'weekly', TODAY + 15, TODAY + 34],
      ['seasonal', 'daily', TODAY + 42, TODAY + 79],
    ] as const;
    const temp = findVariable('temp_mean');
    for (const [horizon, granularity, startDay, endDay] of cases) {
      const requested = { point, variables: [temp, rain], startDay, endDay, downscaling: false, granularity };
      const current = await answers.statistics(service.data, { ...requested, quantiles: DEFAULT_QUANTILES });
      const legacy = await forecast(horizon, { granularity, variables: [temp, rain] });
      current.variables.forEach(({ windows, statistics: found }, v) => {
        const { windows: legacyWindows, statistics: legacyFound } = legacy.variables[v];
        expect(windows.count).toBeGreaterThan(1);
        windows.start.forEach((day, w) => {
          const l = legacyWindows.start.indexOf(day);
          expect(found.mean[w]).toBeCloseTo(legacyFound.mean[l], 5);
          expect(found.quantiles.map((values) => values[w])).toEqual(legacyFound.quantiles.map((values) => values[l]));
        });
      });
    }
  });

  it('drop variables that their horizon does not have, and name them', async () => {
    const variables = ['temp_mean', 'wind_gust_max', 'wind_speed_max'].map((slug) => findVariable(slug));
    const dropped = await forecast('seasonal', { variables });
    expect(dropped.dropped).toEqual(['wind_gust_max', 'wind_speed_max']);
    expect(dropped.variables.map(({ variable }) => variable.slug)).toEqual(['temp_mean']);
    expect((await forecast('short-term', { variables })).dropped).toEqual([]);
    const all = await forecast('subseasonal', { variables: undefined });
    expect([all.variables.length, all.dropped]).toEqual([7, []]);
  });

  it('are an error only where no variable remains', async () => {
    const variables = [findVariable('wind_gust_max')];
    await expect(forecast('seasonal', { variables })).rejects.toMatchObject({
      status: 400,
      faults: [{ parameter: 'var', detail: 'wind_gust_max is not available: this product does not have it' }],
    });
  });

  it('have no gusts after lead 9', async () => {
    const variables = ['wind_gust_max', 'wind_speed_max'].map((slug) => findVariable(slug));
    const { variables: found } = await forecast('short-term', { variables });
    expect(found.map(({ windows }) => windows.count)).toEqual([10, 15]);
  });

  it('compare with the model’s own climatology where the source has one, and state it', async () => {
    const model = climatology(core, service.history.precipitation, { granularity: 'monthly', reference: '2000-2019' });
    const table = climatologyTable(model);
    const data = { ...service.data, climatology: (of: string) => (of === 'seasonal' ? table : undefined) };
    const ours = await answers.legacyForecast(data, { ...query({ granularity: 'monthly' }), horizon: 'seasonal' });
    expect([ours.tercileReference, ours.referencePeriod]).toEqual(['seasonal model', '2000-2019']);
    const other = await answers.legacyForecast(data, { ...query({ granularity: 'weekly' }), horizon: 'subseasonal' });
    expect([other.tercileReference, other.referencePeriod]).toEqual(['observations', '1993-2022']);
  });

  it('compare with runs of their own start, else with the observations', async () => {
    const table = climatologyTable(
      climatology(core, service.history.precipitation, { granularity: 'monthly', reference: '2000-2019' }),
    );
    const init = service.data.forecast?.horizons.seasonal?.initTime.slice(5, 10) as string;
    const referenceOf = async (start: string) => {
      const metadata = new Map([...table.schema.metadata, ['run_start', start], ['run_start_days', '0']]);
      const ofStart = new Table(new Schema(table.schema.fields, metadata), table.batches);
      const data = { ...service.data, climatology: (of: string) => (of === 'seasonal' ? ofStart : undefined) };
      const { tercileReference } = await answers.legacyForecast(data, {
        ...{ ...query({ granularity: 'monthly' }), horizon: 'seasonal' },
      });
      return tercileReference;
    };
    expect(await referenceOf(init)).toBe(`runs that start on ${init}, each lead by itself`);
    expect(await referenceOf(init === '07-01' ? '01-01' : '07-01')).toBe('observations');
  });

  it('have missing shares where there is no climatology', async () => {
    const { history: _, ...data } = service.data;
    const found = await answers.legacyForecast(data, { ...query({ granularity: 'monthly' }), horizon: 'seasonal' });
    expect(found.variables[0].terciles?.map((values) => [...values])).toEqual([
      [Number.NaN],
      [Number.NaN],
      [Number.NaN],
    ]);
    expect(found.tercileReference).toBeUndefined();
  });
});

describe('legacy history', () => {
  it('is the last 366 days of a pre-loaded point of the 0.25 degree grid', async () => {
    const found = await answers.legacyHistory(service.data, query({ point: { latitude: 37.17, longitude: -80.1 } }));
    expect(found.location).toEqual({ latitude: 37.25, longitude: -80 });
    const [{ firstDay, values }] = found.variables;
    expect([firstDay, values.length]).toEqual([TODAY - 366, 366]);
    const all = service.history.precipitation.getChild('member_00')?.toArray() ?? [];
    const days = TODAY - parseDate('1993-01-01');
    expect(values).toEqual(all.slice(days - 366, days));
  });

  it('rejects points that were not pre-loaded', async () => {
    const near = { latitude: 37.3, longitude: -79.75 };
    await expect(answers.legacyHistory(service.data, query({ point: near }))).rejects.toMatchObject({
      status: 404,
      code: 'location-not-ingested',
    });
  });
});

describe('legacy climatology', () => {
  it.each(['daily', 'weekly', 'monthly'] as const)('is computed from the history, %s', async (granularity) => {
    const found = await answers.legacyClimatology(service.data, query({ granularity }));
    const expected = climatology(core, service.history.precipitation, { granularity });
    expect([found.keys, found.referencePeriod]).toEqual([expected.keys, '1993-2022']);
    const ofPlace = (values: ArrayLike<number>) => Array.from(values).slice(0, expected.keys.length);
    expect(found.variables[0].quantiles.map(ofPlace)).toEqual(expected.quantileValues.map(ofPlace));
  });

  it('includes derived variables', async () => {
    const variables = [findVariable('evapotranspiration')];
    const { variables: found } = await answers.legacyClimatology(
      service.data,
      query({ granularity: 'monthly', variables }),
    );
    const medians = [...found[0].quantiles[2]];
    expect(Math.max(...medians)).toBe(Math.max(...medians.slice(4, 8)));
  });

  it('is the climatology of the source where it has one', async () => {
    const own = climatology(core, service.history.precipitation, { granularity: 'monthly', reference: '2000-2009' });
    const data = { ...service.data, climatology: () => climatologyTable(own) };
    const found = await answers.legacyClimatology(data, query({ granularity: 'monthly' }));
    expect(found.referencePeriod).toBe('2000-2009');
    expect([...found.variables[0].quantiles[4]]).toEqual([...own.quantileValues[4].slice(0, 12)]);
  });

  it('is not available where the history does not cover the reference period', async () => {
    const { history } = service.data;
    const late = (slugAxis: { firstDay: number; days: number; members: number }) => ({
      ...slugAxis,
      firstDay: slugAxis.firstDay + 2000,
    });
    const variables = new Map([...(history?.data.variables ?? [])].map(([slug, axis]) => [slug, late(axis)]));
    const data = history && { history: { ...history, data: { ...history.data, variables, revision: 'late' } } };
    await expect(answers.legacyClimatology(data ?? {}, query())).rejects.toMatchObject({
      status: 503,
      code: 'climatology-unavailable',
    });
  });
});
