import type { Variable } from '../../variable/variable.js';
import type {
  LegacyAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
} from '../answer-data.js';
import { type EncodedText, encodeText, fieldNames } from '../json-bytes.js';
import type { JsonWriter } from '../json-writer.js';
import { SHARE_DECIMALS, writeLocation, writeOptional, writeTexts } from '../shared-fields.js';

/** Metadata that only some legacy responses have. */
interface LegacyMetadata {
  readonly initTime?: string;
  readonly referencePeriod?: string;
  readonly tercileReference?: string;
}

/** The fields of quantiles that all legacy responses have. */
const LEGACY_QUANTILES: readonly string[] = /* @__PURE__ */ Object.freeze([
  'quantile_0.05',
  'quantile_0.25',
  'quantile_0.50',
  'quantile_0.75',
  'quantile_0.95',
]);

/** The field `meta` of a legacy response. */
function writeLegacyMeta(
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
function writeDatedEntries(
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

const SHARES = ['clim_prob_0.00-0.33', 'clim_prob_0.33-0.67', 'clim_prob_0.67-1.00'];

/**
 * The body of `/v1/forecast/...`: `meta`, and in `data` an entry for the first day of each window that any variable
 * has.
 *
 * Means and quantiles are rounded to the variable's decimals, shares to 4. NaN is null. Weekly and monthly entries
 * always have shares, null where the variable has none; daily entries never have any. Throws DataError for an infinite
 * value.
 */
export function writeLegacyForecast(answer: LegacyForecastAnswer, writer: JsonWriter): Uint8Array<ArrayBuffer> {
  const { variables } = answer;
  const quantileNames = fieldNames(LEGACY_QUANTILES);
  const shareNames = fieldNames(SHARES);
  const noShares = SHARES.map(() => Float32Array.of(Number.NaN));
  writer.begin().beginObject();
  writeLegacyMeta(writer, answer, answer);
  writeDatedEntries(
    writer,
    variables.map(({ variable }) => encodeText(variable.slug)),
    variables.map(({ windows }) => windows.start),
    (v, w) => {
      const { variable, statistics, terciles } = variables[v];
      writer.beginObject();
      writer.name('ensemble_mean');
      writer.number(statistics.mean[w], variable.decimals);
      writer.name('quantile');
      writer.numberFields(quantileNames, statistics.quantiles, w, variable.decimals);
      if (answer.granularity !== 'daily') {
        writer.name('probability');
        writer.numberFields(shareNames, terciles ?? noShares, terciles ? w : 0, SHARE_DECIMALS);
      }
      writer.endObject();
    },
  );
  writer.endObject();
  return writer.finish();
}

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
