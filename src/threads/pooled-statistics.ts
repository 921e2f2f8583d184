import type { Table } from 'apache-arrow';
import { assertKnownKeys, namesOf } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type WorkOptions } from '../check/work.js';
import type { FloatArray } from '../core/number-arrays.js';
import { checkStatisticsOptions, STATISTICS_OPTIONS, type StatisticsOptions } from '../statistics/options.js';
import type { StatisticsColumns } from '../statistics/statistics-columns.js';
import { StatisticsPlan } from '../statistics/statistics-plan.js';
import { windowedParts } from '../statistics/windowed-part.js';
import { ensembleOf, type Opened } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import type { Pool } from './pool.js';

/** Like `statistics`, computed by a pool; options and errors are the same. */
export async function pooledStatistics(
  pool: Pool,
  data: Table | Opened,
  options: StatisticsOptions & WorkOptions = {},
): Promise<Table> {
  const { work, others } = beginWork(options, 'results');
  assertKnownKeys(others, [...namesOf(STATISTICS_OPTIONS), ...WORK_KEYS]);
  const checked = checkStatisticsOptions(others);
  const ensemble = ensembleOf(data, { ...checked, places: readPlaces });
  const plan = new StatisticsPlan(ensemble, checked);
  const parts = windowedParts(ensemble, checked);
  const lengths = parts.map(({ field, windows }) => field.cells * windows.count);
  work.expect(lengths.reduce((sum, length) => sum + length, 0));
  const { signal } = work;
  const jobs: Promise<StatisticsColumns>[] = [];
  for (const [i, part] of parts.entries()) {
    if (work.isDue) await work.pause();
    const job = pool.computeStatistics(part.field, part.windows, plan.request(part), { signal });
    jobs.push(job);
    job.then(
      () => work.advance(lengths[i]),
      () => {},
    );
  }
  const settled = await Promise.allSettled(jobs);
  const results = settled.map((job) => {
    if (job.status === 'rejected') throw job.reason;
    return job.value;
  });
  return plan.table(parts, results.map(unshareColumns));
}

/** Copies columns to memory that is not shared: bodies of responses, for example, do not take shared memory. */
function unshareColumns(columns: StatisticsColumns): StatisticsColumns {
  if (columns.members.buffer instanceof ArrayBuffer) return columns;
  return {
    length: columns.length,
    mean: columns.mean.slice(),
    quantiles: columns.quantiles.map(copy),
    spread: columns.spread?.slice(),
    probabilities: columns.probabilities.map(copy),
    categories: columns.categories.map((shares) => shares.map(copy)),
    members: columns.members.slice(),
  } satisfies Record<keyof StatisticsColumns, unknown>;
}

function copy(column: FloatArray): FloatArray {
  return column.slice();
}
