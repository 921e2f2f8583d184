import type { HistoryAnswer } from '../answer-data.js';
import type { JsonWriter } from '../json-writer.js';
import { writeLocation, writeOptional, writeTexts } from '../write-fields.js';
import { bodyParts, type JsonPart, writePeriod } from './write-body.js';

/**
 * The body of `/v2/history`: `meta`, and in `data` for each variable a map from period key to value, rounded to the
 * variable's decimals.
 *
 * NaN is null. Throws DataError for an infinite value.
 */
export function historyParts(answer: HistoryAnswer, writer: JsonWriter): JsonPart[] {
  const { granularity, variables } = answer;
  return bodyParts(writer, {
    writeHead: () => writeMetadata(writer, answer),
    names: ['data', 'values'],
    variables,
    rowsOf: ({ windows }) => windows.count,
    writeRows({ variable, windows, values }, from, to) {
      writer.periodNumbers(granularity, windows.start, values, variable.decimals, from, to);
    },
  });
}

function writeMetadata(writer: JsonWriter, answer: HistoryAnswer): void {
  const slugs = answer.variables.map(({ variable }) => variable.slug);
  writer.name('meta');
  writer.beginObject();
  writeTexts(writer, 'variables', slugs);
  writer.name('granularity');
  writer.text(answer.granularity);
  writeLocation(writer, 'location', answer.location);
  writePeriod(writer, answer.period);
  writeOptional(writer, 'attribution', answer.attribution);
  writer.endObject();
}
