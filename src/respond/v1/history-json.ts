import type { LegacyHistoryAnswer } from '../answer-data.js';
import { encodeText } from '../encoded-text.js';
import type { JsonWriter } from '../json-writer.js';
import { writeDatedEntries, writeLegacyMeta } from './write-body.js';

/**
 * The body of `/v1/history`: `meta`, and in `data` an entry for each day that any variable has, with one number
 * `values` for each variable, rounded to the variable's decimals.
 *
 * NaN is null. Throws DataError for an infinite value.
 */
export function writeLegacyHistory(answer: LegacyHistoryAnswer, writer: JsonWriter): Uint8Array<ArrayBuffer> {
  const { variables } = answer;
  const valuesName = encodeText('values');
  writer.begin().beginObject();
  writeLegacyMeta(writer, answer);
  writeDatedEntries(
    writer,
    variables.map(({ variable }) => encodeText(variable.slug)),
    variables.map(({ firstDay, values }) => Int32Array.from(values, (_, day) => firstDay + day)),
    (v, day) => {
      const { variable, values } = variables[v];
      writer.beginObject();
      writer.name(valuesName);
      writer.number(values[day], variable.decimals);
      writer.endObject();
    },
  );
  writer.endObject();
  return writer.finish();
}
