import type { Variable } from '../variable/variable.js';
import type { Location } from './answers.js';
import type { JsonWriter } from './json-writer.js';
import { writeLocation } from './write-metadata.js';

/** A variable of an answer, and of which grid its values are. */
interface AnsweredVariable {
  readonly variable: Variable;
  readonly downscaled: boolean;
  readonly location: Location;
}

/**
 * A field `name` that has an object for each variable, by slug: its unit's label, whether it is downscaled, in which case also
 * the place that its values are of, and an object `valuesName` of what `writeValues` writes.
 */
export function writeVariables<Answered extends AnsweredVariable>(
  writer: JsonWriter,
  [name, valuesName]: readonly [string, string],
  variables: readonly Answered[],
  writeValues: (answered: Answered) => void,
): void {
  writer.name(name);
  writer.beginObject();
  for (const answered of variables) {
    const { variable, downscaled, location } = answered;
    writer.name(variable.slug);
    writer.beginObject();
    writer.name('units');
    writer.text(variable.label);
    writer.name('downscaled');
    writer.boolean(downscaled);
    if (downscaled) writeLocation(writer, 'closest_location', location);
    writer.name(valuesName);
    writer.beginObject();
    writeValues(answered);
    writer.endObject();
    writer.endObject();
  }
  writer.endObject();
}

/** A field that lists texts. */
export function writeTexts(writer: JsonWriter, name: string, texts: readonly string[]): void {
  writer.name(name);
  writer.beginArray();
  for (const text of texts) writer.text(text);
  writer.endArray();
}
