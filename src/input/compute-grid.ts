import type { Core } from '../core/load.js';
import { countChunkReads, findReadPlan } from '../files/cf/days/read-plan.js';
import type { Block } from '../files/cf/grid-ensemble.js';
import { blocksInPieces, PieceResults } from './grid-pieces.js';
import type { ComputedGrid, GridStatistics } from './grid-statistics.js';
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
  /** Only these pieces of the grid. */
  readonly pieces?: readonly Block[];
  /** Other statistics of the same values, which are computed from the same blocks. */
  readonly siblings?: readonly GridSibling[];
}

/** Statistics that are computed together with others, and the path of the file of their results. */
export interface GridSibling {
  readonly statistics: GridStatistics;
  readonly results: string;
}

/** The share of the memory that a block may take; the rest is for writing, and for what readers hold. */
const BLOCK_SHARE = 0.75;
/** From so many times as many decoded chunks on, several threads take longer than one. */
const COSTLY = 1.5;
/** The share of the memory that results may take; larger results go to a file. */
const RESULTS_SHARE = 0.2;

/** A file with the results of some pieces of a grid. */
export interface PiecesFile {
  readonly path: string;
  readonly blocks: readonly Block[];
}

/** The results of a grid, which have to be closed. */
export interface OpenResults {
  readonly results: ResultBuffer;
  close(): void;
}

/** Divides a grid, or pieces of it, into blocks, the same in every thread. */
export function planBlocks(
  statistics: GridStatistics,
  { bytes, pieces, siblings = [] }: Pick<GridWork, 'bytes' | 'pieces' | 'siblings'>,
): readonly Block[] {
  const others = siblings.map((sibling) => sibling.statistics);
  const blocks = statistics.blocks(bytes * BLOCK_SHARE, others);
  return pieces === undefined ? blocks : blocksInPieces(blocks, pieces);
}

/**
 * Whether one thread alone, in memory `alone`, is faster than several that share `blocks`: where it decodes each stored
 * chunk once, and they several times, as a window of all cells does not fit into the memory of each.
 */
export function isFasterAlone(
  statistics: GridStatistics,
  blocks: readonly Block[],
  alone: Pick<GridWork, 'bytes' | 'pieces'>,
): boolean {
  return isCostly(chunksDecoded(statistics, blocks), chunksDecoded(statistics, planBlocks(statistics, alone)));
}

/** Whether several threads that decode `shared` chunks take longer than one that decodes `alone`. */
export function isCostly(shared: number, alone: number): boolean {
  return shared > 0 && shared > COSTLY * alone;
}

/** How often chunks are decoded for some blocks; 0 where values are not stored in chunks. */
export function chunksDecoded({ ensemble }: GridStatistics, blocks: readonly Block[]): number {
  const plan = findReadPlan(ensemble);
  return (plan && countChunkReads(plan, blocks)?.decoded) ?? 0;
}

/** Computes the blocks from `from` up to, not including, `to`, and writes them to the file of results. */
export async function computeBlocks(
  statistics: GridStatistics,
  work: GridWork,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { pieces, siblings = [] } = work;
  const { results, close } =
    pieces === undefined ? openResultsFile(statistics, work) : openPieces(statistics, work.results, pieces);
  const open = [close];
  try {
    const others: ComputedGrid[] = [];
    for (const sibling of siblings) {
      const file = openResultsFile(sibling.statistics, sibling);
      open.push(file.close);
      others.push({ statistics: sibling.statistics, results: file.results });
    }
    await compute(statistics, work, results, from, to, others);
  } finally {
    for (const end of open) end();
  }
}

/** Computes all results of a grid, in memory if they are small, else in a file. */
export async function computeResults(
  statistics: GridStatistics,
  work: GridWork,
  kind: 'named' | 'unnamed' = 'named',
): Promise<OpenResults> {
  const open =
    resultBytes(statistics) <= work.bytes * RESULTS_SHARE
      ? inMemory(statistics)
      : openResultsFile(statistics, work, kind);
  try {
    await compute(statistics, work, open.results, 0, Number.POSITIVE_INFINITY);
    return open;
  } catch (error) {
    open.close();
    throw error;
  }
}

/** Opens the file of results that `computeBlocks` writes. */
export function openResultsFile(
  statistics: GridStatistics,
  { results }: Pick<GridWork, 'results'>,
  kind: 'named' | 'unnamed' = 'named',
): OpenResults {
  const store = new FileStore(results, kind);
  return { results: createBuffer(statistics, store), close: () => store.close() };
}

/** Opens the results of a grid, which are joined from files of pieces. */
export function openComputedPieces(
  statistics: GridStatistics,
  work: Pick<GridWork, 'results'>,
  files: readonly PiecesFile[],
): OpenResults {
  const open = openResultsFile(statistics, work);
  try {
    for (const { path, blocks } of files) {
      const { results, close } = openPieces(statistics, path, blocks);
      try {
        results.copyTo(open.results);
      } finally {
        close();
      }
    }
    return open;
  } catch (error) {
    open.close();
    throw error;
  }
}

/** Opens a file of the results of some pieces. */
function openPieces(
  statistics: GridStatistics,
  path: string,
  pieces: readonly Block[],
): { results: PieceResults; close(): void } {
  const store = new FileStore(path);
  const boxes = pieces.map((piece) => statistics.boxOf(piece));
  return { results: new PieceResults(statistics.columns, boxes, store), close: () => store.close() };
}

function inMemory(statistics: GridStatistics): OpenResults {
  return { results: createBuffer(statistics, new MemoryStore(resultBytes(statistics))), close: () => {} };
}

async function compute(
  statistics: GridStatistics,
  work: GridWork,
  results: Pick<ResultBuffer, 'write'>,
  from: number,
  to: number,
  others: readonly ComputedGrid[] = [],
): Promise<void> {
  const blocks = planBlocks(statistics, work);
  for (const block of blocks.slice(from, to)) {
    await statistics.compute(work.core, block, results, others);
    work.progress(1 / blocks.length);
  }
}

function resultBytes({ columns, windows, ensemble }: GridStatistics): number {
  return ResultBuffer.bytes(columns, windows.count, ensemble.cells);
}

function createBuffer({ columns, windows, ensemble }: GridStatistics, store: FileStore | MemoryStore): ResultBuffer {
  return new ResultBuffer(columns, windows.count, ensemble.cells, store);
}
