import type { Location } from './answer-data.js';
import type { JsonWriter } from './json-writer.js';

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

/** A field with a list of texts. */
export function writeTexts(writer: JsonWriter, name: string, texts: readonly string[]): void {
  writer.name(name);
  writer.beginArray();
  for (const text of texts) writer.text(text);
  writer.endArray();
}
