import fc from 'fast-check';
import { climateKeys } from '../../src/climate/climatology.js';
import { conditionStatistic } from '../../src/condition/condition-text.js';
import { parseCondition } from '../../src/condition/parse-condition.js';
import { type FloatArray, floatArray } from '../../src/core/number-arrays.js';
import { GRANULARITIES, type Granularity, windowTable } from '../../src/period/period.js';
import type {
  HistoryAnswer,
  HorizonRange,
  MembersAnswer,
  StatisticsAnswer,
  StoredPrecision,
} from '../../src/respond/answer-data.js';
import type { Threshold } from '../../src/statistics/options.js';
import type { StatisticsColumns } from '../../src/statistics/statistics-columns.js';
import { HORIZONS, type HorizonName } from '../../src/variable/availability.js';
import { variables as builtIn } from '../../src/variable/built-in.js';
import { anyCharacter } from '../property/any-character.js';
import { seeded } from '../reference/fields.js';

/*
 * Random answers of every kind.
 */

const TODAY = 20_412;
const finite = { noNaN: true, noDefaultInfinity: true } as const;

export const granularities = fc.constantFrom<Granularity>(...GRANULARITIES);
const texts = fc.oneof(fc.string({ unit: anyCharacter }), fc.string(), fc.constant('NOAA "GEFS"\n\\ µ ² ° €'));

const locations = fc.record({
  latitude: fc.double({ min: -90, max: 90, ...finite }).map((x) => x + 0),
  longitude: fc.double({ min: -180, max: 180, ...finite }).map((x) => x + 0),
});

const THRESHOLDS: readonly Threshold[] = [
  { operator: '>', limit: 20 },
  { operator: '>=', limit: 0.1 },
  { operator: '<', limit: -5 },
  { operator: '<=', limit: 1e-7 },
];

const CONDITIONS = ['5..20', '>q90', 'precipitation>5 and temp_mean<0'].map((text) =>
  conditionStatistic(parseCondition(text)),
);

/** Weather-like values, a tenth of them missing, in either type. */
function values(length: number, seed: number): FloatArray {
  const random = seeded(seed);
  const value = () => (random() < 0.1 ? Number.NaN : (random() - 0.3) * 10 ** (random() * 4));
  return floatArray(seed % 2 === 0 ? 'float32' : 'float64', length).map(value);
}

const spans = fc.record({
  seed: fc.nat(),
  lead: fc.integer({ min: -3, max: 3 }),
  days: fc.integer({ min: 1, max: 40 }),
});

const somePlaces = fc.uniqueArray(
  fc.record({ variable: fc.constantFrom(...builtIn), downscaled: fc.boolean(), location: locations, span: spans }),
  { selector: ({ variable }) => variable.slug, maxLength: 4 },
);

/** Places of a timeline, half of them with horizons. */
const timelinePlaces = fc
  .tuple(somePlaces, fc.infiniteStream(fc.option(fc.subarray([...HORIZONS]), { nil: undefined })))
  .map(([places, horizons]) =>
    places.map((place) => ({
      ...place,
      horizons: horizons.next().value?.map((horizon: HorizonName, h: number) => ({
        horizon,
        firstDay: TODAY + 10 * h,
        lastDay: TODAY + 10 * h + 12,
      })) as readonly HorizonRange[] | undefined,
    })),
  );

const forecasts = {
  initTime: fc.constant('2025-11-20T00:00:00Z'),
  version: texts,
  generation: texts,
  attribution: fc.option(texts, { nil: undefined }),
  requested: locations,
  closest: locations,
  period: fc.constantFrom(undefined, { firstDay: TODAY, lastDay: TODAY + 20 }),
  precision: fc.constantFrom<StoredPrecision | undefined>(
    undefined,
    { temp_mean: 0.05 },
    { temp_mean: 0.1, precipitation: 1e-7 },
  ),
};

const windowsOf = (granularity: Granularity, { lead, days }: { lead: number; days: number }) =>
  windowTable(granularity, TODAY + lead, TODAY + lead + days - 1, { partial: days % 3 === 0 });

function statisticsOf(length: number, quantiles: number, seed: number): StatisticsColumns {
  const columns = Array.from({ length: quantiles }, (_, k) => values(length, seed + 2 * k));
  const members = Int32Array.from({ length }, (_, i) => 31 - (i % 3));
  return { length, mean: values(length, seed), quantiles: columns, probabilities: [], categories: [], members };
}

