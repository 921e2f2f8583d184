import type { Table } from 'apache-arrow';
import type { Climatology } from '../climate/climatology.js';
import type { Core } from '../core/load.js';
import { type CheckedPlan, thresholdsOf, valuesOf } from './check-plan.js';
import { openClimatology } from './climatologies.js';
import type { OutputPart } from './plan-outputs.js';
import type { GridStatistics } from './run/grid-statistics.js';
import { gridStatisticsOfFile } from './run/grid-statistics-of-file.js';
import type { InputRequest } from './run/input-statistics.js';
import type { Report } from './run/notice.js';
import { isGridPath, openGridFile } from './run/open-grid-file.js';
import { statisticsOfInput } from './run/statistics-of-input.js';

/** An input that is open for one part of an output. */
export type PartInput =
  | { readonly kind: 'grid'; readonly statistics: GridStatistics; close(): Promise<void> }
  /** Its statistics, a table at a time. */
  | { readonly kind: 'table'; tables(): AsyncIterable<Table>; close(): Promise<void> };

/** Opens the input of a part: what is done to its values, and what may be wrong, is told, and the number of its members is seen. Throws what reading throws. */
export async function openPart(
  core: Core,
  plan: CheckedPlan,
  part: OutputPart,
  climatologies: readonly Climatology[],
  report: Report,
  seen?: (members: number) => void,
): Promise<PartInput> {
  const { input } = part;
  const request = { ...requestOfPart(plan, part, climatologies), seen };
  if (!(await isGridPath(input))) {
    return { kind: 'table', tables: () => statisticsOfInput(core, input, request, report), close: async () => {} };
  }
  const file = await openGridFile(input);
  try {
    return {
      kind: 'grid',
      statistics: await gridStatisticsOfFile(core, file, request, report),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function requestOfPart(
  { request, thresholds, values }: CheckedPlan,
  { input, variable, granularity }: OutputPart,
  climatologies: readonly Climatology[],
): InputRequest {
  const climatology =
    climatologies.length === 0 ? undefined : openClimatology(climatologies, granularity, variable, input);
  const statistics = { ...request, variable, granularity, thresholds: thresholdsOf(thresholds, variable) };
  return { statistics, climatology, values: valuesOf(values, variable) };
}
