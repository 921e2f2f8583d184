import { chunksDecoded, type GridWork, isCostly, planBlocks } from './compute-grid.js';
import type { GridStatistics } from './grid-statistics.js';

/** Statistics of the same values that are computed together, from blocks that are read once. */
type GridGroup = readonly GridStatistics[];

/** How to compute several statistics of the same values. */
export interface GridGroups {
  readonly groups: readonly GridGroup[];
  /** How often stored chunks are decoded for all of them. */
  readonly decoded: number;
}

/**
 * Groups statistics so that stored chunks are decoded the fewest times in blocks of `bytes`: together where their
 * windows begin on the same days, or all days fit into memory; weeks and months in turn where they do not.
 */
export function groupGrids(grids: readonly GridStatistics[], { bytes }: Pick<GridWork, 'bytes'>): GridGroups {
  const groups: { grids: GridStatistics[]; decoded: number }[] = [];
  for (const grid of grids) {
    const apart = decodedFor([grid], bytes);
    const costs = groups.map((group) => decodedFor([...group.grids, grid], bytes) - group.decoded);
    const least = costs.indexOf(Math.min(...costs));
    // Where values are not stored in chunks, reading them twice costs little, and threads can share the work.
    if (least >= 0 && costs[least] < apart) {
      groups[least].grids.push(grid);
      groups[least].decoded += costs[least];
    } else groups.push({ grids: [grid], decoded: apart });
  }
  return { groups: groups.map((group) => group.grids), decoded: groups.reduce((sum, group) => sum + group.decoded, 0) };
}

/** Whether one thread alone computes groups faster, in its memory, than several do. */
export function areFasterAlone(shared: GridGroups, alone: GridGroups): boolean {
  return isCostly(shared.decoded, alone.decoded);
}

function decodedFor([first, ...others]: readonly GridStatistics[], bytes: number): number {
  const siblings = others.map((statistics) => ({ statistics, results: '' }));
  return chunksDecoded(first, planBlocks(first, { bytes, siblings }));
}
