import type { WindowTable } from '../../period/window-table.js';
import { DEFAULT_QUANTILES } from '../../statistics/quantile-options.js';
import { quantileName } from '../../statistics/result-column.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { StatisticsAnswer } from '../answer-data.js';
import { encodeText, fieldNames } from '../encoded-text.js';
import type { JsonWriter } from '../json-writer.js';
import { SHARE_DECIMALS, writeOptional } from '../write-fields.js';
import { shareColumns, tercileMetadata } from './share-columns.js';
import { bodyParts, type JsonPart, writeForecastMetadata } from './write-body.js';

/** The parts of an answer that its body contains. */
export interface WrittenStatistics extends Omit<StatisticsAnswer, 'variables'> {
  readonly variables: readonly (Omit<StatisticsAnswer['variables'][number], 'windows' | 'statistics'> & {
    readonly windows: Pick<WindowTable, 'count' | 'start'>;
    readonly statistics: Pick<StatisticsColumns, 'mean' | 'quantiles'> &
      Partial<Pick<StatisticsColumns, 'probabilities'>>;
  })[];
}

/** The names of the fields in most responses. */
const DEFAULT_NAMES = /* @__PURE__ */ fieldNames(namesIn(DEFAULT_QUANTILES));

/**
 * The body of `/v2/forecast/statistics`: metadata, and for each variable a map from period key to mean and quantiles,
 * in the order requested, rounded to the variable's decimals, and shares of members, rounded to 4.
 *
 * NaN is null. Throws DataError for an infinite value.
 */
export function statisticsParts(answer: WrittenStatistics, writer: JsonWriter): JsonPart[] {
  const { granularity, quantiles, variables } = answer;
  const names = quantiles === DEFAULT_QUANTILES ? DEFAULT_NAMES : fieldNames(namesIn(quantiles));
  return bodyParts(writer, {
    writeHead() {
      writeForecastMetadata(writer, answer);
      writer.name('granularity');
      writer.text(granularity);
      writeTercileMetadata(writer, variables);
      writeOptional(writer, 'attribution', answer.attribution);
    },
    names: ['variables', 'statistics'],
    variables,
    rowsOf: ({ windows }) => windows.start.length,
    writeRows(answered, from, to) {
      const { variable, windows, statistics } = answered;
      const columns = [statistics.mean, ...statistics.quantiles];
      const shares = shareColumns(answered);
      if (shares.length === 0) {
        writer.periodFields(granularity, windows.start, names, columns, variable.decimals, from, to);
        return;
      }
      const fields = [
        ...namesIn(quantiles).map((name, k) => ({ name, values: columns[k], decimals: variable.decimals })),
        ...shares.map(({ name, values }) => ({ name, values, decimals: SHARE_DECIMALS })),
      ].map((field) => ({ ...field, name: encodeText(field.name) }));
      for (let w = from; w < to; w++) {
        writer.periodName(granularity, windows.start[w]);
        writer.beginObject();
        for (const { name, values, decimals } of fields) {
          writer.name(name);
          writer.number(values[w], decimals);
        }
        writer.endObject();
      }
    },
  });
}

/** The fields `reference_period` and `tercile_reference`, where there are terciles. */
function writeTercileMetadata(writer: JsonWriter, variables: WrittenStatistics['variables']): void {
  const { referencePeriod, tercileReference } = tercileMetadata(variables);
  writeOptional(writer, 'reference_period', referencePeriod);
  writeOptional(writer, 'tercile_reference', tercileReference);
}

function namesIn(quantiles: readonly number[]): string[] {
  return ['mean', ...quantiles.map(quantileName)];
}
