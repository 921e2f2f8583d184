import type { HistoryAnswer } from './answers.js';
import { JsonWriter } from './json-writer.js';
import { writeLocation, writeOptional, writePeriod } from './write-metadata.js';
import { writeTexts, writeVariables } from './write-variables.js';

/**
 * The body of `/v2/history`: `meta`, and in `data` for each variable a map from period key to value, rounded to the variable's
 * decimals.
 *
 * NaN is null. A `writer` of your own saves its buffer from call to call. Throws DataError for an infinite value.
 */
export function historyJson(answer: HistoryAnswer, writer = new JsonWriter()): Uint8Array<ArrayBuffer> {
  const { granularity, variables } = answer;
  writer.begin().beginObject();
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
  writeVariables(writer, ['data', 'values'], variables, ({ variable, windows, values }) => {
    for (let w = 0; w < windows.count; w++) {
      writer.periodName(granularity, windows.start[w]);
      writer.number(values[w], variable.decimals);
    }
  });
  writer.endObject();
  return writer.finish();
}
