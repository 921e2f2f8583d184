import { HORIZONS } from '../../variable/availability.js';
import type { DayRange, ForecastAnswer } from '../answer-data.js';
import type { JsonWriter } from '../json-writer.js';
import { ATTRIBUTION, DATE, INIT_TIME, LOCATION, type Schema } from '../schema-parts.js';
import { writeLocation } from '../write-fields.js';
import type { DescribedVariable, HeadField, VariableField } from './answer-description.js';

/* Fields that several answers of `/v2` have. */

export const PERIOD_KEYS: Schema = {
  type: 'object',
  propertyNames: {
    type: 'string',
    pattern: '^\\d{4}-(\\d{2}-\\d{2}|W\\d{2}|\\d{2})$',
    description: 'YYYY-MM-DD, ISO week YYYY-Www, or YYYY-MM.',
  },
};

export const PERIOD: HeadField = {
  ...{ name: 'period', as: 'period', role: 'constant' },
  schema: {
    type: ['object', 'null'],
    description: 'The days in the response, both inclusive; null where there are none.',
    required: ['start_date', 'end_date'],
    properties: { start_date: DATE, end_date: DATE },
  },
};

export const CREDIT: HeadField = {
  ...{ name: 'attribution', as: 'text', role: 'constant', isOptional: true },
  schema: ATTRIBUTION,
};

/** The first fields of every forecast. */
export const FORECAST_HEAD: { readonly [Name in Exclude<keyof ForecastAnswer, 'attribution'>]-?: HeadField } = {
  initTime: { name: 'init_time', as: 'text', role: 'constant', schema: INIT_TIME },
  version: {
    ...{ name: 'version', as: 'text', role: 'constant' },
    schema: { type: 'string', description: 'Of the model or dataset.' },
  },
  generation: {
    ...{ name: 'generation', as: 'text', role: 'constant' },
    schema: { type: 'string', description: 'Unique to the forecast; opaque.' },
  },
  requested: {
    ...{ name: 'requested', within: 'location', as: 'location', role: 'of-point' },
    schema: { ...LOCATION, description: 'The requested coordinates.' },
  },
  closest: {
    ...{ name: 'closest_location', within: 'location', as: 'location', role: 'of-point' },
    schema: { ...LOCATION, description: 'The point of the coarse grid.' },
  },
  period: PERIOD,
};

type SharedFields<Name extends keyof DescribedVariable> = {
  readonly [Each in Name]-?: VariableField<DescribedVariable>;
};

/** The first fields of every variable. */
export const PLACED_VARIABLE: SharedFields<'variable' | 'downscaled' | 'location'> = {
  variable: {
    ...{ name: 'units', role: 'constant' },
    schema: { type: 'string', description: 'The label of the unit.' },
    write(writer, { variable }) {
      writer.name('units');
      writer.text(variable.label);
    },
  },
  downscaled: {
    ...{ name: 'downscaled', role: 'constant' },
    schema: { type: 'boolean', description: 'Whether the values are those of the 1 km grid.' },
    write(writer, { downscaled }) {
      writer.name('downscaled');
      writer.boolean(downscaled);
    },
  },
  location: {
    ...{ name: 'closest_location', role: 'of-point', isOptional: true },
    schema: { ...LOCATION, description: 'The point of the 1 km grid; only where downscaled.' },
    write(writer, { downscaled, location }) {
      if (downscaled) writeLocation(writer, 'closest_location', location);
    },
  },
};

/** The first fields of every variable of a forecast. */
export const FORECAST_VARIABLE: SharedFields<'variable' | 'downscaled' | 'location' | 'horizons'> = {
  ...PLACED_VARIABLE,
  horizons: {
    ...{ name: 'horizons', role: 'constant', isOptional: true },
    schema: {
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
    },
    write(writer, { horizons }) {
      if (horizons === undefined) return;
      writer.name('horizons');
      writer.beginArray();
      for (const range of horizons) {
        writer.beginObject();
        writer.name('horizon');
        writer.text(range.horizon);
        writeDays(writer, range);
        writer.endObject();
      }
      writer.endArray();
    },
  },
};

/** The fields `start_date` and `end_date`. */
export function writeDays(writer: JsonWriter, { firstDay, lastDay }: DayRange): void {
  writer.name('start_date');
  writer.period('daily', firstDay);
  writer.name('end_date');
  writer.period('daily', lastDay);
}
