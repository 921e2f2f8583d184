import type { Core } from '../../core/load.js';
import type { Block } from '../../files/cf/grid-ensemble.js';
import type { GridStatistics } from './grid-statistics.js';
import { MemoryStore, ResultBuffer } from './result-buffer.js';
import { FileStore } from './result-file.node.js';

/** What the results of a grid are computed with. */
export interface GridWork {
  readonly core: Core;
  /** The most bytes of values that may be held at a time. */
  readonly bytes: number;
  /** Where results wait that are too long to be held, or that several threads compute. */
  readonly results: string;
  /** Told after each block how much of all that was, from 0 to 1. */
  readonly progress: (share: number) => void;
}

/** The share of the memory that a block may take; the rest is for writing, and for what readers hold. */
const BLOCK_SHARE = 0.75;
/** The share that results may take rather than wait in a file. */
const RESULTS_SHARE = 0.2;

/** The results of a grid, until they are closed. */
export interface OpenResults {
  readonly results: ResultBuffer;
  close(): void;
}

/** The blocks of a grid, the same in every thread. */
export function blocksOf(statistics: GridStatistics, { bytes }: Pick<GridWork, 'bytes'>): readonly Block[] {
  return statistics.blocks(bytes * BLOCK_SHARE);
}

/** Computes the blocks from one up to, not including, another, to the file of results. */
export async function computeBlocks(
  statistics: GridStatistics,
  work: GridWork,
  from: number,
  to: number,
): Promise<void> {
  const { results, close } = resultsInFile(statistics, work);
  try {
    await compute(statistics, work, results, from, to);
  } finally {
    close();
  }
}

/** Computes all results of a grid, in memory where they are short. */
export async function computeResults(statistics: GridStatistics, work: GridWork): Promise<OpenResults> {
  const open =
    resultBytes(statistics) <= work.bytes * RESULTS_SHARE ? inMemory(statistics) : resultsInFile(statistics, work);
  try {
    await compute(statistics, work, open.results, 0, Number.POSITIVE_INFINITY);
    return open;
  } catch (error) {
    open.close();
    throw error;
  }
}

/** The results that are computed already, by `computeBlocks`. */
export function resultsInFile(statistics: GridStatistics, { results }: Pick<GridWork, 'results'>): OpenResults {
  const store = new FileStore(results);
  return { results: resultGrid(statistics, store), close: () => store.close() };
}

function inMemory(statistics: GridStatistics): OpenResults {
  return { results: resultGrid(statistics, new MemoryStore(resultBytes(statistics))), close: () => {} };
}

async function compute(
  statistics: GridStatistics,
  work: GridWork,
  results: ResultBuffer,
  from: number,
  to: number,
): Promise<void> {
  const blocks = blocksOf(statistics, work);
  for (const block of blocks.slice(from, to)) {
    await statistics.compute(work.core, block, results);
    work.progress(1 / blocks.length);
  }
}

function resultBytes({ columns, windows, ensemble }: GridStatistics): number {
  return ResultBuffer.bytes(columns, windows.count, ensemble.cells);
}

function resultGrid({ columns, windows, ensemble }: GridStatistics, store: FileStore | MemoryStore): ResultBuffer {
  return new ResultBuffer(columns, windows.count, ensemble.cells, store);
}
