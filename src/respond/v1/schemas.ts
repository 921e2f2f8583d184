import {
  ATTRIBUTION,
  DATE,
  GRANULARITY,
  INIT_TIME,
  LOCATION,
  NUMBER,
  type Schema,
  SLUGS,
  TEXT,
} from '../shared-fields.js';

/* Examples of bodies, cut to an entry or two. */

const PLACE = { latitude: 37.25, longitude: -80 };

const FORECAST_EXAMPLE = {
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

const HISTORY_EXAMPLE = {
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

const CLIMATOLOGY_EXAMPLE = {
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

const SHARE: Schema = { type: ['number', 'null'], minimum: 0, maximum: 1, description: 'Null where there is none.' };

const QUANTILES: Schema = {
  type: 'object',
  required: ['quantile_0.05', 'quantile_0.25', 'quantile_0.50', 'quantile_0.75', 'quantile_0.95'],
  properties: {
    'quantile_0.05': NUMBER,
    'quantile_0.25': NUMBER,
    'quantile_0.50': NUMBER,
    'quantile_0.75': NUMBER,
    'quantile_0.95': NUMBER,
  },
};

const PROBABILITIES: Schema = {
  type: 'object',
  description: 'Shares of members below, within and above the terciles; in weekly and monthly responses only.',
  required: ['clim_prob_0.00-0.33', 'clim_prob_0.33-0.67', 'clim_prob_0.67-1.00'],
  properties: { 'clim_prob_0.00-0.33': SHARE, 'clim_prob_0.33-0.67': SHARE, 'clim_prob_0.67-1.00': SHARE },
};

const META_FIELDS: Schema = {
  variables: SLUGS,
  dropped_variables: { ...SLUGS, description: 'Requested variables that the data do not have.' },
  granularity: GRANULARITY,
  units: { type: 'object', description: 'The label of the unit of each variable.', additionalProperties: TEXT },
  location: LOCATION,
  location_id: { type: 'string', description: 'The stored location, where one was requested.' },
  attribution: ATTRIBUTION,
};

const REQUIRED_META_FIELDS = ['variables', 'dropped_variables', 'granularity', 'units', 'location'];

const FORECAST_META: Schema = {
  type: 'object',
  required: [...REQUIRED_META_FIELDS, 'init_time'],
  properties: {
    ...META_FIELDS,
    init_time: INIT_TIME,
    reference_period: { type: 'string', description: 'The years of the climatology, where there are probabilities.' },
    tercile_reference: { type: 'string', description: 'Which climatology the terciles are of.' },
  },
};

const HISTORY_META: Schema = { type: 'object', required: REQUIRED_META_FIELDS, properties: META_FIELDS };

const CLIMATOLOGY_META: Schema = {
  type: 'object',
  required: [...REQUIRED_META_FIELDS, 'reference_period'],
  properties: { ...META_FIELDS, reference_period: { type: 'string', description: 'The years of the climatology.' } },
};

const FORECAST_ATTRIBUTES: Schema = {
  type: 'object',
  required: ['ensemble_mean', 'quantile'],
  properties: { ensemble_mean: NUMBER, quantile: QUANTILES, probability: PROBABILITIES },
};

const HISTORY_ATTRIBUTES: Schema = { type: 'object', required: ['values'], properties: { values: NUMBER } };

const CLIMATOLOGY_ATTRIBUTES: Schema = {
  type: 'object',
  required: ['quantile'],
  properties: { quantile: QUANTILES },
};

const WINDOW_DATE: Schema = { ...DATE, description: "The window's first day." };

const CLIMATOLOGY_DATE: Schema = {
  type: 'string',
  pattern: '^(\\d{2}-\\d{2}|W\\d{2}|\\d{2})$',
  description: 'The period of the year: MM-DD, W01 to W53, or MM.',
};

/** The body of `/v1/forecast/...`. */
export const LEGACY_FORECAST: Schema = /* @__PURE__ */ legacyBody({
  description: 'One horizon by itself, by the first day of each window.',
  meta: FORECAST_META,
  date: WINDOW_DATE,
  attributes: FORECAST_ATTRIBUTES,
  example: FORECAST_EXAMPLE,
});

/** The body of `/v1/history`. */
export const LEGACY_HISTORY: Schema = /* @__PURE__ */ legacyBody({
  description: 'Daily values of the last 12 months.',
  meta: HISTORY_META,
  date: WINDOW_DATE,
  attributes: HISTORY_ATTRIBUTES,
  example: HISTORY_EXAMPLE,
});

/** The body of `/v1/climatology`. */
export const LEGACY_CLIMATOLOGY: Schema = /* @__PURE__ */ legacyBody({
  description: 'Quantiles of a reference period, by day, week or month of the year.',
  meta: CLIMATOLOGY_META,
  date: CLIMATOLOGY_DATE,
  attributes: CLIMATOLOGY_ATTRIBUTES,
  example: CLIMATOLOGY_EXAMPLE,
});

interface LegacyBody {
  readonly description: string;
  readonly meta: Schema;
  readonly date: Schema;
  /** Of each variable. */
  readonly attributes: Schema;
  readonly example: unknown;
}

/** The schema of a legacy body: `meta`, and in `data` an entry for each date. */
function legacyBody({ description, meta, date, attributes, example }: LegacyBody): Schema {
  const entry = {
    type: 'object',
    required: ['date', 'attributes'],
    properties: { date, attributes: { type: 'object', additionalProperties: attributes } },
  };
  return {
    type: 'object',
    description,
    required: ['meta', 'data'],
    properties: { meta, data: { type: 'array', items: entry } },
    examples: [example],
  };
}
