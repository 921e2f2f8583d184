import type { WindowTable } from '../../period/window-table.js';
import { DEFAULT_QUANTILES, quantileName } from '../../statistics/quantile-options.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { StatisticsAnswer } from '../answer-data.js';
import { completeJson, type JsonPart, onePart } from '../json-parts.js';
import { JsonWriter } from '../json-writer.js';
import { type FieldNames, fieldNames } from '../number-fields.js';
import { writeOptional } from '../write-fields.js';
import { variableParts } from './variable-parts.js';
import { writeForecastMetadata } from './write-metadata.js';

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
 * NaN is null. Pass a `writer` to reuse its buffer from call to call. Throws DataError for an infinite value.
 */
export function statisticsJson(answer: WrittenStatistics, writer = new JsonWriter()): Uint8Array<ArrayBuffer> {
  return completeJson(statisticsParts(answer, writer), writer);
}

/** The parts of that body. */
export function statisticsParts(answer: WrittenStatistics, writer: JsonWriter): JsonPart[] {
  const { granularity } = answer;
  const names = answer.quantiles === DEFAULT_QUANTILES ? DEFAULT_NAMES : namesOf(answer.quantiles);
  const head = onePart(() => {
    writer.beginObject();
    writeForecastMetadata(writer, answer);
    writer.name('granularity');
    writer.text(granularity);
    writeOptional(writer, 'attribution', answer.attribution);
  });
  const variables = variableParts(
    writer,
    ['variables', 'statistics'],
    answer.variables,
    ({ windows }) => windows.start.length,
    ({ variable, windows, statistics }, from, to) => {
      const columns = [statistics.mean, ...statistics.quantiles];
      writer.periodFields(granularity, windows.start, names, columns, variable.decimals, from, to);
    },
  );
  return [head, ...variables, onePart(() => writer.endObject())];
}

function namesOf(quantiles: readonly number[]): FieldNames {
  return fieldNames(['mean', ...quantiles.map(quantileName)]);
}
