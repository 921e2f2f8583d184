import { DAILY_GROWTH_WARNING } from '../../../ensemble/accumulation.js';
import {
  AccumulationEvidence,
  isFall,
  MIN_WET_STEPS,
  roundingTolerance,
  seemToGrow,
} from '../../../ensemble/accumulation-evidence.js';
import { DataError, mentionOption } from '../../../errors.js';
import { cellPlaces } from '../cells/cell-places.js';
import type { GridEnsemble } from '../grid-ensemble.js';
import { modelPart, utcText } from '../time/time-units.js';
import { decodeRow, scaleValues } from '../value-coding.js';
import { sampleSeries } from './array-amounts.js';
import { findReadPlan, type ReadPlan } from './read-plan.js';
import type { StoredSteps } from './reduce-days.js';

/** The member and the cells of stored steps. */
export interface StoredPlaces {
  readonly member: number;
  /** The cell of the grid at a row and a column of the stored steps. */
  readonly cellAt: (row: number, column: number) => number;
}

/**
 * Throws a DataError for the first place and time at which stored amounts contradict what they were taken for: growing
 * amounts that fall, and amounts that were taken for negligible but are not. Does nothing for all other arrays.
 */
export function checkGrowth(plan: ReadPlan, stored: StoredSteps, count: number, places: StoredPlaces): void {
  const { growth, negligible } = plan.rule;
  const weights = growth && plan.rule.weights;
  if (growth?.smallest === undefined && negligible === undefined) return;
  const { rows, width, strides, firstStep, at } = stored;
  const [before, after, highest] = [0, 1, 2].map(() => new Float64Array(width));
  for (let y = 0; y < rows; y++) {
    highest.fill(Number.NaN);
    for (let step = 0; step < count; step++) {
      decodeRow(stored.values, at + y * strides.y + step * strides.time, strides.x, after, plan.coding);
      if (weights !== undefined) scaleValues(after, weights[firstStep + step], 0);
      if (negligible !== undefined) {
        const wet = after.findIndex((value) => Math.abs(value) > negligible);
        if (wet >= 0) throw unclearError(plan, firstStep + step, after[wet], places.member, places.cellAt(y, wet));
        continue;
      }
      const isFresh = step === 0 || growth?.fresh[firstStep + step] === 1;
      const fallen = isFresh ? -1 : firstFall(before, after, growth?.smallest ?? 0);
      if (fallen >= 0) {
        const amounts = [before[fallen], after[fallen]] as const;
        throw fallError(plan, firstStep + step, amounts, places.member, places.cellAt(y, fallen));
      }
      // Where a value is missing, the amount after it is compared with the one before it.
      for (let x = 0; x < width; x++) if (isFresh || !Number.isNaN(after[x])) before[x] = after[x];
    }
  }
}

function firstFall(before: Float64Array, after: Float64Array, smallest: number): number {
  for (let x = 0; x < before.length; x++) {
    // Most amounts grow: only others need the slower check.
    if (after[x] >= before[x] && before[x] >= 0) continue;
    const rounding = roundingTolerance(smallest * ROUNDING_SHARE, Math.max(Math.abs(before[x]), Math.abs(after[x])));
    if (isFall(before[x], after[x], rounding)) return x;
  }
  return -1;
}

/**
 * Cells are rounded as the largest of their field, which may not be in the block: falls of ten times what matters are
 * tolerated.
 */
const ROUNDING_SHARE = 10;

function fallError(
  plan: ReadPlan,
  step: number,
  [before, after]: readonly [number, number],
  member: number,
  cell: number,
) {
  const { source, layout, rule } = plan;
  const place = placeText(plan, step, member, cell);
  if (rule.weights !== undefined) {
    return new DataError({
      ...{ source, column: layout.array.name, problem: `means since a start, times their seconds, fall ${place}` },
      ...{ received: `${before}, then ${after}`, allowed: 'means that contradict each other by rounding at most' },
    });
  }
  return new DataError({
    ...{ source, column: layout.array.name },
    problem: `growing amounts fall ${place}`,
    received: `${before}, then ${after}`,
    allowed: `amounts that fall by rounding at most; or ${mentionOption('accumulation')}, to state what they count`,
  });
}

function unclearError(plan: ReadPlan, step: number, amount: number, member: number, cell: number): DataError {
  const { source, layout } = plan;
  return new DataError({
    ...{ source, column: layout.array.name },
    problem: `a sample was dry and did not show what amounts count, but some fell ${placeText(plan, step, member, cell)}`,
    received: amount,
    allowed: mentionOption('accumulation', 'per-step', 'since-start', 'buckets-6h'),
  });
}

function placeText({ layout }: ReadPlan, step: number, member: number, cell: number): string {
  const { latitude, longitude } = cellPlaces(layout.cells.grid, cell, 1);
  const place = `latitude ${latitude[0]}, longitude ${longitude[0]}`;
  return `at ${utcText(layout.times.seconds[step], modelPart(layout.times.calendar))} (member ${layout.members[member]}, ${place})`;
}

/**
 * The warning for daily amounts that were taken to be those of their day, but never fall in a sample of members and
 * places. Undefined where they do fall, and for all other values.
 */
export async function growthWarning(ensemble: GridEnsemble): Promise<string | undefined> {
  const plan = findReadPlan(ensemble);
  if (plan?.smallest === undefined || ensemble.accumulation !== undefined || ensemble.days <= MIN_WET_STEPS)
    return undefined;
  const { layout, steps, coding, smallest } = plan;
  const edges = { starts: layout.times.seconds, ends: layout.times.seconds.map((time, i) => time + steps.seconds[i]) };
  const evidence = new AccumulationEvidence(edges, { smallest });
  for await (const { series, firstStep } of sampleSeries(layout, coding)) {
    evidence.add(series, firstStep);
    if (evidence.hasFalls) return undefined;
  }
  return seemToGrow(evidence, ensemble.days, layout.times.init !== undefined) ? DAILY_GROWTH_WARNING : undefined;
}
