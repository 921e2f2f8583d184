import type { Table } from 'apache-arrow';
import type { Climatology } from '../climate/climatology.js';
import type { Core } from '../core/load.js';
import { type CheckedPlan, selectThresholds, selectValueOptions } from './check-plan.js';
import { selectClimatology } from './climatologies.js';
import type { OutputPart } from './plan-outputs.js';
import { type GridStatistics, openGridStatistics } from './run/grid-statistics.js';
import type { InputRequest } from './run/input-statistics.js';
import type { Report } from './run/notice.js';
import { isGridPath, openGridFile } from './run/open-grid-file.js';
import { statisticsOfInput } from './run/statistics-of-input.js';

/** An input that is open for one part of an output. */
export type PartInput =
  | { readonly kind: 'grid'; readonly statistics: GridStatistics; close(): Promise<void> }
  /** Statistics, a table at a time. */
  | { readonly kind: 'table'; tables(): AsyncIterable<Table>; close(): Promise<void> };

/**
 * Opens the input of a part. Reports conversions and warnings, and passes the number of members to `onMembers`. Throws
 * what reading throws.
 */
export async function openPart(
  core: Core,
  plan: CheckedPlan,
  part: OutputPart,
  climatologies: readonly Climatology[],
  report: Report,
  onMembers?: (members: number) => void,
): Promise<PartInput> {
  const { input } = part;
  const request = { ...partRequest(plan, part, climatologies), onMembers };
  if (!(await isGridPath(input))) {
    return { kind: 'table', tables: () => statisticsOfInput(core, input, request, report), close: async () => {} };
  }
  const file = await openGridFile(input);
  try {
    return {
      kind: 'grid',
      statistics: await openGridStatistics(core, file, request, report),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function partRequest(
  { request, thresholds, values }: CheckedPlan,
  { input, variable, granularity }: OutputPart,
  climatologies: readonly Climatology[],
): InputRequest {
  const climatology =
    climatologies.length === 0 ? undefined : selectClimatology(climatologies, granularity, variable, input);
  const statistics = { ...request, variable, granularity, thresholds: selectThresholds(thresholds, variable) };
  return { statistics, climatology, values: selectValueOptions(values, variable) };
}
