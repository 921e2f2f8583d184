import type { Table } from 'apache-arrow';
import { assertKind } from '../../check/option-checks.js';
import { beginWork, type Work, type WorkOptions } from '../../check/work.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import type { StepEdges } from '../../ensemble/accumulation.js';
import { OptionError } from '../../errors.js';
import { timedTable } from '../../table/daily/timed-table.js';
import type { ArrayFile } from '../array/array-file.js';
import type { GridEnsemble } from './grid-ensemble.js';
import { checkGridOptions, type GridOptions } from './grid-options.js';
import { openArray } from './open-array.js';
import { openChosen } from './open-grid-ensemble.js';
import { ALL_RUNS } from './open-runs.js';
import { type PlaceTable, type TableAtPointOptions, tableOfPlace } from './table-at-point.js';

/** An ensemble whose days are time steps in their place. */
export type StepsEnsemble = GridEnsemble & { readonly edges: StepEdges };

/**
 * Opens the time steps of one variable of a file as `gridEnsemble` opens its days: each step is a row in place of a day,
 * numbered from 0, and `edges` has its time. Throws what that throws, but for days that no steps cover, and DataError for
 * daily values; OptionError for `init: 'all'`, as steps of several runs are no ensemble.
 */
export async function gridSteps(opened: ArrayFile, options: GridOptions, work: Work): Promise<StepsEnsemble> {
  if (options.init === ALL_RUNS) {
    const problem = 'steps of several runs are not one ensemble';
    throw new OptionError({ subject: 'init', problem, received: ALL_RUNS, allowed: 'the time of one run' });
  }
  const [found] = await openChosen(opened, options, work, async (reader, array, variable, checked) => {
    const ensemble = await openArray(reader, array, variable, { ...checked, asSteps: true });
    return ensemble && [ensemble];
  });
  return found as StepsEnsemble;
}

/**
 * Reads the time steps of the cell nearest to a point as they are, as `tableAtPoint` reads its days: a row for each step,
 * with `start` and `end` in UTC, which are the same for a value of an instant; amounts are of the step. Values are in the
 * unit of the variable. Metadata state `granularity: steps`, and the time zone where one is given. `stepStatistics` and
 * `meteogram` take it. Throws as `tableAtPoint` does, and DataError for daily values.
 */
export async function stepsAtPoint(
  core: Core,
  file: ArrayFile,
  options: TableAtPointOptions = {},
): Promise<PlaceTable> {
  assertCore(core);
  assertKind('options', options, 'object');
  const { work, others } = beginWork<TableAtPointOptions & WorkOptions>(options, 'values');
  const { point, ...ofGrid } = others;
  checkGridOptions(ofGrid, ['point']);
  return work.run(async () => {
    const steps = await gridSteps(file, ofGrid, work);
    return { table: await stepsOfPlace(core, file, steps, point, options), notes: steps.conversions };
  });
}

/** The time steps of an ensemble of a file at a point, as `stepsAtPoint` reads them. */
export async function stepsOfPlace(
  core: Core,
  file: ArrayFile,
  steps: StepsEnsemble,
  point: TableAtPointOptions['point'],
  work?: WorkOptions,
): Promise<Table> {
  return timedTable(await tableOfPlace(core, file, steps, point, work), steps.edges);
}
