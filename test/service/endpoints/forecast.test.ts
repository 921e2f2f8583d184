import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { blendVariables, deriveVariable } from '../../../src/blend/index.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { FileError } from '../../../src/errors.js';
import { parseDate } from '../../../src/period/day.js';
import type { StatisticsAnswer } from '../../../src/respond/answer-data.js';
import { createAnswers } from '../../../src/service/endpoints/answers.js';
import type { StatisticsParameters } from '../../../src/service/endpoints/forecast-statistics.js';
import type { Axis, Dataset } from '../../../src/service/source/dataset.js';
import { DEFAULT_QUANTILES } from '../../../src/statistics/options.js';
import { quantileName } from '../../../src/statistics/statistic.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { HORIZONS } from '../../../src/variable/availability.js';
import { findVariable, type Variable } from '../../../src/variable/index.js';
import { FINE_LOCATIONS, type ServiceData, serviceData } from './service-data.js';

let core: Core;
let service: ServiceData;
beforeAll(async () => {
  core = await loadCore();
  service = await serviceData();
});

const point = { latitude: 37.3, longitude: -80.05 };
const answers = createAnswers();

const query = (changes: Partial<StatisticsParameters> = {}): StatisticsParameters => ({
  point,
  variables: [findVariable('precipitation')],
  startDay: undefined,
  endDay: undefined,
  downscaling: false,
  quantiles: DEFAULT_QUANTILES,
  granularity: 'weekly',
  ...changes,
});

const statisticsFor = async (changes: Partial<StatisticsParameters> = {}) =>
  answers.statistics(service.data, query(changes));

/** The values of an answer's variable by name of the statistics table's columns. */
function columnsOf({ variables, quantiles }: StatisticsAnswer, v = 0): Record<string, number[]> {
  const { statistics: found } = variables[v];
  return Object.fromEntries([
    ['mean', [...found.mean]],
    ...quantiles.map((p, k) => [quantileName(p), [...found.quantiles[k]]]),
  ]);
}

describe('faults', () => {
  const fault = new FileError({ subject: 'timeline', problem: 'is gone' });
  const faulty = ({ places, variables }: Dataset): Dataset => ({
    ...{ revision: 'faulty', places, variables },
    read(slug) {
      // One read is under way when the next one throws.
      if (slug === 'temp_mean' || slug === 'temp_min') return Promise.reject(fault);
      throw fault;
    },
  });
  const slugs = ['temp_mean', 'precipitation', 'evapotranspiration', 'dew_point'];

  it.each(['statistics', 'members', 'history', 'legacyHistory'] as const)(
    'of a source reject %s, and none is left without a handler',
    async (kind) => {
      const unhandled: unknown[] = [];
      const note = (error: unknown) => unhandled.push(error);
      process.on('unhandledRejection', note);
      onTestFinished(() => void process.off('unhandledRejection', note));
      const { forecast, history, ...rest } = service.data;
      const data = {
        ...rest,
        forecast: forecast && { ...forecast, timeline: faulty(forecast.timeline) },
        history: history && { ...history, data: faulty(history.data) },
      };
      const faultyQuery = query({ variables: slugs.map((slug) => findVariable(slug)) });
      const asking = async () => answers[kind](data, { ...faultyQuery, locationId: undefined });
      await expect(asking()).rejects.toBe(fault);
      await new Promise((later) => setTimeout(later));
      expect(unhandled).toEqual([]);
    },
  );
});

