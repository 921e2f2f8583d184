import type { Table } from 'apache-arrow';
import type { TableKernels } from '../../core/table-kernels.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { mentionOption } from '../../errors.js';
import { type RowOptions, requestedEnsemble } from '../../statistics/statistics.js';
import { LocationStream } from '../../table/rows/location-stream.js';
import { LongLocationStream, RowOrderError } from '../../table/rows/long-location-stream.js';
import { type EnsembleRows, readHead, readRows } from '../../table/rows/read-ensemble.js';
import { gatheringObstacle, streamingObstacle } from '../../table/rows/whole-table.js';
import { followedBy } from './followed-by.js';
import type { GatheredEnsemble } from './gathered-ensembles.js';
import type { TableCollector } from './table-collector.js';
import { readVariableTables } from './variable-tables.js';

/** Tables of fewer rows are read without kernels. */
const KERNELS_FROM = 16_384;

/**
 * An ensemble of some locations of a stream of tables, or of all. Its values are good until the next one is requested.
 */
export interface StreamedEnsemble {
  readonly ensemble: Ensemble;
  /** Whether it has all rows. */
  readonly isAll: boolean;
  /** Whether later rows may show that it counts for nothing, by a RowOrderError. */
  readonly isOrderAssumed: boolean;
}

/** How the rows of tables are read. */
export interface StreamOptions {
  /** What rows that have to be read together are collected by; without it they give nothing. */
  readonly collector?: TableCollector;
  /** How long tables are read; without it, their rows are read together. */
  readonly long?: LongReading;
}

/** How long tables are read. */
export interface LongReading {
  /**
   * `by-location`: location by location, if the first rows allow it; a RowOrderError says that rows are in another
   * order, and what was given before counts for nothing. `in-any-order`: rows are gathered by location before the first
   * is given.
   */
  readonly order: 'by-location' | 'in-any-order';
  /** What gives kernels for the loops over rows, and takes them back. */
  readonly kernels: { take(): Promise<TableKernels>; give(tools: TableKernels): void };
  /** Reads rows in any order, which are gathered by location. */
  readonly gather: (tables: AsyncIterable<Table>, options: RowOptions) => AsyncIterable<GatheredEnsemble>;
}

/**
 * Reads the rows of tables, which have one schema and at least two rows each, except for the last table. A location is
 * read as soon as all its rows are there. A table is no longer needed when the next one is requested. Throws
 * RowOrderError where rows of long tables have to be read in another way.
 */
export async function* ensemblesOfTables(
  tables: AsyncIterable<Table>,
  options: RowOptions,
  reading: StreamOptions = {},
): AsyncGenerator<StreamedEnsemble> {
  yield* readVariableTables(tables, options, (ofVariable) => readEnsembles(ofVariable, options, reading));
}

async function* readEnsembles(
  tables: AsyncIterable<Table>,
  options: RowOptions,
  { collector, long }: StreamOptions,
): AsyncGenerator<StreamedEnsemble> {
  const rest: AsyncIterator<Table> = tables[Symbol.asyncIterator]();
  let tools: TableKernels | undefined;
  try {
    const { value: first, done } = await rest.next();
    if (done) return;
    const rows = readRows(first, readHead(first, options), options.source);
    const [together, mayGather] = obstacles(rows, options, long);
    const isLong = together === undefined && rows.head.values.form === 'long';
    if (isLong && first.numRows >= KERNELS_FROM) tools = await long?.kernels.take();
    const begun = together === undefined ? beginLocations(first, rows, options, { mayGather, tools }) : undefined;
    const all = followedBy(first, rest);
    if (begun !== undefined) {
      yield* streamedEnsembles(begun, rest);
    } else if (long !== undefined && mayGather) {
      for await (const { ensemble, isAll } of long.gather(all, options))
        yield { ensemble, isAll, isOrderAssumed: false };
    } else if (collector !== undefined && together !== undefined) {
      const otherwise = long && `; or ${mentionOption('sort', true)}, by which rows are sorted on disk`;
      for await (const table of all) collector.add(table, together, otherwise);
      yield { ensemble: requestedEnsemble(collector.table(), options), isAll: true, isOrderAssumed: false };
    }
  } finally {
    await rest.return?.();
    if (tools !== undefined) long?.kernels.give(tools);
  }
}

/** A stream of locations, and what the first table gave. */
interface BegunLocations {
  readonly locations: LocationStream | LongLocationStream;
  readonly first: Ensemble | undefined;
}

/** Begins to read location by location; undefined if the first table shows that its rows are to be gathered. */
function beginLocations(
  table: Table,
  { head }: EnsembleRows,
  options: RowOptions,
  { mayGather, tools }: { readonly mayGather: boolean; readonly tools: TableKernels | undefined },
): BegunLocations | undefined {
  const locations = head.values.form === 'long' ? new LongLocationStream(options, tools) : new LocationStream(options);
  try {
    return { locations, first: locations.add(table) };
  } catch (error) {
    if (mayGather && error instanceof RowOrderError) return undefined;
    throw error;
  }
}

/** Why rows cannot be read location by location, if they cannot, and whether they can be gathered. */
function obstacles(
  rows: EnsembleRows,
  { point }: RowOptions,
  long: LongReading | undefined,
): [together: string | undefined, mayGather: boolean] {
  const isLong = rows.head.values.form === 'long';
  // The results of a wide table by day are by period, not by place.
  const hasOrder = isLong || point !== undefined;
  const mayGather = long !== undefined && hasOrder && gatheringObstacle(rows) === undefined;
  if (point !== undefined) return ['a point is requested', mayGather];
  if (mayGather && isLong && long.order === 'in-any-order') return ['rows are not ordered by location', true];
  return [streamingObstacle(rows, long !== undefined), mayGather];
}

async function* streamedEnsembles(
  { locations, first }: BegunLocations,
  rest: AsyncIterator<Table>,
): AsyncGenerator<StreamedEnsemble> {
  const isOrderAssumed = locations instanceof LongLocationStream;
  if (first !== undefined) yield { ensemble: first, isAll: false, isOrderAssumed };
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    const ensemble = locations.add(next.value);
    if (ensemble !== undefined) yield { ensemble, isAll: false, isOrderAssumed };
  }
  const last = locations.end();
  if (last !== undefined) yield { ensemble: last, isAll: false, isOrderAssumed };
}
