/* Schemas that several responses share. */

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>;

export const TEXT: Schema = { type: 'string' };
export const DATE: Schema = { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
export const SLUGS: Schema = { type: 'array', items: TEXT };
export const GRANULARITY: Schema = { type: 'string', enum: ['daily', 'weekly', 'monthly'] };
export const NUMBER: Schema = { type: ['number', 'null'], description: 'Null where missing.' };
export const ATTRIBUTION: Schema = { type: 'string', description: 'Whom to credit for the data.' };

export const LOCATION: Schema = {
  type: 'object',
  required: ['latitude', 'longitude'],
  properties: {
    latitude: { type: 'number', minimum: -90, maximum: 90 },
    longitude: { type: 'number', minimum: -180, maximum: 360 },
  },
};

export const INIT_TIME: Schema = { type: 'string', format: 'date-time', description: 'When the model run was issued.' };
