import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { CheckedStatisticsOptions, CheckedWindowOptions } from '../../statistics/options.js';
import type { Reference } from '../../statistics/reference.js';
import { requestedEnsemble, statisticsInGroups } from '../../statistics/statistics.js';
import { LocationStream } from '../../table/location-stream.js';
import { readHead, readRows } from '../../table/read-ensemble.js';
import { streamingObstacle } from '../../table/whole-table.js';
import type { GatheredTables } from './gathered-tables.js';
import { RESULTS_AT_ONCE, StatisticsStream } from './statistics-stream.js';

/** What is done beside computing. */
export interface StreamHooks {
  /** Told each ensemble that is computed, and what it is set against. */
  readonly seen?: (ensemble: Ensemble, reference?: Reference) => void;
  /** What each ensemble is set against; `isWhole` says that there is only one, of all rows. */
  readonly referenceOf?: (ensemble: Ensemble, isWhole: boolean) => Reference;
  /** Takes tables that can only be understood together; without it, such streams are left alone. */
  readonly gathered?: GatheredTables;
}

/**
 * Statistics of the rows of tables, which have one schema and two rows at least, but for the last one: those of a location as soon as
 * its rows are there. A table is no longer needed when the next is asked for. Returns whether that could be done: false where there are
 * no rows, or they can only be understood together and are not to be gathered; nothing was yielded then.
 */
export async function* statisticsOfTables(
  core: Core,
  tables: AsyncIterable<Table>,
  options: CheckedStatisticsOptions,
  { seen, referenceOf, gathered }: StreamHooks,
): AsyncGenerator<Table, boolean> {
  const stream = new StatisticsStream(core, options, {
    seen,
    referenceOf: referenceOf && ((part) => referenceOf(part, false)),
  });
  let hasRows = false;
  let isWhole = false;
  for await (const table of tables) {
    if (!hasRows) {
      const reason = whyWhole(table, options);
      if (reason !== undefined && gathered === undefined) return false;
      isWhole = reason !== undefined;
      gathered?.because(reason);
    }
    hasRows = true;
    if (isWhole) gathered?.add(table);
    else yield* stream.add(table);
  }
  if (gathered === undefined || !isWhole) {
    yield* stream.end();
  } else {
    const ensemble = requestedEnsemble(gathered.whole(), options);
    const reference = referenceOf?.(ensemble, true);
    seen?.(ensemble, reference);
    yield* statisticsInGroups(core, ensemble, options, RESULTS_AT_ONCE, reference);
  }
  return hasRows;
}

/**
 * The ensembles of whole locations that `statisticsOfTables` computes of the same tables, without computing them; none where rows can
 * only be understood together.
 */
export async function* ensemblesOfTables(
  tables: AsyncIterable<Table>,
  options: CheckedWindowOptions,
): AsyncGenerator<Ensemble> {
  const locations = new LocationStream(options);
  let isFirst = true;
  for await (const table of tables) {
    if (isFirst && whyWhole(table, options) !== undefined) return;
    isFirst = false;
    const ensemble = locations.add(table);
    if (ensemble !== undefined) yield ensemble;
  }
  const last = locations.end();
  if (last !== undefined) yield last;
}

/** Why rows have to be computed together; undefined where they can be streamed. */
function whyWhole(table: Table, options: CheckedWindowOptions): string | undefined {
  if (options.point !== undefined) return 'a point is asked for';
  return streamingObstacle(readRows(table, readHead(table, options), options.source));
}
