import type { DayRange, ForecastAnswer, Location } from './answers.js';
import type { JsonWriter } from './json-writer.js';

/** The fields that begin every forecast of the second version, up to the period. */
export function writeForecastMetadata(writer: JsonWriter, answer: ForecastAnswer): void {
  writer.name('init_time');
  writer.text(answer.initTime);
  writer.name('version');
  writer.text(answer.version);
  writer.name('generation');
  writer.text(answer.generation);
  writer.name('location');
  writer.beginObject();
  writeLocation(writer, 'requested', answer.requested);
  writeLocation(writer, 'closest_location', answer.closest);
  writer.endObject();
  writePeriod(writer, answer.period);
}

/** A field `{latitude, longitude}`: both as exact as they are. */
export function writeLocation(writer: JsonWriter, name: string, { latitude, longitude }: Location): void {
  writer.name(name);
  writer.beginObject();
  writer.name('latitude');
  writer.exact(latitude);
  writer.name('longitude');
  writer.exact(longitude);
  writer.endObject();
}

/** The field `period`: the days really used, or null. */
export function writePeriod(writer: JsonWriter, period: DayRange | undefined): void {
  writer.name('period');
  if (period === undefined) {
    writer.null();
    return;
  }
  writer.beginObject();
  writer.name('start_date');
  writer.period('daily', period.firstDay);
  writer.name('end_date');
  writer.period('daily', period.lastDay);
  writer.endObject();
}

/** A field of text, where there is one. */
export function writeOptional(writer: JsonWriter, name: string, text: string | undefined): void {
  if (text === undefined) return;
  writer.name(name);
  writer.text(text);
}
