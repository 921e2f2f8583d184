import { computeBlocks, type GridSibling, type GridWork, planBlocks } from '../input/compute-grid.js';
import { areFasterAlone, groupGrids } from '../input/grid-groups.js';
import type { GridStatistics } from '../input/grid-statistics.js';
import type { OutputTask, Reply } from './task.js';

/** The statistics of an output and of its siblings; undefined for a sibling that is of other values, or fails. */
export interface JointGrids {
  readonly own: GridStatistics;
  readonly siblings: readonly (GridStatistics | undefined)[];
}

/**
 * Computes an output together with those of its siblings that need the same stored chunks, so that each is decoded once;
 * says by `apart` which siblings are not computed. Returns undefined if none is. `bytesAlone` is the memory of this
 * thread while no other computes.
 */
export async function computeTogether(
  { own, siblings }: JointGrids,
  task: OutputTask,
  work: GridWork,
  { bytesAlone, minBlocks }: { readonly bytesAlone: number; readonly minBlocks: number },
  apart: (siblings: readonly number[]) => void,
): Promise<Reply | undefined> {
  const joint = toGridSiblings(siblings, task);
  const grids = [own, ...joint.flatMap((sibling) => sibling?.statistics ?? [])];
  const shared = groupGrids(grids, work);
  if (task.share === 'alone' && grids.length === joint.length + 1) {
    const alone = groupGrids(grids, { bytes: bytesAlone });
    if (areFasterAlone(shared, alone)) {
      const all = [{ statistics: own, results: work.results }, ...joint.flatMap((sibling) => sibling ?? [])];
      for (const group of alone.groups) {
        const [first, ...others] = all.filter(({ statistics }) => group.includes(statistics));
        await computeBlocks(first.statistics, { ...work, bytes: bytesAlone, results: first.results, siblings: others });
      }
      return { kind: 'computed' };
    }
  }
  const [group] = shared.groups;
  const isIn = (sibling: GridSibling | undefined) => sibling !== undefined && group.includes(sibling.statistics);
  apart([...joint.keys()].filter((index) => !isIn(joint[index])));
  const together = { ...work, siblings: joint.flatMap((sibling) => (sibling && isIn(sibling) ? [sibling] : [])) };
  if (together.siblings.length === 0) return undefined;
  const blocks = planBlocks(own, together).length;
  if (task.share !== false && blocks >= minBlocks) return { kind: 'divided', blocks };
  await computeBlocks(own, together);
  return { kind: 'computed' };
}

/** Siblings with the paths of their results. */
function toGridSiblings(
  siblings: readonly (GridStatistics | undefined)[],
  { siblings: parts = [] }: OutputTask,
): (GridSibling | undefined)[] {
  return siblings.map((statistics, index) => statistics && { statistics, results: parts[index].results });
}
