/* Examples of bodies, cut to an entry or two. */

const PLACE = { latitude: 37.25, longitude: -80 };

export const FORECAST_EXAMPLE = {
  meta: {
    variables: ['precipitation'],
    dropped_variables: ['wind_gust_max'],
    granularity: 'weekly',
    units: { precipitation: 'mm' },
    location: PLACE,
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

export const HISTORY_EXAMPLE = {
  meta: {
    variables: ['temp_mean'],
    dropped_variables: [],
    granularity: 'daily',
    units: { temp_mean: '°C' },
    location: PLACE,
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
    location: PLACE,
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
