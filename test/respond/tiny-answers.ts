import { dayNumber } from '../../src/period/day.js';
import { windowTable } from '../../src/period/period.js';
import type {
  HistoryAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  MembersAnswer,
  StatisticsAnswer,
} from '../../src/respond/answer-data.js';
import type { StatisticsColumns } from '../../src/statistics/statistics-columns.js';
import { findVariable } from '../../src/variable/find-variable.js';

/*
 * One answer of each kind, with an entry or two.
 */

const today = dayNumber(2025, 11, 20);
const closest = { latitude: 37.25, longitude: -80 };
const precipitation = findVariable('precipitation');
const temperature = findVariable('temp_mean');

const forecast = {
  initTime: '2025-11-20T00:00:00Z',
  version: 'gefs-v12',
  generation: '7f3a',
  requested: { latitude: 37.27, longitude: -79.94 },
  closest,
};

function columns(mean: number[], ...quantiles: number[][]): StatisticsColumns {
  return {
    length: mean.length,
    mean: Float32Array.from(mean),
    quantiles: quantiles.map((values) => Float32Array.from(values)),
    probabilities: [],
    categories: [],
    members: Int32Array.from(mean, (x) => (Number.isNaN(x) ? 3 : 31)),
  };
}

export const members: MembersAnswer = {
  ...forecast,
  period: { firstDay: today, lastDay: today + 1 },
  variables: [
    {
      variable: precipitation,
      downscaled: false,
      location: closest,
      firstDay: today,
      days: 2,
      members: [Float32Array.of(0, Number.NaN), Float32Array.of(1.25, 0.125), Float32Array.of(12.3, -1e-18)],
    },
  ],
};

export const statistics: StatisticsAnswer = {
  ...forecast,
  attribution: 'NOAA "GEFS"',
  period: { firstDay: today + 4, lastDay: today + 17 },
  granularity: 'weekly',
  quantiles: [0.05, 0.025],
  variables: [
    {
      variable: temperature,
      downscaled: true,
      location: { latitude: 37.275, longitude: -79.9417 },
      windows: windowTable('weekly', today, today + 18),
      statistics: columns([8.125, Number.NaN], [-4.2, Number.NaN], [6.7, Number.NaN]),
    },
  ],
};

export const history: HistoryAnswer = {
  granularity: 'monthly',
  location: closest,
  period: { firstDay: dayNumber(2025, 9, 1), lastDay: dayNumber(2025, 10, 31) },
  variables: [
    {
      variable: findVariable('solar_radiation'),
      downscaled: false,
      location: closest,
      windows: windowTable('monthly', dayNumber(2025, 9, 1), dayNumber(2025, 10, 31)),
      values: Float32Array.of(17.4, Number.NaN),
    },
  ],
};

const NONE = Number.NaN;

export const legacyForecast: LegacyForecastAnswer = {
  granularity: 'weekly',
  location: closest,
  locationId: 'demo-field',
  dropped: ['wind_gust_max'],
  initTime: forecast.initTime,
  tercileReference: 'observations',
  referencePeriod: '1993-2022',
  variables: [
    {
      variable: precipitation,
      windows: windowTable('weekly', today + 7, today + 26),
      statistics: columns([18.3, NONE], [0.5, NONE], [1.5, NONE], [2.5, NONE], [3.5, NONE], [4.5, NONE]),
      terciles: [Float32Array.of(8 / 31, NONE), Float32Array.of(11 / 31, NONE), Float32Array.of(12 / 31, NONE)],
    },
    {
      variable: temperature,
      windows: windowTable('weekly', today + 7, today + 18),
      statistics: columns([5], [1], [2], [3], [4], [5]),
    },
  ],
};

export const legacyHistory: LegacyHistoryAnswer = {
  granularity: 'daily',
  location: closest,
  dropped: [],
  variables: [
    { variable: temperature, firstDay: today - 2, values: Float32Array.of(7.31, NONE) },
    { variable: precipitation, firstDay: today - 1, values: Float32Array.of(-0) },
  ],
};

export const legacyClimatology: LegacyClimatologyAnswer = {
  granularity: 'monthly',
  location: closest,
  dropped: [],
  referencePeriod: '1993-2022',
  keys: ['01', '02'],
  variables: [
    {
      variable: temperature,
      quantiles: [-1.5, 0, 1.5, 3, 4.5].map((x) => Float32Array.of(x, NONE)),
    },
  ],
};
