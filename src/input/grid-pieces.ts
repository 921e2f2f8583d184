import type { RowOrder } from '../core/field.js';
import { valueBytes } from '../core/number-arrays.js';
import { isPlumecastError } from '../errors.js';
import type { ResultColumn, ResultValues } from '../files/cf/content/result-cube.js';
import type { Block } from '../files/cf/grid-ensemble.js';
import type { GridStatistics } from './grid-statistics.js';
import { type ResultBox, ResultBuffer, type ResultBytes } from './result-buffer.js';

/*
 * A grid is divided into pieces so that processes on several machines compute it. The pieces depend only on the file
 * and on their number, not on memory or threads.
 */

/** How much less memory each try to divide a grid gives to a piece. */
const LESS = 0.8;

/**
 * Divides a grid into at least `pieces` pieces, as few as that takes: cells, or complete windows, whichever reads the
 * stored values more rarely. Fewer if it cannot be divided further; none if it cannot be divided at all.
 */
export function divideGrid(statistics: GridStatistics, pieces: number): Block[] {
  const { members, cells, days, type } = statistics.ensemble;
  let divided: readonly Block[] = [];
  // While a block is read, it takes a few times the bytes of its values.
  for (let bytes = 4 * members.length * cells * days * valueBytes(type); divided.length < pieces; bytes *= LESS) {
    const blocks = blocksOf(statistics, bytes);
    if (blocks.length === 0) break;
    divided = blocks;
  }
  return divided.length > 1 ? [...divided] : [];
}

/** Blocks of at most so many bytes that have windows; none if not even the smallest block is that small. */
function blocksOf(statistics: GridStatistics, bytes: number): Block[] {
  try {
    return statistics.blocks(bytes).filter((block) => statistics.boxOf(block).windows > 0);
  } catch (error) {
    if (isPlumecastError(error, 'data')) return [];
    throw error;
  }
}

/** What pieces and blocks have in common: blocks of one piece after the other. */
export function blocksInPieces(blocks: readonly Block[], pieces: readonly Block[]): Block[] {
  return pieces.flatMap((piece) =>
    blocks
      .map((block) => {
        const cell = Math.max(piece.cell, block.cell);
        const day = Math.max(piece.day, block.day);
        const cells = Math.min(piece.cell + piece.cells, block.cell + block.cells) - cell;
        const days = Math.min(piece.day + piece.days, block.day + block.days) - day;
        return { cell, cells, day, days };
      })
      .filter(({ cells, days }) => cells > 0 && days > 0),
  );
}

/** The results of some pieces of a grid: one piece after the other, each as in a ResultBuffer. */
export class PieceResults {
  readonly #columns: readonly ResultColumn[];
  readonly #pieces: readonly { readonly box: ResultBox; readonly results: ResultBuffer }[];

  constructor(columns: readonly ResultColumn[], boxes: readonly ResultBox[], store: ResultBytes) {
    this.#columns = columns;
    let next = 0;
    this.#pieces = boxes.map((box) => {
      const start = next;
      next += ResultBuffer.bytes(columns, box.windows, box.cells);
      const own: ResultBytes = {
        write: (bytes, at) => store.write(bytes, start + at),
        read: (into, at) => store.read(into, start + at),
      };
      return { box, results: new ResultBuffer(columns, box.windows, box.cells, own) };
    });
  }

  /** Writes the values of a box that is within one piece. */
  write(column: number, box: ResultBox, values: ResultValues, order: RowOrder): void {
    const piece = this.#pieces.find(({ box: own }) => contains(own, box));
    if (piece === undefined) return;
    const within = { ...box, window: box.window - piece.box.window, cell: box.cell - piece.box.cell };
    piece.results.write(column, within, values, order);
  }

  /** Copies all pieces to the results of the grid, a window at a time. */
  copyTo(target: Pick<ResultBuffer, 'write'>): void {
    for (const { box, results } of this.#pieces) {
      for (const column of this.#columns.keys()) {
        for (let window = 0; window < box.windows; window++) {
          const values = results.read(column, { window, windows: 1, cell: 0, cells: box.cells });
          target.write(column, { ...box, window: box.window + window, windows: 1 }, values, 'cell-fastest');
        }
      }
    }
  }
}

function contains(piece: ResultBox, box: ResultBox): boolean {
  return (
    (box.windows === 0 || (piece.window <= box.window && box.window + box.windows <= piece.window + piece.windows)) &&
    piece.cell <= box.cell &&
    box.cell + box.cells <= piece.cell + piece.cells
  );
}
