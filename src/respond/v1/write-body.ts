import type { Variable } from '../../variable/variable.js';
import type { LegacyAnswer } from '../answer-data.js';
import type { EncodedText } from '../encoded-text.js';
import type { JsonWriter } from '../json-writer.js';
import { writeLocation, writeOptional, writeTexts } from '../write-fields.js';

/** Metadata that only some legacy responses have. */
interface LegacyMetadata {
  readonly initTime?: string;
  readonly referencePeriod?: string;
  readonly tercileReference?: string;
}

/** The fields of quantiles that all legacy responses have. */
export const LEGACY_QUANTILES: readonly string[] = /* @__PURE__ */ Object.freeze([
  'quantile_0.05',
  'quantile_0.25',
  'quantile_0.50',
  'quantile_0.75',
  'quantile_0.95',
]);

/** The field `meta` of a legacy response. */
export function writeLegacyMeta(
  writer: JsonWriter,
  answer: LegacyAnswer & { readonly variables: readonly { readonly variable: Variable }[] },
  { initTime, referencePeriod, tercileReference }: LegacyMetadata = {},
): void {
  const variables = answer.variables.map(({ variable }) => variable);
  writer.name('meta');
  writer.beginObject();
  writeTexts(
    writer,
    'variables',
    variables.map(({ slug }) => slug),
  );
  writeTexts(writer, 'dropped_variables', answer.dropped);
  writer.name('granularity');
  writer.text(answer.granularity);
  writer.name('units');
  writer.beginObject();
  for (const { slug, label } of variables) {
    writer.name(slug);
    writer.text(label);
  }
  writer.endObject();
  writeLocation(writer, 'location', answer.location);
  writeOptional(writer, 'location_id', answer.locationId);
  writeOptional(writer, 'init_time', initTime);
  writeOptional(writer, 'reference_period', referencePeriod);
  writeOptional(writer, 'tercile_reference', tercileReference);
  writeOptional(writer, 'attribution', answer.attribution);
  writer.endObject();
}

/** Writes a variable's attributes of one entry; `index` counts the variable's own entries. */
type WriteAttributes = (variable: number, index: number) => void;

/**
 * The field `data` of a legacy response: an entry for each date that any variable has, in order, with the attributes of
 * the variables that have it. `days` are each variable's dates, ascending day numbers.
 */
export function writeDatedEntries(
  writer: JsonWriter,
  slugs: readonly EncodedText[],
  days: readonly ArrayLike<number>[],
  writeAttributes: WriteAttributes,
): void {
  const next = days.map(() => 0);
  writer.name('data');
  writer.beginArray();
  for (let day = earliest(days, next); day < Number.POSITIVE_INFINITY; day = earliest(days, next)) {
    writer.beginObject();
    writer.name('date');
    writer.period('daily', day);
    writer.name('attributes');
    writer.beginObject();
    for (let v = 0; v < days.length; v++) {
      if (days[v][next[v]] !== day) continue;
      writer.name(slugs[v]);
      writeAttributes(v, next[v]++);
    }
    writer.endObject();
    writer.endObject();
  }
  writer.endArray();
}

/** The first day that is still to be written for some variable; infinity after the last one. */
function earliest(days: readonly ArrayLike<number>[], next: readonly number[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (let v = 0; v < days.length; v++) {
    if (next[v] < days[v].length) first = Math.min(first, days[v][next[v]]);
  }
  return first;
}
