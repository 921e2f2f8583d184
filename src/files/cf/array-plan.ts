import { forRoles, type Role } from './array-layout.js';
import { cellRectangles } from './cell-runs.js';
import type { Block, GridEnsemble } from './grid-ensemble.js';
import { chunkLengths, extentOf, type ReadPlan } from './read-plan.js';

/** How an ensemble of an array is read; undefined for one that is of none. */
export function readPlanFor(ensemble: GridEnsemble): ReadPlan | undefined {
  return 'plan' in ensemble ? (ensemble.plan as ReadPlan) : undefined;
}

/** The calendar that the times of an array are of, as the file says or the caller. */
export function calendarOf({ layout: { times } }: ReadPlan): string {
  return times.calendar;
}

/** The shortest and the longest of the steps that days are made of, in seconds. */
export function stepRange({ steps: { firstStep, steps, seconds } }: ReadPlan): { shortest: number; longest: number } {
  const last = firstStep[steps.length - 1] + steps[steps.length - 1];
  const used = seconds.subarray(firstStep[0], last);
  return { shortest: used.reduce((a, b) => Math.min(a, b)), longest: used.reduce((a, b) => Math.max(a, b)) };
}

/** The stored pieces of an array that blocks are read from, and how often they are decoded for all blocks; undefined where it has none. */
export function chunkReads(plan: ReadPlan, blocks: readonly Block[]): { chunks: number; decoded: number } | undefined {
  const { layout } = plan;
  if (layout.array.chunk === undefined) return undefined;
  const length = chunkLengths(layout);
  const product = (count: (role: Role) => number) => Object.values(forRoles(count)).reduce((a, b) => a * b, 1);
  const all = extentOf(plan, { y: whole(layout.length.y), x: whole(layout.length.x) }, 0, plan.steps.days);
  const touched = (extent: typeof all) =>
    product((role) => {
      const { start, count } = extent[role];
      return Math.floor((start + count - 1) / length[role]) - Math.floor(start / length[role]) + 1;
    });
  let decoded = 0;
  for (const { cell, cells, day, days } of blocks) {
    for (const rectangle of cellRectangles(cell, cells, layout.length.x)) {
      decoded += touched(extentOf(plan, rectangle, day, day + days));
    }
  }
  return { chunks: touched(all), decoded };
}

function whole(count: number): { start: number; count: number } {
  return { start: 0, count };
}
