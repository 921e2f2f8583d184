/** Climatologies, and statistics against them. */

/** What is recorded of a climatology. */
const FIELDS = [
  ...['keys', 'samples', 'mean', 'quantiles', 'quantileValues', 'categories', 'limits', 'thresholds'],
  ...['probabilities', 'reference', 'metadata'],
];

export function climateCalls({ api, core }) {
  const history = (slug, days = 10_957, more = {}) =>
    api.demoTable(slug, { initDate: 8401, days, members: 1, seed: 4, ...more });
  const options = {
    daily: { granularity: 'daily' },
    'daily of 3 days about': { granularity: 'daily', halfWidth: 3, quantiles: [0.1, 0.9] },
    weekly: { granularity: 'weekly', thresholds: ['>20'] },
    monthly: { granularity: 'monthly' },
    'five categories': { granularity: 'monthly', categories: 5, quantileType: 6 },
    'no categories': { granularity: 'weekly', categories: 0 },
    'a few years': { granularity: 'monthly', reference: '1995-2001' },
    'years that are missing': { granularity: 'monthly', reference: '1981-2010' },
    'fewer years': { granularity: 'monthly', reference: '1981-2010', fewerYears: true, minSampleShare: 0.5 },
  };
  const made = new Map();
  const normal = (slug, how) => {
    const key = `${slug} ${how}`;
    if (!made.has(key)) made.set(key, api.climatology(core, history(slug), options[how]));
    return made.get(key);
  };
  const publicClimatology = (climatology) => {
    return Object.fromEntries(FIELDS.map((name) => [name, climatology[name]]));
  };
  const forecast = api.demoTable('precipitation', { days: 120, members: 11 });
  const hindcasts = [2001, 2002, 2003, 2004].map((year) =>
    api.demoTable('precipitation', { initDate: api.dayNumber(year, 3, 1), days: 100, members: 5, seed: year }),
  );
  return {
    ...Object.fromEntries(
      ['precipitation', 'temp_mean'].flatMap((slug) =>
        Object.keys(options).map((how) => [
          `climatology of ${slug}, ${how}`,
          () => publicClimatology(normal(slug, how)),
        ]),
      ),
    ),
    'climatology of hindcasts': () =>
      publicClimatology(api.climatology(core, hindcasts, { granularity: 'weekly', reference: '2001-2004' })),
    'climatology of a history in two tables': () =>
      publicClimatology(
        api.climatology(core, [history('precipitation', 4000), history('precipitation', 6957, { initDate: 12_401 })], {
          granularity: 'weekly',
        }),
      ),
    'climatology of a history twice': () => api.climatology(core, [history('precipitation'), history('precipitation')]),
    ...Object.fromEntries(
      ['daily', 'weekly', 'monthly'].flatMap((how) => [
        [
          `climatologyTable and back, ${how}`,
          () => {
            const table = api.climatologyTable(normal('precipitation', how));
            return [table, publicClimatology(api.readClimatology(table))];
          },
        ],
        [`statisticsAgainst, ${how}`, () => api.statisticsAgainst(core, forecast, normal('precipitation', how))],
        [
          `statisticsAgainst with more columns, ${how}`,
          () =>
            api.statisticsAgainst(core, forecast, normal('precipitation', how), {
              exceed: [0.95],
              anomaly: true,
              spread: true,
              partial: true,
            }),
        ],
      ]),
    ),
    'statisticsAgainst five categories': () =>
      api.statisticsAgainst(core, forecast, normal('precipitation', 'five categories')),
    'statisticsAgainst another variable': () => api.statisticsAgainst(core, forecast, normal('temp_mean', 'weekly')),
    'statisticsAgainst a quantile that is not there': () =>
      api.statisticsAgainst(core, forecast, normal('precipitation', 'weekly'), { exceed: [0.77] }),
    'readClimatology of no climatology': () => api.readClimatology(forecast),
  };
}
