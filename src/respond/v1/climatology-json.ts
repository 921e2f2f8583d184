import type { LegacyClimatologyAnswer } from '../answer-data.js';
import { encodeText, fieldNames } from '../encoded-text.js';
import type { JsonWriter } from '../json-writer.js';
import { LEGACY_QUANTILES, writeLegacyMeta } from './write-body.js';

/**
 * The body of `/v1/climatology`: `meta`, and in `data` an entry for each period of the year, with the quantiles of each
 * variable, rounded to the variable's decimals.
 *
 * NaN is null. Throws DataError for an infinite value.
 */
export function writeLegacyClimatology(answer: LegacyClimatologyAnswer, writer: JsonWriter): Uint8Array<ArrayBuffer> {
  const { keys, variables } = answer;
  const slugs = variables.map(({ variable }) => encodeText(variable.slug));
  const quantileNames = fieldNames(LEGACY_QUANTILES);
  writer.begin().beginObject();
  writeLegacyMeta(writer, answer, answer);
  writer.name('data');
  writer.beginArray();
  keys.forEach((key, entry) => {
    writer.beginObject();
    writer.name('date');
    writer.text(key);
    writer.name('attributes');
    writer.beginObject();
    variables.forEach(({ variable, quantiles }, v) => {
      writer.name(slugs[v]);
      writer.beginObject();
      writer.name('quantile');
      writer.numberFields(quantileNames, quantiles, entry, variable.decimals);
      writer.endObject();
    });
    writer.endObject();
    writer.endObject();
  });
  writer.endArray();
  writer.endObject();
  return writer.finish();
}
