import type { Core } from '../../core/load.js';
import type { Block } from '../../files/cf/grid-ensemble.js';
import type { GridStatistics } from './grid-statistics.js';
import { MemoryStore, ResultBuffer } from './result-buffer.js';
import { FileStore } from './result-file.node.js';

/** What is needed to compute the results of a grid. */
export interface GridWork {
  readonly core: Core;
  /** The maximum number of bytes of values to hold at a time. */
  readonly bytes: number;
  /** The path of a file for results that are too large for memory, or that several threads compute. */
  readonly results: string;
  /** Called after each block with its share of all blocks, from 0 to 1. */
  readonly progress: (share: number) => void;
}

/** The share of the memory that a block may take; the rest is for writing, and for what readers hold. */
const BLOCK_SHARE = 0.75;
/** The share of the memory that results may take; larger results go to a file. */
const RESULTS_SHARE = 0.2;

/** The results of a grid, which have to be closed. */
export interface OpenResults {
  readonly results: ResultBuffer;
  close(): void;
}

/** Divides a grid into blocks, the same in every thread. */
export function planBlocks(statistics: GridStatistics, { bytes }: Pick<GridWork, 'bytes'>): readonly Block[] {
  return statistics.blocks(bytes * BLOCK_SHARE);
}

/** Computes the blocks from `from` up to, not including, `to`, and writes them to the file of results. */
export async function computeBlocks(
  statistics: GridStatistics,
  work: GridWork,
  from: number,
  to: number,
): Promise<void> {
  const { results, close } = openResultsFile(statistics, work);
  try {
    await compute(statistics, work, results, from, to);
  } finally {
    close();
  }
}

/** Computes all results of a grid, in memory if they are small. */
export async function computeResults(statistics: GridStatistics, work: GridWork): Promise<OpenResults> {
  const open =
    resultBytes(statistics) <= work.bytes * RESULTS_SHARE ? inMemory(statistics) : openResultsFile(statistics, work);
  try {
    await compute(statistics, work, open.results, 0, Number.POSITIVE_INFINITY);
    return open;
  } catch (error) {
    open.close();
    throw error;
  }
}

/** Opens the file of results that `computeBlocks` writes. */
export function openResultsFile(statistics: GridStatistics, { results }: Pick<GridWork, 'results'>): OpenResults {
  const store = new FileStore(results);
  return { results: createBuffer(statistics, store), close: () => store.close() };
}

function inMemory(statistics: GridStatistics): OpenResults {
  return { results: createBuffer(statistics, new MemoryStore(resultBytes(statistics))), close: () => {} };
}

async function compute(
  statistics: GridStatistics,
  work: GridWork,
  results: ResultBuffer,
  from: number,
  to: number,
): Promise<void> {
  const blocks = planBlocks(statistics, work);
  for (const block of blocks.slice(from, to)) {
    await statistics.compute(work.core, block, results);
    work.progress(1 / blocks.length);
  }
}

function resultBytes({ columns, windows, ensemble }: GridStatistics): number {
  return ResultBuffer.bytes(columns, windows.count, ensemble.cells);
}

function createBuffer({ columns, windows, ensemble }: GridStatistics, store: FileStore | MemoryStore): ResultBuffer {
  return new ResultBuffer(columns, windows.count, ensemble.cells, store);
}
