import { chunkBytes, countChunkReads, findReadPlan } from '../../files/cf/days/read-plan.js';
import type { Block, GridEnsemble } from '../../files/cf/grid-ensemble.js';
import { ensembleOfMembers } from '../../files/cf/open-array.js';

/** All values are read where no more bytes than this are decoded for them, else a sample. */
const MAX_BYTES = 134_217_728;
/** About how many bytes are decoded for a sample, unless one block takes more. */
const SAMPLE_BYTES = MAX_BYTES / 2;
/** No value is read where the chunks of a single block have more bytes than this. */
const MAX_BLOCK_BYTES = 8 * MAX_BYTES;
/** The most values of a block, which are in memory at once. */
const MAX_VALUES = 67_108_864;
/** The most cells of a series or a piece, and the most blocks of a sample. */
const CELLS = 64;
const MAX_BLOCKS = 16;

/** Where decoding the values of all members for one block takes more bytes than this, so many members are a sample of them. */
const MAX_BYTES_OF_ALL = MAX_BYTES / 4;
const FEW_MEMBERS = 3;

/** A sample of the values of an ensemble, or of some of its members. */
interface Sample {
  readonly ensemble: GridEnsemble;
  readonly blocks: readonly Block[];
}

/**
 * A sample of the values of an ensemble, spread evenly over its days and cells: as many blocks as can be read within a
 * second or so, whatever the chunks of the array; of the first, the last and a middle member alone, where single blocks of
 * all take long. No block where chunks are so large that one takes longer; undefined where all values can be read so.
 */
export function sampleOfValues(ensemble: GridEnsemble): Sample | undefined {
  const { cells, days, members } = ensemble;
  if (decodedBytes(ensemble)({ cell: 0, cells, day: 0, days }) <= MAX_BYTES) return undefined;
  const all = sampleBlocks(ensemble);
  const last = members.length - 1;
  if (all.cost > MAX_BYTES_OF_ALL && last >= FEW_MEMBERS) {
    const some = ensembleOfMembers(ensemble, Int32Array.of(0, Math.floor(last / 2), last));
    const sample = some && sampleBlocks(some);
    // In chunks of all members, some of them cost as much.
    if (some !== undefined && sample !== undefined && sample.cost < all.cost) return { ensemble: some, ...sample };
  }
  return { ensemble, blocks: all.blocks };
}

/** Blocks of a sample, and the bytes that are decoded to read one of them. */
function sampleBlocks(ensemble: GridEnsemble): { readonly blocks: readonly Block[]; readonly cost: number } {
  const { cells, days } = ensemble;
  const decoded = decodedBytes(ensemble);
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
  const cost = costs[best];
  if (cost > MAX_BLOCK_BYTES) return { blocks: [], cost };
  const shape = shapes[best];
  const count = Math.min(MAX_BLOCKS, Math.max(1, Math.floor(SAMPLE_BYTES / Math.max(1, cost))));
  // The middle of each of so many parts, of the days in another order than of the cells.
  const at = (i: number, all: number, length: number) => Math.floor(((all - length) * (i + 0.5)) / count);
  const blocks = Array.from({ length: count }, (_, i) => ({
    ...{ ...shape, cell: at(i, cells, shape.cells) },
    day: at((i * 7) % count, days, shape.days),
  }));
  return { blocks, cost };
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
