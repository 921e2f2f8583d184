import type { EnsembleField, GivenField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { OptionError } from '../errors.js';
import type { WindowTable } from '../period/period.js';
import { computeInto } from './compute.js';
import { type StatisticsColumns, statisticsColumns, valueColumns } from './statistics-columns.js';
import { assertRequest, assertWindowed, type GivenRequest, type StatisticsRequest } from './statistics-request.js';

type Column = FloatArray | Int32Array;

/**
 * Like `computeStatistics`, but overwrites the columns of an earlier result of this request and size, which saves the
 * time that the system takes to allocate new ones. Throws OptionError also where the columns do not fit, overlap each
 * other or the values, or lie in the core's memory.
 */
export function computeStatisticsInto(
  columns: StatisticsColumns,
  core: Core,
  field: GivenField,
  windows: WindowTable,
  request: GivenRequest,
): void {
  assertWindowed(core, field, windows);
  assertRequest(request, field.cells * windows.count);
  assertColumns(columns, core, field, field.cells * windows.count, request);
  computeInto(core, field, windows, request, columns);
}

/**
 * Throws OptionError for columns that do not have the type, length and number of the request's, that overlap each other
 * or the values of the field, or that lie in the core's memory: its growth would detach them, and its scratch may
 * overwrite them.
 */
function assertColumns(
  columns: StatisticsColumns,
  core: Core,
  field: EnsembleField,
  results: number,
  request: StatisticsRequest,
): void {
  if (!isColumns(columns))
    throw columnsError('not the columns of a result', columns, describeExpected(field, results, request));
  const arrays: Column[] = [...valueColumns(columns), columns.members];
  if (!isRequested(columns, arrays, field, results, request)) {
    throw columnsError('of another request or size', describe(columns), describeExpected(field, results, request));
  }
  const buffers = [...new Set(arrays.map(({ buffer }) => buffer))];
  if (buffers.some((buffer) => core.memory.holds(buffer))) {
    throw columnsError('lie in the memory of the core', undefined, 'arrays in other memory');
  }
  const values = field.members.flatMap(({ chunks }) => chunks.map((chunk) => chunk.values));
  const hasOverlap =
    (!isAscending(arrays) && arrays.some((array, k) => arrays.slice(0, k).some((other) => overlap(array, other)))) ||
    values.some((value) => buffers.includes(value.buffer) && arrays.some((array) => overlap(array, value)));
  if (hasOverlap)
    throw columnsError('overlap', undefined, 'arrays that share no bytes with each other or with the values');
}

function isColumns(columns: Partial<StatisticsColumns> | null): columns is StatisticsColumns {
  const { quantiles, probabilities, categories } = columns ?? {};
  return [quantiles, probabilities, categories].every(Array.isArray) && (categories as unknown[]).every(Array.isArray);
}

function isRequested(
  columns: StatisticsColumns,
  arrays: readonly Column[],
  { type }: EnsembleField,
  results: number,
  { quantiles, thresholds, spread, categories = [] }: StatisticsRequest,
): boolean {
  const Type = type === 'float32' ? Float32Array : Float64Array;
  return (
    columns.length === results &&
    columns.quantiles.length === quantiles.length &&
    columns.probabilities.length === thresholds.length &&
    (columns.spread !== undefined) === spread &&
    columns.categories.length === categories.length &&
    columns.categories.every((shares, k) => shares.length === categories[k].limits.length + 1) &&
    columns.members instanceof Int32Array &&
    arrays.every((array) => array?.length === results && (array instanceof Type || array === columns.members))
  );
}

/** Whether arrays lie one after the other in one buffer, as those of a short result do. */
function isAscending(arrays: readonly Column[]): boolean {
  return arrays.every(
    (array, k) => k === 0 || (array.buffer === arrays[k - 1].buffer && isBehind(array, arrays[k - 1])),
  );
}

function overlap(a: Column, b: Column): boolean {
  return a.buffer === b.buffer && !isBehind(a, b) && !isBehind(b, a);
}

function isBehind(a: Column, b: Column): boolean {
  return a.byteOffset >= b.byteOffset + b.byteLength;
}

function describeExpected({ type }: EnsembleField, results: number, request: StatisticsRequest): string {
  return describe({ ...statisticsColumns(request, () => floatArray(type, 0), new Int32Array()), length: results });
}

/** Type, length and number of the columns, as a text. */
function describe({ length, mean, spread, quantiles, probabilities, categories }: StatisticsColumns): string {
  const type = mean instanceof Float32Array ? 'float32' : 'float64';
  const shares = categories.map((columns) => `shares of ${columns.length} categories`);
  const parts = [spread ? 'spread' : [], `${quantiles.length} quantiles`, `${probabilities.length} thresholds`, shares];
  return `${typeof length === 'number' ? length : 'some'} results in ${type}: ${['mean', ...parts.flat()].join(', ')}`;
}

function columnsError(problem: string, received: unknown, allowed: string): OptionError {
  return new OptionError({ subject: 'columns', problem, received, allowed });
}
