import type { Table } from 'apache-arrow';
import { assertKnownKeys, assertShape } from '../../check/option-checks.js';
import { DataError, mentionOption, OptionError } from '../../errors.js';
import { parsePeriod } from '../../period/period.js';
import { assertUtcDays } from '../../period/stated-days.js';
import { quantileColumns } from '../../statistics/result-column.js';
import { ownTable } from '../../table/arrow/own-table.js';
import { assertRealDates } from '../../table/columns/day-column.js';
import { assertVariables, variableByName } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { Location } from '../answer-data.js';
import { JsonWriter } from '../json-writer.js';
import { answerParts, completeJson } from './answer-json.js';
import { STATISTICS, type WrittenStatistics } from './statistics-answer.js';

/** What a statistics response contains besides the statistics. */
export interface StatisticsJsonOptions {
  /** The requested coordinates. Default: those of the rows. */
  requested?: Location;
  /** When the run was issued, ISO 8601 in UTC. Default: `init_time` of the table's metadata. */
  initTime?: string;
  /** Of the model or dataset. Default: `version` of the table's metadata. */
  version?: string;
  /** Unique to the forecast. Default: `generation` of the table's metadata. */
  generation?: string;
  /** Default: `attribution` of the table's metadata, else none. */
  attribution?: string;
  /** Whether the values are of a 1 km grid. Default false. */
  downscaled?: boolean;
  /** Variables of your own that the table may name. */
  variables?: readonly Variable[];
}

const TYPES = {
  requested: 'object?',
  initTime: 'any text?',
  version: 'any text?',
  generation: 'any text?',
  attribution: 'any text?',
  downscaled: 'flag?',
} as const;
const OPTIONS = [...Object.keys(TYPES), 'variables'];

/**
 * The body of `/v2/forecast/statistics` from a table that `statistics` has made: mean and quantiles at one place, for
 * one variable or several. Null is null. Spread and probabilities are left out.
 *
 * Throws OptionError for what neither an option nor the table's metadata state; DataError for a table without rows, for
 * a missing column, several places or granularities, an unknown variable, and an infinite value.
 */
export function statisticsJson(given: Table, options: StatisticsJsonOptions = {}): Uint8Array<ArrayBuffer> {
  const table = ownTable(given);
  assertKnownKeys(options, OPTIONS);
  assertShape('options', options, TYPES);
  assertVariables(options.variables);
  assertRealDates(table.schema.metadata, 'the body');
  assertUtcDays(table.schema.metadata, 'the body');
  const { downscaled = false, variables } = options;
  const location = {
    latitude: onlyValue('latitude', columnValues(table, 'latitude')) as number,
    longitude: onlyValue('longitude', columnValues(table, 'longitude')) as number,
  };
  const periods = columnValues(table, 'period').map((key) => parsePeriod(String(key)));
  const mean = columnValues(table, 'mean');
  const columns = quantileColumns(table);
  const quantiles = columns.map(({ name }) => columnValues(table, name));
  const slugs = columnValues(table, 'variable');
  const answer: WrittenStatistics = {
    ...forecastHead(table, options),
    requested: options.requested ?? location,
    closest: location,
    period: {
      firstDay: periods.reduce((day, { start }) => Math.min(day, start), periods[0].start),
      lastDay: periods.reduce((day, { end }) => Math.max(day, end), periods[0].end),
    },
    granularity: onlyValue(
      'period',
      periods.map((period) => period.granularity),
    ),
    quantiles: columns.map(({ probability }) => probability),
    variables: [...new Set(slugs)].map((slug) => {
      const rows = slugs.flatMap((other, row) => (other === slug ? row : []));
      const valuesOf = (column: readonly unknown[]) => Float64Array.from(rows, (row) => (column[row] as number) ?? NaN);
      return {
        variable: knownVariable(slug, variables),
        downscaled,
        location,
        windows: { count: rows.length, start: Int32Array.from(rows, (row) => periods[row].start) },
        statistics: { mean: valuesOf(mean), quantiles: quantiles.map(valuesOf) },
      };
    }),
  };
  const writer = new JsonWriter();
  return completeJson(answerParts(STATISTICS, answer, writer), writer);
}

/** What describes the forecast: from an option, or else from the metadata. */
function forecastHead(
  { schema }: Table,
  options: StatisticsJsonOptions,
): Pick<WrittenStatistics, 'initTime' | 'version' | 'generation' | 'attribution'> {
  const stated = (option: 'initTime' | 'version' | 'generation', name: string) => {
    const text = options[option] ?? schema.metadata.get(name);
    if (text !== undefined) return text;
    throw new OptionError({
      subject: option,
      problem: 'not known',
      allowed: `a text, unless the metadata have ${name}`,
    });
  };
  return {
    initTime: stated('initTime', 'init_time'),
    version: stated('version', 'version'),
    generation: stated('generation', 'generation'),
    attribution: options.attribution ?? schema.metadata.get('attribution'),
  };
}

/** The values of a column, null where missing. */
function columnValues(table: Table, name: string): unknown[] {
  const column = table.getChild(name);
  if (column !== null && table.numRows > 0) return [...column];
  throw new DataError({
    subject: 'table',
    problem: column === null ? `no column ${name}` : 'has no rows',
    allowed: 'a table that statistics() has made, with rows of one place',
  });
}

/** The one value that all rows of a column have. */
function onlyValue<T>(column: string, values: readonly T[]): T {
  const different = values.findIndex((value) => value !== values[0]);
  if (different < 0) return values[0];
  const allowed = `${values[0]}, as in the rows before: a response is about one place and granularity`;
  throw new DataError({ row: different + 1, column, problem: 'several', received: values[different], allowed });
}

function knownVariable(name: unknown, own: readonly Variable[] | undefined): Variable {
  const variable = typeof name === 'string' ? variableByName(name, own) : undefined;
  if (variable !== undefined) return variable;
  const allowed = `a variable of the registry, or one of your own in ${mentionOption('variables')}`;
  throw new DataError({ column: 'variable', problem: 'not known', received: name, allowed });
}
