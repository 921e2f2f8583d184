import { tableFromIPC } from 'apache-arrow';
import { beforeAll, expect } from 'vitest';
import { section, test } from './section.js';
import { AT, AT_FINE, type Body, conformanceService, FINE_KEY, type Service } from './service.js';
import { memberWindows } from './slow-statistics.js';
import { tinyForecast, tinyService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService({ seasonalMembers: 31 });
});

const PATHS = ['/v2/forecast', '/v2/forecast/statistics'];
const ARROW = 'application/vnd.apache.arrow.stream';

/** Leads 0 to 14, 12 to 41 and 35 to 214 of a run of TODAY, which is 5 March. */
const SHORT = { horizon: 'short-term', start_date: '2026-03-05', end_date: '2026-03-19' } as const;
const SUBSEASONAL = { horizon: 'subseasonal', start_date: '2026-03-17', end_date: '2026-04-15' } as const;
const SEASONAL = { horizon: 'seasonal', start_date: '2026-04-09', end_date: '2026-10-05' } as const;

const horizonsOf = ({ variables }: Body) =>
  Object.fromEntries(Object.entries<Body>(variables).map(([slug, { horizons }]) => [slug, horizons]));

section('Extension: horizons', import.meta.url, {
  days: test('the timeline from 5 March has the short term to the 19th, weeks from the 17th, months from 9 April', async () => {
    for (const path of PATHS) {
      const body = await service.get(`${path}?${AT}&var=temp_mean,precipitation&horizons=true`);
      const all = [SHORT, SUBSEASONAL, SEASONAL];
      expect(horizonsOf(body)).toEqual({ temp_mean: all, precipitation: all });
      for (const variable of Object.values<Body>(body.variables)) delete variable.horizons;
      expect(body).toEqual(await service.get(`${path}?${AT}&var=temp_mean,precipitation`));
    }
    const fine = await service.get(`${PATHS[0]}?${AT_FINE}&var=temp_mean&horizons=true`, FINE_KEY);
    expect(fine.variables.temp_mean).toMatchObject({ downscaled: true, horizons: [SHORT, SUBSEASONAL, SEASONAL] });
  }),

  shared: test('on the days of one horizon all members are of its run, on shared days some of each', async () => {
    const horizons = [SHORT, SUBSEASONAL, SEASONAL] as const;
    const slugs = ['temp_mean', 'temp_min', 'temp_max', 'solar_radiation'];
    const { variables } = await service.get(`/v2/forecast?${AT}&var=${slugs}`);
    /** A text of a member's values on a day, which no two members share. */
    const name = (values: readonly number[]) => values.map((value) => Math.fround(value).toFixed(2)).join();
    const named = (valuesOf: (slug: string) => readonly number[]) => {
      const values = slugs.map(valuesOf);
      return values[0].map((_, m) => name(values.map((each) => each[m])));
    };
    /** How many members are of the run of each horizon on a day. */
    const counts = (date: string) =>
      horizons.map(({ horizon }) => {
        const run = new Set(named((slug) => memberWindows(service.run(horizon, slug), [date], 'mean')));
        return named((slug) => variables[slug].members[date]).filter((member) => run.has(member)).length;
      });
    for (const date of ['2026-03-16', '2026-03-18', '2026-03-20', '2026-04-08', '2026-04-12', '2026-04-16']) {
      const listed = horizons.map(({ start_date, end_date }) => start_date <= date && date <= end_date);
      expect([date, ...counts(date).map((count) => count > 0)]).toEqual([date, ...listed]);
      expect([date, counts(date).reduce((sum, count) => sum + count)]).toEqual([date, 31]);
    }
  }),

  variable: test('wind maxima have the short term alone, dew point and evapotranspiration all three', async () => {
    const slugs = ['wind_speed_max', 'wind_gust_max', 'dew_point', 'evapotranspiration'];
    const body = await service.get(`/v2/forecast?${AT}&var=${slugs}&horizons=true`);
    const all = [SHORT, SUBSEASONAL, SEASONAL];
    expect(horizonsOf(body)).toEqual({
      wind_speed_max: [SHORT],
      wind_gust_max: [{ ...SHORT, end_date: '2026-03-14' }],
      dew_point: all,
      evapotranspiration: all,
    });
  }),

  timeline: test('two days of April, and months, have the horizons of the whole timeline', async () => {
    for (const more of ['&start_date=2026-04-01&end_date=2026-04-02', '&granularity=monthly']) {
      const body = await service.get(`/v2/forecast/statistics?${AT}&var=temp_mean&horizons=true${more}`);
      expect(horizonsOf(body)).toEqual({ temp_mean: [SHORT, SUBSEASONAL, SEASONAL] });
    }
  }),

  tables:
    test('Arrow states them for one variable as `blend` does, for several by variable; CSV is the same', async () => {
      const short = { name: 'short-term', start: '2026-03-05', end: '2026-03-19' };
      const all = [
        short,
        { name: 'subseasonal', start: '2026-03-17', end: '2026-04-15', hand_over: '2026-03-17' },
        { name: 'seasonal', start: '2026-04-09', end: '2026-10-05', hand_over: '2026-04-09' },
      ];
      for (const path of PATHS) {
        const stated = async (query: string) => {
          const headers = { accept: ARROW };
          const response = await service.request(`${path}?${query}&horizons=true`, headers);
          return JSON.parse(tableFromIPC(await response.arrayBuffer()).schema.metadata.get('horizons') ?? 'null');
        };
        expect(await stated(`${AT}&var=temp_mean`)).toEqual(all);
        expect(await stated('points=37.25,-80;37.5,-80&var=temp_mean')).toEqual(all);
        expect(await stated(`${AT}&var=temp_mean,wind_speed_max`)).toEqual({ temp_mean: all, wind_speed_max: [short] });
        const csv = async (more: string) =>
          (await service.request(`${path}?${AT}${more}`, { accept: 'text/csv' })).text();
        expect(await csv('&horizons=true')).toBe(await csv(''));
      }
    }),

  unknown: test('the body of a timeline without them is that without the parameter', async () => {
    const { request } = tinyService({ forecast: tinyForecast('precipitation', [[1], [2]]) });
    for (const path of PATHS) {
      const [plain, requested] = await Promise.all(
        ['', '&horizons=true'].map(async (more) => (await request(`${path}?${AT}${more}`)).text()),
      );
      expect(requested).toBe(plain);
    }
  }),
});
