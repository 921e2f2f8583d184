import type { Table } from 'apache-arrow';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { type RowOptions, requestedEnsemble } from '../../statistics/statistics.js';
import { LocationStream } from '../../table/location-stream.js';
import { readHead, readRows } from '../../table/read-ensemble.js';
import { streamingObstacle } from '../../table/whole-table.js';
import type { TableCollector } from './table-collector.js';

/** An ensemble of some locations of a stream of tables, or of all. Its values are good until the next one is requested. */
export interface StreamedEnsemble {
  readonly ensemble: Ensemble;
  /** Whether it has all rows. */
  readonly isAll: boolean;
}

/**
 * Reads the rows of tables, which have one schema and at least two rows each, except for the last table. A location is
 * read as soon as all its rows are there; rows that have to be read together are collected, and give nothing without a
 * `collector`. A table is no longer needed when the next one is requested.
 */
export async function* ensemblesOfTables(
  tables: AsyncIterable<Table>,
  options: RowOptions,
  collector?: TableCollector,
): AsyncGenerator<StreamedEnsemble> {
  const locations = new LocationStream(options);
  let together: string | undefined;
  let hasRows = false;
  for await (const table of tables) {
    if (!hasRows) {
      together = reasonToCollect(table, options);
      if (together !== undefined && collector === undefined) return;
    }
    hasRows = true;
    if (together !== undefined) {
      collector?.add(table, together);
      continue;
    }
    const ensemble = locations.add(table);
    if (ensemble !== undefined) yield { ensemble, isAll: false };
  }
  if (collector !== undefined && together !== undefined) {
    yield { ensemble: requestedEnsemble(collector.table(), options), isAll: true };
    return;
  }
  const last = locations.end();
  if (last !== undefined) yield { ensemble: last, isAll: false };
}

/** Why rows have to be read together; undefined if they can be read as they come. */
function reasonToCollect(table: Table, options: RowOptions): string | undefined {
  if (options.point !== undefined) return 'a point is requested';
  return streamingObstacle(readRows(table, readHead(table, options), options.source));
}