export const membersAnswers = fc
  .record({ ...forecasts, variables: timelinePlaces, members: fc.integer({ min: 0, max: 6 }) })
  .map(
    ({ variables, members, ...answer }): MembersAnswer => ({
      ...answer,
      variables: variables.map(({ span, ...answered }, v) => ({
        ...answered,
        firstDay: TODAY + span.lead,
        days: span.days,
        members: Array.from({ length: members + (v % 2) }, (_, m) => values(span.days, span.seed + m)),
      })),
    }),
  );

export const statisticsAnswers = fc
  .record({
    ...forecasts,
    granularity: granularities,
    quantiles: fc.uniqueArray(fc.constantFrom(0, 0.025, 0.05, 0.1, 0.25, 0.5, 0.999999, 1), { maxLength: 5 }),
    thresholds: fc.array(fc.uniqueArray(fc.constantFrom(...THRESHOLDS), { maxLength: 3 }), { maxLength: 3 }),
    conditions: fc.array(fc.subarray(CONDITIONS), { maxLength: 3 }),
    terciles: fc.constantFrom(undefined, 'observations', 'a "model" µ'),
    variables: timelinePlaces,
  })
  .map(
    ({ variables, thresholds, conditions, terciles, ...answer }): StatisticsAnswer => ({
      ...answer,
      variables: variables.map(({ span, ...answered }, v) => {
        const windows = windowsOf(answer.granularity, span);
        const statistics = statisticsOf(windows.count, answer.quantiles.length, span.seed);
        const share = (k: number) => values(windows.count, span.seed + k).map((x) => Math.abs(x) % 1);
        const limits = thresholds.at(v);
        // The second variable has no climatology.
        const climatology = v === 1 || terciles === undefined ? undefined : { name: terciles, reference: '1993-2022' };
        return {
          ...{ ...answered, windows, thresholds: limits },
          conditions: conditions.at(v)?.map((statistic, k) => ({ statistic, values: Float32Array.from(share(8 + k)) })),
          statistics: { ...statistics, probabilities: (limits ?? []).map((_, k) => share(k)) },
          terciles: terciles === undefined ? undefined : { shares: [share(5), share(6), share(7)], climatology },
        };
      }),
    }),
  );

export const historyAnswers = fc
  .record({
    granularity: granularities,
    location: locations,
    period: forecasts.period,
    attribution: forecasts.attribution,
    precision: forecasts.precision,
    variables: somePlaces,
  })
  .map(
    ({ variables, ...answer }): HistoryAnswer => ({
      ...answer,
      variables: variables.map(({ span, ...answered }) => {
        const windows = windowsOf(answer.granularity, span);
        return { ...answered, windows, values: values(windows.count, span.seed) };
      }),
    }),
  );

const legacy = {
  granularity: granularities,
  location: locations,
  locationId: fc.constantFrom(undefined, 'demo-field'),
  dropped: fc.constantFrom<string[]>([], ['wind_speed_max', 'wind_gust_max']),
  attribution: forecasts.attribution,
  variables: somePlaces,
};

export const legacyForecastAnswers = fc
  .record({ ...legacy, initTime: forecasts.initTime, terciles: fc.boolean() })
  .map(({ variables, terciles, ...answer }) => ({
    ...answer,
    ...(terciles && { tercileReference: 'observations', referencePeriod: '1993-2022' }),
    variables: variables.map(({ variable, span }, v) => {
      const windows = windowsOf(answer.granularity, span);
      const share = (k: number) => values(windows.count, span.seed + k).map((x) => Math.abs(x) % 1);
      return {
        variable,
        windows,
        statistics: statisticsOf(windows.count, 5, span.seed),
        ...(terciles && v !== 1 && { terciles: [share(0), share(1), share(2)] as const }),
      };
    }),
  }));

export const legacyHistoryAnswers = fc.record(legacy).map(({ variables, ...answer }) => ({
  ...answer,
  variables: variables.map(({ variable, span }) => ({
    variable,
    firstDay: TODAY + span.lead,
    values: values(span.days, span.seed),
  })),
}));

export const legacyClimatologyAnswers = fc.record(legacy).map(({ variables, ...answer }) => {
  const keys = climateKeys(answer.granularity);
  return {
    ...answer,
    referencePeriod: '1993-2022',
    keys,
    variables: variables.map(({ variable, span }) => ({
      variable,
      quantiles: Array.from({ length: 5 }, (_, k) => values(keys.length, span.seed + k)),
    })),
  };
});
