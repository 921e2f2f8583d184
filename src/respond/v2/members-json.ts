import type { MembersAnswer } from '../answer-data.js';
import { completeJson, type JsonPart, onePart } from '../json-parts.js';
import { JsonWriter } from '../json-writer.js';
import { writeOptional } from '../write-fields.js';
import { variableParts } from './variable-parts.js';
import { writeForecastMetadata } from './write-metadata.js';

/**
 * The body of `/v2/forecast`: metadata, and for each variable a map from date to the values of its members, always in
 * the same order, rounded to the variable's decimals.
 *
 * NaN is null. Pass a `writer` to reuse its buffer from call to call. Throws DataError for an infinite value.
 */
export function membersJson(answer: MembersAnswer, writer = new JsonWriter()): Uint8Array<ArrayBuffer> {
  return completeJson(membersParts(answer, writer), writer);
}

/** The parts of that body. */
export function membersParts(answer: MembersAnswer, writer: JsonWriter): JsonPart[] {
  const head = onePart(() => {
    writer.beginObject();
    writeForecastMetadata(writer, answer);
    writeOptional(writer, 'attribution', answer.attribution);
  });
  const variables = variableParts(
    writer,
    ['variables', 'members'],
    answer.variables,
    ({ days }) => days,
    ({ variable, firstDay, members }, from, to) => {
      for (let day = from; day < to; day++) {
        writer.periodName('daily', firstDay + day);
        writer.beginArray();
        for (const values of members) writer.number(values[day], variable.decimals);
        writer.endArray();
      }
    },
  );
  return [head, ...variables, onePart(() => writer.endObject())];
}
