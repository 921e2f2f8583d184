/* Examples of bodies, cut to an entry or two. */

const FORECAST = {
  init_time: '2026-11-20T00:00:00Z',
  version: 'gefs-v12',
  generation: '2026112000-7f3a9c',
  location: {
    requested: { latitude: 37.271, longitude: -79.9414 },
    closest_location: { latitude: 37.25, longitude: -80 },
  },
};

export const MEMBERS_EXAMPLE = {
  ...FORECAST,
  period: { start_date: '2026-11-20', end_date: '2026-11-21' },
  variables: {
    precipitation: {
      units: 'mm',
      downscaled: false,
      members: { '2026-11-20': [0, 1.25, 0.4], '2026-11-21': [3.1, null, 0] },
    },
  },
};

export const STATISTICS_EXAMPLE = {
  ...FORECAST,
  period: { start_date: '2026-11-23', end_date: '2026-11-29' },
  granularity: 'weekly',
  attribution: 'NOAA GEFS',
  variables: {
    temp_mean: {
      units: '°C',
      downscaled: true,
      closest_location: { latitude: 37.275, longitude: -79.9417 },
      statistics: { '2026-W48': { mean: 8.13, q05: 4.2, q25: 6.71, q50: 8.02, q75: 9.6, q95: 12.44 } },
    },
  },
};

export const HISTORY_EXAMPLE = {
  meta: {
    variables: ['precipitation'],
    granularity: 'monthly',
    location: { latitude: 37.25, longitude: -80 },
    period: { start_date: '2026-09-01', end_date: '2026-10-31' },
  },
  data: {
    precipitation: { units: 'mm', downscaled: false, values: { '2026-09': 84.2, '2026-10': null } },
  },
};
