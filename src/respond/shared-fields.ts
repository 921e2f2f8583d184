import { GRANULARITIES } from '../period/period.js';
import type { Location } from './answer-data.js';
import type { JsonWriter } from './json-writer.js';

/* Schemas that several responses share. */

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>;

export const TEXT: Schema = { type: 'string' };
export const DATE: Schema = { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
export const SLUGS: Schema = { type: 'array', items: TEXT };
export const GRANULARITY: Schema = { type: 'string', enum: GRANULARITIES };
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

/** Shares are rounded to so many decimals. */
export const SHARE_DECIMALS = 4;

/** A field `{latitude, longitude}`: both numbers are written exactly. */
export function writeLocation(writer: JsonWriter, name: string, { latitude, longitude }: Location): void {
  writer.name(name);
  writer.beginObject();
  writer.name('latitude');
  writer.exact(latitude);
  writer.name('longitude');
  writer.exact(longitude);
  writer.endObject();
}

/** A text field; nothing where the text is undefined. */
export function writeOptional(writer: JsonWriter, name: string, text: string | undefined): void {
  if (text === undefined) return;
  writer.name(name);
  writer.text(text);
}

/** Plain data: texts, numbers, booleans, and lists and objects of them; undefined fields are left out. */
export function writePlain(writer: JsonWriter, value: unknown): void {
  if (typeof value === 'string') writer.text(value);
  else if (typeof value === 'number') writer.exact(value);
  else if (typeof value === 'boolean') writer.boolean(value);
  else if (Array.isArray(value)) {
    writer.beginArray();
    for (const item of value) writePlain(writer, item);
    writer.endArray();
  } else {
    writer.beginObject();
    for (const [name, field] of Object.entries(value as object)) {
      if (field === undefined) continue;
      writer.name(name);
      writePlain(writer, field);
    }
    writer.endObject();
  }
}

/** A field with a list of texts. */
export function writeTexts(writer: JsonWriter, name: string, texts: readonly string[]): void {
  writer.name(name);
  writer.beginArray();
  for (const text of texts) writer.text(text);
  writer.endArray();
}
