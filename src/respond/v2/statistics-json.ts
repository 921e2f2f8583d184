import type { WindowTable } from '../../period/window-table.js';
import { DEFAULT_QUANTILES } from '../../statistics/quantile-options.js';
import { quantileName } from '../../statistics/result-column.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { StatisticsAnswer } from '../answer-data.js';
import { type FieldNames, fieldNames } from '../encoded-text.js';
import type { JsonWriter } from '../json-writer.js';
import { writeOptional } from '../write-fields.js';
import { bodyParts, type JsonPart, writeForecastMetadata } from './write-body.js';

/** The parts of an answer that its body contains. */
export interface WrittenStatistics extends Omit<StatisticsAnswer, 'variables'> {
  readonly variables: readonly (Omit<StatisticsAnswer['variables'][number], 'windows' | 'statistics'> & {
    readonly windows: Pick<WindowTable, 'count' | 'start'>;
    readonly statistics: Pick<StatisticsColumns, 'mean' | 'quantiles'>;
  })[];
}

/** The names of the fields in most responses. */
const DEFAULT_NAMES = /* @__PURE__ */ namesOf(DEFAULT_QUANTILES);

/**
 * The body of `/v2/forecast/statistics`: metadata, and for each variable a map from period key to mean and quantiles,
 * in the order requested, rounded to the variable's decimals.
 *
 * NaN is null. Throws DataError for an infinite value.
 */
export function statisticsParts(answer: WrittenStatistics, writer: JsonWriter): JsonPart[] {
  const { granularity, quantiles, variables } = answer;
  const names = quantiles === DEFAULT_QUANTILES ? DEFAULT_NAMES : namesOf(quantiles);
  return bodyParts(writer, {
    writeHead() {
      writeForecastMetadata(writer, answer);
      writer.name('granularity');
      writer.text(granularity);
      writeOptional(writer, 'attribution', answer.attribution);
    },
    names: ['variables', 'statistics'],
    variables,
    rowsOf: ({ windows }) => windows.start.length,
    writeRows({ variable, windows, statistics }, from, to) {
      const columns = [statistics.mean, ...statistics.quantiles];
      writer.periodFields(granularity, windows.start, names, columns, variable.decimals, from, to);
    },
  });
}

function namesOf(quantiles: readonly number[]): FieldNames {
  return fieldNames(['mean', ...quantiles.map(quantileName)]);
}
