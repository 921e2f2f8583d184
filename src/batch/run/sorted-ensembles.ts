import type { Table } from 'apache-arrow';
import { type RowOptions, requestedEnsemble } from '../../statistics/statistics.js';
import { sortedTable } from '../../table/daily/sorted-table.js';
import { RowOrderError } from '../../table/rows/long-location-stream.js';
import { readHead, readRows } from '../../table/rows/read-ensemble.js';
import { gatheringObstacle } from '../../table/rows/whole-table.js';
import { followedBy } from './followed-by.js';
import { type GatheredEnsemble, type Gathering, gatheredEnsembles } from './gathered-ensembles.js';
import type { TableCollector } from './table-collector.js';

/** How rows are sorted. */
export interface Sorting {
  readonly gathering: Gathering;
  /** What rows that have to be read together are collected by; without it they give nothing. */
  readonly collector: TableCollector | undefined;
  /** Reads the same tables once more; without it, all rows are read together. */
  readonly again: (() => AsyncIterable<Table>) | undefined;
}

/**
 * Reads the rows of tables of daily values, which are in any order, as ensembles of some locations each: together they
 * are those of the table that `sortedTable` gives for all. Throws as it does, and as `gatheredEnsembles` does.
 */
export async function* sortedEnsembles(
  tables: AsyncIterable<Table>,
  options: RowOptions,
  { gathering, collector, again }: Sorting,
): AsyncGenerator<GatheredEnsemble> {
  const rest: AsyncIterator<Table> = tables[Symbol.asyncIterator]();
  const { value: first, done } = await rest.next();
  if (done) return;
  try {
    const all = followedBy(first, rest);
    if (again === undefined || mustBeTogether(first, options)) return yield* sortedTogether(all, options, collector);
    return yield* gatheredEnsembles(all, { ...options, sort: true }, gathering, again);
  } catch (error) {
    // It is thrown before the first result.
    if (again === undefined || !(error instanceof RowOrderError)) throw error;
  } finally {
    await rest.return?.();
  }
  yield* sortedTogether(again(), options, collector);
}

function mustBeTogether(first: Table, options: RowOptions): boolean {
  return gatheringObstacle(readRows(first, readHead(first, options), options.source)) !== undefined;
}

async function* sortedTogether(
  tables: AsyncIterable<Table>,
  options: RowOptions,
  collector: TableCollector | undefined,
): AsyncGenerator<GatheredEnsemble> {
  if (collector === undefined) return;
  for await (const table of tables) collector.add(table, 'rows have to be sorted');
  const { table, columns, isChanged } = sortedTable(collector.table(), options);
  yield { ensemble: requestedEnsemble(table, { ...options, columns }), isAll: true, isInOrder: !isChanged };
}
