import type { MembersAnswer } from '../answer-data.js';
import type { JsonWriter } from '../json-writer.js';
import { writeOptional } from '../write-fields.js';
import { bodyParts, type JsonPart, writeForecastMetadata } from './write-body.js';

/**
 * The body of `/v2/forecast`: metadata, and for each variable a map from date to the values of its members, always in
 * the same order, rounded to the variable's decimals.
 *
 * NaN is null. Throws DataError for an infinite value.
 */
export function membersParts(answer: MembersAnswer, writer: JsonWriter): JsonPart[] {
  return bodyParts(writer, {
    writeHead() {
      writeForecastMetadata(writer, answer);
      writeOptional(writer, 'attribution', answer.attribution);
    },
    names: ['variables', 'members'],
    variables: answer.variables,
    rowsOf: ({ days }) => days,
    writeRows({ variable, firstDay, members }, from, to) {
      for (let day = from; day < to; day++) {
        writer.periodName('daily', firstDay + day);
        writer.beginArray();
        for (const values of members) writer.number(values[day], variable.decimals);
        writer.endArray();
      }
    },
  });
}
