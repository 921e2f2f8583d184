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

const LEGACY_PLACE = { latitude: 37.25, longitude: -80 };

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

export const LEGACY_FORECAST_EXAMPLE = {
  meta: {
    variables: ['precipitation'],
    dropped_variables: ['wind_gust_max'],
    granularity: 'weekly',
    units: { precipitation: 'mm' },
    location: LEGACY_PLACE,
    init_time: '2026-11-20T00:00:00Z',
    reference_period: '1993-2022',
    tercile_reference: 'observations',
  },
  data: [
    {
      date: '2026-11-30',
      attributes: {
        precipitation: {
          ensemble_mean: 18.3,
          quantile: {
            'quantile_0.05': 0.6,
            'quantile_0.25': 6.15,
            'quantile_0.50': 14.2,
            'quantile_0.75': 27.9,
            'quantile_0.95': 48,
          },
          probability: {
            'clim_prob_0.00-0.33': 0.2581,
            'clim_prob_0.33-0.67': 0.3548,
            'clim_prob_0.67-1.00': 0.3871,
          },
        },
      },
    },
  ],
};

export const LEGACY_HISTORY_EXAMPLE = {
  meta: {
    variables: ['temp_mean'],
    dropped_variables: [],
    granularity: 'daily',
    units: { temp_mean: '°C' },
    location: LEGACY_PLACE,
    location_id: 'demo-field',
  },
  data: [{ date: '2026-11-19', attributes: { temp_mean: { values: 7.31 } } }],
};

export const CLIMATOLOGY_EXAMPLE = {
  meta: {
    variables: ['temp_mean'],
    dropped_variables: [],
    granularity: 'monthly',
    units: { temp_mean: '°C' },
    location: LEGACY_PLACE,
    reference_period: '1993-2022',
  },
  data: [
    {
      date: '07',
      attributes: {
        temp_mean: {
          quantile: {
            'quantile_0.05': 22.9,
            'quantile_0.25': 23.84,
            'quantile_0.50': 24.5,
            'quantile_0.75': 25.3,
            'quantile_0.95': 26.41,
          },
        },
      },
    },
  ],
};
