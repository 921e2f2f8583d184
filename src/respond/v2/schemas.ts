import { HORIZONS } from '../../variable/availability.js';
import { ATTRIBUTION, DATE, GRANULARITY, INIT_TIME, LOCATION, NUMBER, type Schema, SLUGS } from '../schema-parts.js';
import { HISTORY_EXAMPLE, MEMBERS_EXAMPLE, STATISTICS_EXAMPLE } from './examples.js';

const UNITS: Schema = { type: 'string', description: 'The label of the unit.' };
const DOWNSCALED: Schema = { type: 'boolean', description: 'Whether the values are those of the 1 km grid.' };
const PERIOD_KEY: Schema = {
  type: 'string',
  pattern: '^\\d{4}-(\\d{2}-\\d{2}|W\\d{2}|\\d{2})$',
  description: 'YYYY-MM-DD, ISO week YYYY-Www, or YYYY-MM.',
};
const PERIOD: Schema = {
  type: ['object', 'null'],
  description: 'The days in the response, both inclusive; null where there are none.',
  required: ['start_date', 'end_date'],
  properties: { start_date: DATE, end_date: DATE },
};

const VARIABLE_FIELDS: Schema = {
  units: UNITS,
  downscaled: DOWNSCALED,
  closest_location: { ...LOCATION, description: 'The point of the 1 km grid; only where downscaled.' },
};

const HORIZON_RANGES: Schema = {
  type: 'array',
  description: 'The days of each horizon, from the shortest; with `horizons`, where the data have them.',
  items: {
    type: 'object',
    required: ['horizon', 'start_date', 'end_date'],
    properties: {
      horizon: { type: 'string', enum: HORIZONS },
      start_date: { ...DATE, description: 'The first day on which members may come from the horizon.' },
      end_date: { ...DATE, description: 'The last day on which members may come from the horizon.' },
    },
  },
};

const FORECAST_FIELDS: Schema = {
  init_time: INIT_TIME,
  version: { type: 'string', description: 'Of the model or dataset.' },
  generation: { type: 'string', description: 'Unique to the forecast; opaque.' },
  location: {
    type: 'object',
    required: ['requested', 'closest_location'],
    properties: {
      requested: { ...LOCATION, description: 'The requested coordinates.' },
      closest_location: { ...LOCATION, description: 'The point of the coarse grid.' },
    },
  },
  period: PERIOD,
  attribution: ATTRIBUTION,
};

const REQUIRED_FORECAST_FIELDS = ['init_time', 'version', 'generation', 'location', 'period', 'variables'];

const SHARE: Schema = {
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  description: 'The share of members beyond the threshold: p_gt_20 of `>20`. Null where missing.',
};

const STATISTICS_ENTRY: Schema = {
  type: 'object',
  description:
    'The mean over members, a field for each requested quantile (q05, q50, q025, q100), and for each requested share of members.',
  required: ['mean'],
  properties: {
    mean: NUMBER,
    p_below: { ...SHARE, description: 'The share of members below the lower tercile; with `terciles`.' },
    p_normal: { ...SHARE, description: 'The share of members between the terciles or on one.' },
    p_above: { ...SHARE, description: 'The share of members above the upper tercile.' },
  },
  patternProperties: { '^q\\d{2,6}$': NUMBER, '^p_(gt|ge|lt|le)_-?\\d': SHARE },
};

const MEMBERS: Schema = {
  type: 'object',
  required: ['units', 'downscaled', 'members'],
  properties: {
    ...VARIABLE_FIELDS,
    horizons: HORIZON_RANGES,
    members: {
      type: 'object',
      description: 'From date to the values of all members, always in the same order.',
      propertyNames: DATE,
      additionalProperties: { type: 'array', items: NUMBER },
    },
  },
};

const STATISTICS: Schema = {
  type: 'object',
  required: ['units', 'downscaled', 'statistics'],
  properties: {
    ...VARIABLE_FIELDS,
    horizons: HORIZON_RANGES,
    statistics: { type: 'object', propertyNames: PERIOD_KEY, additionalProperties: STATISTICS_ENTRY },
  },
};

const VALUES: Schema = {
  type: 'object',
  required: ['units', 'downscaled', 'values'],
  properties: {
    ...VARIABLE_FIELDS,
    values: { type: 'object', propertyNames: PERIOD_KEY, additionalProperties: NUMBER },
  },
};

/** The body of `/v2/forecast`. */
export const FORECAST_MEMBERS: Schema = {
  type: 'object',
  description: 'The members of the blended forecast, day by day.',
  required: REQUIRED_FORECAST_FIELDS,
  properties: { ...FORECAST_FIELDS, variables: { type: 'object', additionalProperties: MEMBERS } },
  examples: [MEMBERS_EXAMPLE],
};

/** The body of `/v2/forecast/statistics`. */
export const FORECAST_STATISTICS: Schema = {
  type: 'object',
  description:
    'Mean and quantiles over the members of the blended forecast, and shares of members, by day, week or month.',
  required: [...REQUIRED_FORECAST_FIELDS, 'granularity'],
  properties: {
    ...FORECAST_FIELDS,
    granularity: GRANULARITY,
    reference_period: { type: 'string', description: 'The years that terciles are of; only where there are such.' },
    tercile_reference: { type: 'string', description: 'The climatology of the terciles; only where there are such.' },
    variables: { type: 'object', additionalProperties: STATISTICS },
  },
  examples: [STATISTICS_EXAMPLE],
};

/** The body of `/v2/history`. */
export const HISTORY: Schema = {
  type: 'object',
  description: 'What was observed or reanalysed, by day, week or month.',
  required: ['meta', 'data'],
  properties: {
    meta: {
      type: 'object',
      required: ['variables', 'granularity', 'location', 'period'],
      properties: {
        variables: SLUGS,
        granularity: GRANULARITY,
        location: { ...LOCATION, description: 'The point of the coarse grid.' },
        period: PERIOD,
        attribution: ATTRIBUTION,
      },
    },
    data: { type: 'object', additionalProperties: VALUES },
  },
  examples: [HISTORY_EXAMPLE],
};
