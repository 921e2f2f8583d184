import type { MembersAnswer } from './answers.js';
import { JsonWriter } from './json-writer.js';
import { writeForecastMetadata, writeOptional } from './write-metadata.js';
import { writeVariables } from './write-variables.js';

/**
 * The body of `/v2/forecast`: metadata, and for each variable a map from date to the values of its members, always in the same
 * order, rounded to the variable's decimals.
 *
 * NaN is null. A `writer` of your own saves its buffer from call to call. Throws DataError for an infinite value.
 */
export function membersJson(answer: MembersAnswer, writer = new JsonWriter()): Uint8Array<ArrayBuffer> {
  writer.begin().beginObject();
  writeForecastMetadata(writer, answer);
  writeOptional(writer, 'attribution', answer.attribution);
  writeVariables(writer, ['variables', 'members'], answer.variables, ({ variable, firstDay, days, members }) => {
    for (let day = 0; day < days; day++) {
      writer.periodName('daily', firstDay + day);
      writer.beginArray();
      for (const values of members) writer.number(values[day], variable.decimals);
      writer.endArray();
    }
  });
  writer.endObject();
  return writer.finish();
}