describe('statistics', () => {
  it.each(['daily', 'weekly', 'monthly'] as const)('are those of the blended timeline, %s', async (granularity) => {
    const slugs = ['temp_mean', 'precipitation'];
    const answer = await statisticsFor({ granularity, variables: slugs.map((slug) => findVariable(slug)) });
    const horizons = HORIZONS.map((name) =>
      Object.fromEntries(slugs.map((slug) => [slug, service.horizons[name][slug]])),
    );
    const timelines = blendVariables(core, horizons);
    slugs.forEach((slug, v) => {
      const table = statistics(core, timelines[slug].table, { granularity, point });
      for (const [name, values] of Object.entries(columnsOf(answer, v))) {
        expect(values).toEqual([...(table.getChild(name)?.toArray() ?? [])]);
      }
      expect(answer.variables[v].windows.count).toBe(table.numRows);
    });
  });

  it('state the run, the requested place and the place found, and the days used', async () => {
    const { variables, ...head } = await statisticsFor({ endDay: parseDate('2026-03-20') });
    expect(head).toEqual({
      initTime: '2026-03-02T00:00:00Z',
      version: 'demo-1',
      generation: 'generation-1',
      attribution: 'Made for tests.',
      requested: point,
      closest: { latitude: 37.25, longitude: -80 },
      period: { firstDay: parseDate('2026-03-02'), lastDay: parseDate('2026-03-20') },
      granularity: 'weekly',
      quantiles: DEFAULT_QUANTILES,
    });
    expect(variables.map(({ downscaled }) => downscaled)).toEqual([false]);
  });

  it('use 1 km data only where they are allowed, exist and cover the point', async () => {
    const variables = ['temp_mean', 'precipitation'].map((slug) => findVariable(slug));
    const near = { latitude: 37.256, longitude: -80.0001 };
    const flags = async (changes: Partial<StatisticsParameters>) =>
      (await statisticsFor({ variables, ...changes })).variables.map(({ downscaled, location }) => [
        downscaled,
        location,
      ]);
    const coarse = { latitude: 37.25, longitude: -80 };
    expect(await flags({ point: near })).toEqual([
      [false, coarse],
      [false, coarse],
    ]);
    expect(await flags({ point: near, downscaling: true })).toEqual([
      [true, FINE_LOCATIONS[1]],
      [false, coarse],
    ]);
    expect(await flags({ point, downscaling: true })).toEqual([
      [false, coarse],
      [false, coarse],
    ]);
  });

  it('cut a range that lies partly outside the data, and are empty where it lies completely outside', async () => {
    const cut = await statisticsFor({
      startDay: parseDate('2026-01-01'),
      endDay: parseDate('2026-03-10'),
      granularity: 'daily',
    });
    expect([cut.variables[0].windows.count, cut.period?.firstDay]).toEqual([9, parseDate('2026-03-02')]);
    const outside = await statisticsFor({ startDay: parseDate('2030-01-01') });
    expect([outside.variables[0].windows.count, outside.period]).toEqual([0, undefined]);
    expect(columnsOf(outside).mean).toEqual([]);
  });

  it('have no entry beyond the axis of a variable', async () => {
    const { variables, period } = await statisticsFor({
      granularity: 'daily',
      variables: [findVariable('wind_gust_max')],
    });
    expect(variables[0].windows.count).toBe(10);
    expect(period?.lastDay).toBe(parseDate('2026-03-11'));
  });

  it('have all variables that are not derived where none is requested', async () => {
    const { variables } = await statisticsFor({ variables: undefined });
    expect(variables.map(({ variable }) => variable.slug)).toEqual(
      'temp_mean temp_min temp_max precipitation relative_humidity wind_speed wind_speed_max wind_gust_max solar_radiation'.split(
        ' ',
      ),
    );
  });

  it('of derived variables are computed per member and day, after blending, before windows, from coarse inputs', async () => {
    const inputs = ['temp_mean', 'temp_min', 'temp_max', 'relative_humidity', 'wind_speed', 'solar_radiation'];
    const horizons = HORIZONS.map((name) =>
      // Precipitation is among the variables that members are paired by.
      Object.fromEntries([...inputs, 'precipitation'].map((slug) => [slug, service.horizons[name][slug]])),
    );
    const timelines = blendVariables(core, horizons);
    const tables = Object.fromEntries(inputs.map((slug) => [slug, timelines[slug].table]));
    const derived = deriveVariable('evapotranspiration', tables, { elevation: [507, 1, 2] });
    const table = statistics(core, derived, { granularity: 'weekly', point });
    const answer = await statisticsFor({ variables: [findVariable('evapotranspiration')], downscaling: true });
    for (const [name, values] of Object.entries(columnsOf(answer))) {
      expect(values).toEqual([...(table.getChild(name)?.toArray() ?? [])]);
    }
    expect(answer.variables[0].downscaled).toBe(false);
  });

  it('need the elevation for evapotranspiration, which the error states', async () => {
    const elsewhere = { latitude: 37.5, longitude: -80 };
    const variables = [findVariable('evapotranspiration'), findVariable('dew_point')];
    await expect(statisticsFor({ point: elsewhere, variables })).rejects.toMatchObject({
      status: 400,
      faults: [{ parameter: 'var', received: 'evapotranspiration', detail: expect.stringContaining('elevation') }],
    });
    expect((await statisticsFor({ point: elsewhere, variables: [variables[1]] })).variables.length).toBe(1);
  });

  it('reject a point farther from the data than one grid step', async () => {
    const far = { latitude: 40, longitude: -80 };
    await expect(async () => statisticsFor({ point: far })).rejects.toMatchObject({
      status: 404,
      code: 'location-not-covered',
    });
  });

  it('reject all variables that the data do not have at once', async () => {
    const { forecast } = service.data;
    const rain = new Map([...(forecast?.timeline.variables ?? [])].filter(([slug]) => slug === 'precipitation'));
    const data = forecast && { forecast: { ...forecast, timeline: { ...forecast.timeline, variables: rain } } };
    const variables: Variable[] = ['temp_mean', 'precipitation', 'dew_point'].map((slug) => findVariable(slug));
    await expect(async () => answers.statistics(data ?? {}, query({ variables }))).rejects.toMatchObject({
      status: 400,
      faults: [
        {
          received: 'temp_mean',
          detail: 'temp_mean is not available: the data do not have it',
          allowed: 'precipitation',
        },
        { received: 'dew_point', detail: expect.stringContaining('the data have no temp_mean, relative_humidity') },
      ],
    });
  });

  it('are not available without a forecast', async () => {
    await expect(async () => answers.statistics({}, query())).rejects.toMatchObject({
      status: 503,
      code: 'forecast-unavailable',
    });
  });

  it('of many requests at once are not mixed up, also with slow sources', async () => {
    const { forecast } = service.data;
    const slow = forecast && {
      ...forecast,
      timeline: {
        ...forecast.timeline,
        read: async (...args: Parameters<typeof forecast.timeline.read>) => {
          await new Promise((done) => setTimeout(done, args[1]));
          await forecast.timeline.read(...args);
        },
      },
    };
    const points = [point, { latitude: 37.25, longitude: -79.75 }, { latitude: 37.5, longitude: -80 }];
    const expected = await Promise.all(points.map(async (place) => columnsOf(await statisticsFor({ point: place }))));
    const found = await Promise.all(
      [...points, ...points].map(async (place) =>
        columnsOf(await answers.statistics({ forecast: slow }, query({ point: place }))),
      ),
    );
    expect(found).toEqual([...expected, ...expected]);
  });
});

