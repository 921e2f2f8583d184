import { beforeAll, expect } from 'vitest';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, type Service, TODAY } from './service.js';
import { addDays, completeWindows } from './slow-statistics.js';

/** All horizons have as many members as the first: legacy answers are of the same members as the timeline. */
let service: Service;
beforeAll(async () => {
  service = await conformanceService({ seasonalMembers: 31 });
});

const SLUGS = 'temp_mean,temp_min,temp_max,precipitation,relative_humidity,wind_speed,solar_radiation';

/** The entries of both endpoints by variable and first day, with the fields' names of the second version. */
async function bothOf(horizon: string, granularity: 'daily' | 'weekly' | 'monthly', range: string) {
  const query = `${AT}&var=${SLUGS}&granularity=${granularity}`;
  const current = await service.get(`/v2/forecast/statistics?${query}&${range}`);
  const legacy = await service.get(`/v1/forecast/${horizon}?${query}`);
  const renamed = legacy.data.flatMap(({ date, attributes }: Body) =>
    Object.entries<Body>(attributes).map(([slug, { ensemble_mean, quantile }]) => [
      `${slug} ${date}`,
      {
        mean: ensemble_mean,
        ...{ q05: quantile['quantile_0.05'], q25: quantile['quantile_0.25'], q50: quantile['quantile_0.50'] },
        ...{ q75: quantile['quantile_0.75'], q95: quantile['quantile_0.95'] },
      },
    ]),
  );
  return { current, old: new Map<string, Body>(renamed) };
}

/** Expects the windows between two dates, of one run alone, to have the same numbers in both versions. */
async function expectAgreement(
  horizon: string,
  granularity: 'daily' | 'weekly' | 'monthly',
  range: string,
  [first, last]: readonly [string, string],
) {
  const { current, old } = await bothOf(horizon, granularity, range);
  const windows = completeWindows(granularity, first, last);
  expect(windows.size).toBeGreaterThan(1);
  for (const slug of SLUGS.split(',')) {
    for (const [key, [start]] of windows) {
      expect([slug, key, current.variables[slug].statistics[key]]).toEqual([slug, key, old.get(`${slug} ${start}`)]);
    }
  }
}

const after = (days: number) => addDays(TODAY, days);

section('4.2 Equivalents of the legacy calls on this endpoint', import.meta.url, {
  shortTerm: test('15 days have the numbers of the legacy call, until the first seam', async () => {
    const range = `end_date=${after(14)}`;
    const { current, old } = await bothOf('short-term', 'daily', range);
    expect(Object.keys(current.variables.temp_mean.statistics)).toHaveLength(15);
    expect(old.size).toBe(7 * 15);
    // Members of the next run join three days before the end.
    await expectAgreement('short-term', 'daily', range, [TODAY, after(11)]);
  }),

  subseasonal: test('weeks to today+42 have the numbers of the legacy call, between the seams', async () => {
    const range = `start_date=${after(14)}&end_date=${after(42)}`;
    const { current } = await bothOf('subseasonal', 'weekly', range);
    const weeks = completeWindows('weekly', after(14), after(42));
    expect(Object.keys(current.variables.temp_mean.statistics)).toEqual([...weeks.keys()]);
    await expectAgreement('subseasonal', 'weekly', range, [after(15), after(34)]);
  }),

  seasonal: test('months to today+180 have the numbers of the legacy call, after the last seam', async () => {
    const range = `start_date=${after(30)}&end_date=${after(180)}`;
    const { current } = await bothOf('seasonal', 'monthly', range);
    expect(Object.keys(current.variables.temp_mean.statistics)).toEqual(['2026-05', '2026-06', '2026-07', '2026-08']);
    await expectAgreement('seasonal', 'monthly', range, [after(42), after(180)]);
  }),

  timeline: test('one call to today+180 has every window, with the numbers of each legacy call', async () => {
    for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
      const query = `${AT}&var=temp_mean&granularity=${granularity}&end_date=${after(180)}`;
      const { variables, period } = await service.get(`/v2/forecast/statistics?${query}`);
      const windows = completeWindows(granularity, TODAY, after(180));
      expect(Object.keys(variables.temp_mean.statistics)).toEqual([...windows.keys()]);
      expect(period).toEqual({ start_date: TODAY, end_date: after(180) });
    }
    await expectAgreement('short-term', 'daily', `end_date=${after(180)}`, [TODAY, after(11)]);
    await expectAgreement('subseasonal', 'daily', `end_date=${after(180)}`, [after(15), after(34)]);
    await expectAgreement('seasonal', 'daily', `end_date=${after(180)}`, [after(42), after(180)]);
  }),
});
