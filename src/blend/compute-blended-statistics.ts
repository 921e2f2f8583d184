import { assertCore } from '../core/assert-core.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { FloatArray } from '../core/number-arrays.js';
import type { Places } from '../ensemble/nearest-place.js';
import type { WindowTable } from '../period/period.js';
import { computeColumns, computeFrom } from '../statistics/compute.js';
import { emptyColumns, type StatisticsColumns, valueColumns } from '../statistics/statistics-columns.js';
import { assertRequest, assertWindows, type StatisticsRequest } from '../statistics/statistics-request.js';
import { placeWindows } from '../statistics/tiles.js';
import { isRaw } from '../statistics/window-rows.js';
import { planBlend } from './blend-fields.js';
import { BlendedWindows } from './blended-windows.js';
import type { Horizon } from './horizon.js';
import type { PairFieldsOptions } from './pairing/pair-fields.js';
import type { Pairing } from './pairing/pairing.js';
import { timelineGroups } from './timeline-groups.js';
import type { BlendPlan } from './window-runs.js';

/**
 * Statistics of the timeline of some horizons, in less time than it takes to make the timeline first, and to the same
 * bit: `computeStatistics` of the field that `blendFields` returns. A pairing by regions needs the `places` of the cells.
 * Throws as these do.
 */
export function computeBlendedStatistics(
  core: Core,
  horizons: readonly Horizon[],
  how: Pairing | PairFieldsOptions,
  windows: WindowTable,
  request: StatisticsRequest,
  places?: Places,
): { columns: StatisticsColumns; pairing: Pairing } {
  assertCore(core);
  const plan = planBlend(core, horizons, how, places);
  const shape = timelineShape(plan);
  assertWindows(windows);
  assertRequest(request, shape.cells * windows.count);
  return { columns: blendedColumns(core, plan, windows, request), pairing: plan.pairing };
}

/** What is known of a timeline before it is made. */
export function timelineShape({ horizons: [{ field }], pairing, days }: BlendPlan): EnsembleField {
  return { ...field, firstDay: pairing.firstDay, days, place: undefined };
}

/** Like `computeBlendedStatistics`, without checks of its arguments. */
export function blendedColumns(
  core: Core,
  plan: BlendPlan,
  windows: WindowTable,
  request: StatisticsRequest,
): StatisticsColumns {
  const shape = timelineShape(plan);
  const columns = emptyColumns(shape, windows, request);
  const placed = placeWindows(shape, windows);
  // Windows that roll share days, which are then joined once.
  if (columns.length === 0 || windows.rolling || isRaw(shape, placed, request.window)) {
    const isEmpty = columns.length === 0;
    if (isEmpty && !plan.isOpen) return columns;
    for (const { cell, field } of timelineGroups(core, plan, isEmpty ? 0 : plan.days)) {
      if (!isEmpty) copyColumns(computeGroup(core, field, cell, windows, request), columns, cell * windows.count);
    }
    return columns;
  }
  const mark = core.memory.mark();
  try {
    computeFrom(core, shape, request, new BlendedWindows(core, plan, placed, request.window), columns);
  } finally {
    core.memory.release(mark);
  }
  return columns;
}

/** The statistics of the cells of a timeline from `cell` on: single days are fastest from the days themselves. */
function computeGroup(
  core: Core,
  field: EnsembleField,
  cell: number,
  windows: WindowTable,
  request: StatisticsRequest,
): StatisticsColumns {
  const [from, to] = [cell * windows.count, (cell + field.cells) * windows.count];
  const categories = request.categories?.map(({ limits, lower }) => ({
    limits: limits.map((limit): FloatArray => limit.subarray(from, to)),
    lower,
  }));
  return computeColumns(core, field, windows, { ...request, categories });
}

function copyColumns(from: StatisticsColumns, to: StatisticsColumns, at: number): void {
  const targets = valueColumns(to);
  valueColumns(from).forEach((values, k) => {
    targets[k].set(values, at);
  });
  to.members.set(from.members, at);
}
