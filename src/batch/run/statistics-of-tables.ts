import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Reference } from '../../statistics/comparison.js';
import type { CheckedStatisticsOptions, CheckedWindowOptions } from '../../statistics/options.js';
import { requestedEnsemble, statisticsInGroups } from '../../statistics/statistics.js';
import { LocationStream } from '../../table/location-stream.js';
import { readHead, readRows } from '../../table/read-ensemble.js';
import { streamingObstacle } from '../../table/whole-table.js';
import { RESULTS_AT_ONCE, StatisticsStream } from './statistics-stream.js';
import type { TableCollector } from './table-collector.js';

/** Callbacks of `statisticsOfTables`. */
export interface StreamHooks {
  /** Called with each ensemble that is computed, and its reference. */
  readonly onEnsemble?: (ensemble: Ensemble, reference?: Reference) => void;
  /** Creates the reference of an ensemble; `isWhole` says that it has all rows. */
  readonly createReference?: (ensemble: Ensemble, isWhole: boolean) => Reference;
  /** Collects tables whose rows have to be read together; without it, such streams give no statistics. */
  readonly collector?: TableCollector;
}

/**
 * Computes statistics of the rows of tables, which have one schema and at least two rows each, except for the last
 * table. A location is computed as soon as all its rows are there. A table is no longer needed when the next one is
 * requested. Returns false, and yields nothing, if there are no rows, or they have to be read together and there is no
 * `collector`.
 */
export async function* statisticsOfTables(
  core: Core,
  tables: AsyncIterable<Table>,
  options: CheckedStatisticsOptions,
  { onEnsemble, createReference, collector }: StreamHooks,
): AsyncGenerator<Table, boolean> {
  const stream = new StatisticsStream(core, options, {
    onEnsemble,
    createReference: createReference && ((part) => createReference(part, false)),
  });
  let hasRows = false;
  let isWhole = false;
  for await (const table of tables) {
    if (!hasRows) {
      const reason = gatheringReason(table, options);
      if (reason !== undefined && collector === undefined) return false;
      isWhole = reason !== undefined;
      if (collector !== undefined) collector.reason = reason;
    }
    hasRows = true;
    if (isWhole) collector?.add(table);
    else yield* stream.add(table);
  }
  if (collector === undefined || !isWhole) {
    yield* stream.end();
  } else {
    const ensemble = requestedEnsemble(collector.table(), options);
    const reference = createReference?.(ensemble, true);
    onEnsemble?.(ensemble, reference);
    yield* statisticsInGroups(core, ensemble, options, RESULTS_AT_ONCE, reference);
  }
  return hasRows;
}

/**
 * Reads the ensembles of complete locations that `statisticsOfTables` computes from the same tables; none if rows have
 * to be read together.
 */
export async function* ensemblesOfTables(
  tables: AsyncIterable<Table>,
  options: CheckedWindowOptions,
): AsyncGenerator<Ensemble> {
  const locations = new LocationStream(options);
  let isFirst = true;
  for await (const table of tables) {
    if (isFirst && gatheringReason(table, options) !== undefined) return;
    isFirst = false;
    const ensemble = locations.add(table);
    if (ensemble !== undefined) yield ensemble;
  }
  const last = locations.end();
  if (last !== undefined) yield last;
}

/** Why rows have to be read together; undefined if they can be streamed. */
function gatheringReason(table: Table, options: CheckedWindowOptions): string | undefined {
  if (options.point !== undefined) return 'a point is requested';
  return streamingObstacle(readRows(table, readHead(table, options), options.source));
}
