import type { HistoryAnswer } from '../answer-data.js';
import { completeJson, type JsonPart, onePart } from '../json-parts.js';
import { JsonWriter } from '../json-writer.js';
import { writeLocation, writeOptional, writeTexts } from '../write-fields.js';
import { variableParts } from './variable-parts.js';
import { writePeriod } from './write-metadata.js';

/**
 * The body of `/v2/history`: `meta`, and in `data` for each variable a map from period key to value, rounded to the
 * variable's decimals.
 *
 * NaN is null. Pass a `writer` to reuse its buffer from call to call. Throws DataError for an infinite value.
 */
export function historyJson(answer: HistoryAnswer, writer = new JsonWriter()): Uint8Array<ArrayBuffer> {
  return completeJson(historyParts(answer, writer), writer);
}

/** The parts of that body. */
export function historyParts(answer: HistoryAnswer, writer: JsonWriter): JsonPart[] {
  const { granularity } = answer;
  const variables = variableParts(
    writer,
    ['data', 'values'],
    answer.variables,
    ({ windows }) => windows.count,
    ({ variable, windows, values }, from, to) => {
      for (let w = from; w < to; w++) {
        writer.periodName(granularity, windows.start[w]);
        writer.number(values[w], variable.decimals);
      }
    },
  );
  return [onePart(() => writeHead(writer, answer)), ...variables, onePart(() => writer.endObject())];
}

function writeHead(writer: JsonWriter, answer: HistoryAnswer): void {
  const { granularity, variables } = answer;
  writer.beginObject();
  writer.name('meta');
  writer.beginObject();
  writeTexts(
    writer,
    'variables',
    variables.map(({ variable }) => variable.slug),
  );
  writer.name('granularity');
  writer.text(granularity);
  writeLocation(writer, 'location', answer.location);
  writePeriod(writer, answer.period);
  writeOptional(writer, 'attribution', answer.attribution);
  writer.endObject();
}
