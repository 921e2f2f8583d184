import { valueBytes } from '../../core/float-array.js';
import { isPlumecastError } from '../../errors.js';
import type { Cells } from './daily-input.js';
import type { HorizonSet } from './horizon-set.js';

/** Bytes of values of files of arrays that are held at a time, about. */
const BLOCK_BYTES = 201_326_592;
/** The same where files are stored in pieces too large for that. */
const LARGE_BLOCK_BYTES = 1_073_741_824;

/**
 * The places, of `cells`, that some horizons are read at together, so that their values take about `held` bytes. They are those that the largest
 * file of arrays is best read by; all of them where there is none, as tables are held already.
 */
export function cellBlocks(sets: readonly HorizonSet[], cells: number, held = BLOCK_BYTES): readonly Cells[] {
  const read = sets.flatMap(({ inputs, orders, type }) =>
    inputs.map((input, h) => ({
      input,
      order: orders[h],
      bytes: input.days * input.members.length * valueBytes(type),
    })),
  );
  const grids = read.filter(({ input }) => input.grid !== undefined);
  const total = grids.reduce((sum, { bytes }) => sum + bytes, 0);
  const [largest] = grids.filter(({ order }) => order === undefined).sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined) return evenBlocks(cells, total === 0 ? cells : Math.floor(held / total));
  const share = largest.bytes / total;
  try {
    return largest.input.blocks(held * share);
  } catch (error) {
    if (!isPlumecastError(error, 'data')) throw error;
    return largest.input.blocks(LARGE_BLOCK_BYTES * share);
  }
}

function evenBlocks(cells: number, most: number): Cells[] {
  const step = Math.max(1, most);
  const count = Math.ceil(cells / step);
  return Array.from({ length: count }, (_, i) => ({ cell: i * step, cells: Math.min(step, cells - i * step) }));
}
