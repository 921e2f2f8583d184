import type { Variable } from '../../variable/variable.js';
import type { Location } from '../answer-data.js';
import { type JsonPart, onePart } from '../json-parts.js';
import type { JsonWriter } from '../json-writer.js';
import { writeLocation } from '../write-fields.js';

/** A variable of an answer, and the grid of its values. */
interface AnsweredVariable {
  readonly variable: Variable;
  readonly downscaled: boolean;
  readonly location: Location;
}

/**
 * The parts of a field `name` that has an object for each variable, by slug: its unit's label, whether it is downscaled
 * (then also the place of its values), and an object `valuesName` of `rowsOf` rows, which `writeRows` writes.
 */
export function variableParts<Answered extends AnsweredVariable>(
  writer: JsonWriter,
  [name, valuesName]: readonly [string, string],
  variables: readonly Answered[],
  rowsOf: (answered: Answered) => number,
  writeRows: (answered: Answered, from: number, to: number) => void,
): JsonPart[] {
  const parts = variables.map((answered) => {
    const rows = rowsOf(answered);
    return {
      rows,
      write(from: number, to: number) {
        if (from === 0) beginVariable(writer, answered, valuesName);
        writeRows(answered, from, to);
        if (to < rows) return;
        writer.endObject();
        writer.endObject();
      },
    };
  });
  const begin = onePart(() => {
    writer.name(name);
    writer.beginObject();
  });
  return [begin, ...parts, onePart(() => writer.endObject())];
}

function beginVariable(
  writer: JsonWriter,
  { variable, downscaled, location }: AnsweredVariable,
  valuesName: string,
): void {
  writer.name(variable.slug);
  writer.beginObject();
  writer.name('units');
  writer.text(variable.label);
  writer.name('downscaled');
  writer.boolean(downscaled);
  if (downscaled) writeLocation(writer, 'closest_location', location);
  writer.name(valuesName);
  writer.beginObject();
}
