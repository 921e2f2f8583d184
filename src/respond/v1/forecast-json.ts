import type { LegacyForecastAnswer } from '../answer-data.js';
import { encodeText, fieldNames } from '../encoded-text.js';
import type { JsonWriter } from '../json-writer.js';
import { SHARE_DECIMALS } from '../write-fields.js';
import { LEGACY_QUANTILES, writeDatedEntries, writeLegacyMeta } from './write-body.js';

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