describe('members', () => {
  it('are those of the timeline, in one order for all variables', async () => {
    const slugs = ['temp_mean', 'precipitation'];
    const horizons = HORIZONS.map((name) =>
      Object.fromEntries(slugs.map((slug) => [slug, service.horizons[name][slug]])),
    );
    const timelines = blendVariables(core, horizons);
    const { variables, period } = await answers.members(
      service.data,
      query({ variables: slugs.map((slug) => findVariable(slug)) }),
    );
    expect(period).toEqual({ firstDay: parseDate('2026-03-02'), lastDay: parseDate('2026-05-20') });
    slugs.forEach((slug, v) => {
      const { table } = timelines[slug];
      variables[v].members.forEach((values, m) => {
        // The place found is the first of the table.
        expect([...values]).toEqual([...(table.getChild(`member_0${m}`)?.toArray() ?? [])].slice(0, 80));
      });
    });
  });

  it('of a derived variable have the horizons that all its inputs state, on the days of all', async () => {
    const horizonsWith = async (humidity: Axis['horizons']) => {
      const { forecast, ...rest } = service.data;
      const timeline = forecast?.timeline as Dataset;
      const variables = new Map(timeline.variables);
      variables.set('relative_humidity', { ...(variables.get('relative_humidity') as Axis), horizons: humidity });
      const data = { ...rest, forecast: forecast && { ...forecast, timeline: { ...timeline, variables } } };
      const requested = query({ variables: [findVariable('dew_point')], horizons: true });
      return (await answers.members(data, requested)).variables[0].horizons;
    };
    const all = service.data.forecast?.timeline.variables.get('temp_mean')?.horizons ?? [];
    expect(all.map(({ horizon }) => horizon)).toEqual(HORIZONS);
    expect(await horizonsWith(all)).toEqual(all);
    expect(await horizonsWith([{ ...all[0], lastDay: all[0].lastDay - 5 }, all[2]])).toEqual([
      { ...all[0], lastDay: all[0].lastDay - 5 },
      all[2],
    ]);
    expect(await horizonsWith(undefined)).toBeUndefined();
  });

  it('are cut to the requested days', async () => {
    const days = { startDay: parseDate('2026-03-05'), endDay: parseDate('2026-03-07') };
    const { variables } = await answers.members(service.data, query(days));
    const { variables: whole } = await answers.members(service.data, query());
    expect(variables[0].members.map((values) => [...values])).toEqual(
      whole[0].members.map((values) => [...values].slice(3, 6)),
    );
    expect([variables[0].firstDay, variables[0].days]).toEqual([days.startDay, 3]);
    const outside = await answers.members(service.data, query({ startDay: parseDate('2030-01-01') }));
    expect(outside.variables[0].members.map(({ length }) => length)).toEqual(new Array(9).fill(0));
  });
});

it('answers are right where the owner of a core uses and releases its memory between requests', async () => {
  const shared = await loadCore();
  const sharing = createAnswers({ core: shared });
  const granularities = ['daily', 'weekly', 'monthly'] as const;
  const expected = await Promise.all(granularities.map((granularity) => statisticsFor({ granularity })));
  const mark = shared.memory.mark();
  for (let turn = 0; turn < 3; turn++) {
    for (const [i, granularity] of granularities.entries()) {
      const { variables } = await sharing.statistics(service.data, query({ granularity }));
      expect(variables[0].statistics).toEqual(expected[i].variables[0].statistics);
    }
    shared.memory.release(mark);
    const bytes = 4 * 2 ** 20;
    shared.memory.bytes(shared.memory.allocate(bytes), bytes).fill(0xab);
    shared.memory.release(mark);
  }
});
