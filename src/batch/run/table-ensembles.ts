import type { Table } from 'apache-arrow';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { type RowOptions, requestedEnsemble } from '../../statistics/statistics.js';
import { LocationStream } from '../../table/location-stream.js';
import { LongLocationStream } from '../../table/long-location-stream.js';
import { readHead, readRows } from '../../table/read-ensemble.js';
import { streamingObstacle } from '../../table/whole-table.js';
import type { TableCollector } from './table-collector.js';

/** An ensemble of some locations of a stream of tables, or of all. Its values are good until the next one is requested. */
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
  /**
   * Whether long tables are read location by location: a RowOrderError says that their rows are in another order, and
   * what was given before counts for nothing.
   */
  readonly mayBeLong?: boolean;
}

/**
 * Reads the rows of tables, which have one schema and at least two rows each, except for the last table. A location is
 * read as soon as all its rows are there. A table is no longer needed when the next one is requested.
 */
export async function* ensemblesOfTables(
  tables: AsyncIterable<Table>,
  options: RowOptions,
  { collector, mayBeLong }: StreamOptions = {},
): AsyncGenerator<StreamedEnsemble> {
  let locations: LocationStream | LongLocationStream | undefined;
  let together: string | undefined;
  let hasRows = false;
  let isOrderAssumed = false;
  for await (const table of tables) {
    if (!hasRows) {
      const rows = readRows(table, readHead(table, options), options.source);
      together = options.point === undefined ? streamingObstacle(rows, mayBeLong) : 'a point is requested';
      if (together !== undefined && collector === undefined) return;
      isOrderAssumed = rows.head.values.form === 'long';
      locations = isOrderAssumed ? new LongLocationStream(options) : new LocationStream(options);
    }
    hasRows = true;
    if (together !== undefined) {
      collector?.add(table, together);
      continue;
    }
    const ensemble = locations?.add(table);
    if (ensemble !== undefined) yield { ensemble, isAll: false, isOrderAssumed };
  }
  if (collector !== undefined && together !== undefined) {
    yield { ensemble: requestedEnsemble(collector.table(), options), isAll: true, isOrderAssumed: false };
    return;
  }
  const last = locations?.end();
  if (last !== undefined) yield { ensemble: last, isAll: false, isOrderAssumed };
}
