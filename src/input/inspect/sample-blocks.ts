import { chunkBytes, countChunkReads, findReadPlan } from '../../files/cf/days/read-plan.js';
import type { Block, GridEnsemble } from '../../files/cf/grid-ensemble.js';

/** All values are read where no more bytes than this are decoded for them, else a sample that decodes no more. */
const MAX_BYTES = 134_217_728;
/** No value is read where the chunks of a single block have more bytes than this. */
const MAX_BLOCK_BYTES = 8 * MAX_BYTES;
/** The most values of a block, which are in memory at once. */
const MAX_VALUES = 67_108_864;
/** The most cells of a series or a piece, and the most blocks of a sample. */
const CELLS = 64;
const MAX_BLOCKS = 16;

/**
 * Blocks of an ensemble whose values are a sample of all, spread evenly over its days and cells: as many as can be read
 * within a second or so, whatever the chunks of the array. None where chunks are so large that one block takes longer;
 * undefined where all values can be read so.
 */
export function sampleBlocks(ensemble: GridEnsemble): Block[] | undefined {
  const { cells, days } = ensemble;
  const decoded = decodedBytes(ensemble);
  if (decoded({ cell: 0, cells, day: 0, days }) <= MAX_BYTES) return undefined;
  const few = Math.min(CELLS, cells);
  const mostCells = Math.max(few, Math.min(cells, Math.floor(MAX_VALUES / ensemble.members.length)));
  const shapes = [
    { cells: mostCells, days: 1 },
    { cells: few, days },
    { cells: few, days: 1 },
  ];
  const costs = shapes.map((shape) => decoded({ cell: 0, day: 0, ...shape }));
  const share = (i: number) => (shapes[i].cells * shapes[i].days) / Math.max(1, costs[i]);
  const usable = [...shapes.keys()].filter((i) => costs[i] <= MAX_BYTES);
  const [best] =
    usable.length > 0
      ? usable.sort((a, b) => share(b) - share(a))
      : [...shapes.keys()].sort((a, b) => costs[a] - costs[b]);
  if (costs[best] > MAX_BLOCK_BYTES) return [];
  const shape = shapes[best];
  const count = Math.min(MAX_BLOCKS, Math.max(1, Math.floor(MAX_BYTES / Math.max(1, costs[best]))));
  // The middle of each of so many parts, of the days in another order than of the cells.
  const at = (i: number, all: number, length: number) => Math.floor(((all - length) * (i + 0.5)) / count);
  return Array.from({ length: count }, (_, i) => ({
    ...{ ...shape, cell: at(i, cells, shape.cells) },
    day: at((i * 7) % count, days, shape.days),
  }));
}

/** How many bytes of stored values are decoded to read a block. */
function decodedBytes(ensemble: GridEnsemble): (block: Block) => number {
  const plan = findReadPlan(ensemble);
  return (block) => {
    const reads = plan && countChunkReads(plan, [block]);
    if (plan === undefined || reads === undefined) return 8 * block.cells * block.days * ensemble.members.length;
    return Math.max(1, reads.decoded) * chunkBytes(plan.layout);
  };
}
