import type { DayRange, ForecastAnswer } from '../answer-data.js';
import type { JsonWriter } from '../json-writer.js';
import { writeLocation } from '../write-fields.js';

/** The first fields of every `/v2` forecast, up to the period. */
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

/** The field `period`: the days in the response, or null. */
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
