import type { Core, Granularity } from 'plumecast';
import type { EnsembleField } from 'plumecast/arrays';
import { computeStatistics, type StatisticsRequest, windowTable } from 'plumecast/arrays';
import { type Entry, statisticsTwin } from '../reference/statistics.js';

const request: StatisticsRequest = {
  window: 'sum',
  quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
  quantileType: 7,
  thresholds: [],
  spread: false,
  minMemberShare: 0.8,
};

/** Throws where one of the core's results differs from the twin's in any bit, all NaN being equal. */
export function equalsTwin(
  core: Core,
  field: EnsembleField,
  granularity: Granularity,
  options: Partial<StatisticsRequest> = {},
): void {
  const requested = { ...request, ...options };
  const last = field.firstDay + field.days - 1;
  const windows = windowTable(granularity, field.firstDay, last, { partial: true });
  const columns = computeStatistics(core, field, windows, requested);
  const twin = statisticsTwin(field, windows, requested);
  const round = field.type === 'float32' ? Math.fround : (x: number) => x;
  const compare = (what: string, column: ArrayLike<number> | undefined, pick: (entry: Entry) => number) => {
    if (column?.length !== twin.length) throw new Error(`${what}: ${column?.length} entries, not ${twin.length}`);
    twin.forEach((entry, i) => {
      const expected = round(pick(entry));
      if (!Object.is(column[i], expected)) {
        throw new Error(`${what} of ${granularity} entry ${i}: ${column[i]}, the twin has ${expected}`);
      }
    });
  };
  compare('members', columns.members, (entry) => entry.members);
  compare('mean', columns.mean, (entry) => entry.mean);
  if (requested.spread) compare('spread', columns.spread, (entry) => entry.spread);
  requested.quantiles.forEach((p, k) => {
    compare(`quantile ${p}`, columns.quantiles[k], (entry) => entry.quantiles[k]);
  });
  requested.thresholds.forEach(({ operator, limit }, k) => {
    compare(`probability ${operator} ${limit}`, columns.probabilities[k], (entry) => entry.probabilities[k]);
  });
}
