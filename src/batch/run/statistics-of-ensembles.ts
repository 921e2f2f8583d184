import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { CheckedStatisticsOptions } from '../../statistics/options.js';
import { StatisticsRun } from '../../statistics/statistics-run.js';
import type { StreamedEnsemble } from './table-ensembles.js';

/** Computes the statistics of ensembles as they come. Returns whether there were any. */
export async function* statisticsOfEnsembles(
  core: Core,
  ensembles: AsyncIterable<StreamedEnsemble>,
  options: CheckedStatisticsOptions,
): AsyncGenerator<Table, boolean> {
  const run = new StatisticsRun(core, options);
  let hasEnsembles = false;
  for await (const { ensemble } of ensembles) {
    hasEnsembles = true;
    yield* run.add(ensemble);
  }
  yield* run.end();
  return hasEnsembles;
}
