import { readFile } from 'node:fs/promises';
import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { readTable } from '../formats/read-table.js';
import { checkStatisticsOptions } from '../statistics/options.js';
import { ensembleAsked, statisticsInGroups } from '../statistics/statistics.js';
import type { GridStatistics } from '../stream/grid-statistics.js';
import { type CheckedPlan, thresholdsOf } from './batch-plan.js';
import type { OutputPart } from './plan-outputs.js';

/** An input that is open for one part of an output. */
export type PartInput =
  | {
      readonly kind: 'grid';
      readonly statistics: GridStatistics;
      readonly notes: readonly string[];
      close(): Promise<void>;
    }
  | {
      readonly kind: 'table';
      /** Its statistics, a table at a time. */
      tables(): AsyncGenerator<Table>;
      readonly notes: readonly string[];
      close(): Promise<void>;
    };

export async function openPart(core: Core, plan: CheckedPlan, part: OutputPart): Promise<PartInput> {
  const options = {
    ...plan.request,
    variable: part.variable,
    granularity: part.granularity,
    thresholds: thresholdsOf(plan.thresholds, part.variable),
    source: part.input,
  };
  const checked = checkStatisticsOptions(options, ['exceed', 'anomaly']);
  async function* tables() {
    const table = await readTable(await readFile(part.input), { source: part.input });
    yield* statisticsInGroups(core, ensembleAsked(table, checked), checked, 65_536);
  }
  return { kind: 'table', tables, notes: [], close: async () => {} };
}
