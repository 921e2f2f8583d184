import type { Work } from '../../check/work.js';
import { spreadCells } from '../store/block-sample.js';
import type { Series } from '../store/write-blocks.node.js';
import type { Cells } from './daily-values.js';

/** Values of consecutive places that are read one run after the other. */
export interface PlaceRuns {
  /** The number of values of a place. */
  readonly width: number;
  /** All places, in order. */
  readonly runs: readonly Cells[];
  /** Fills an array with the values of a run, place after place. */
  read(run: Cells, into: Float32Array): Promise<void>;
}

/** The values of a part of a block, and of a block of places in another order. */
const BLOCK_VALUES = 1_048_576;

/**
 * The values of a series that are read some places at a time, each once. Places may be put into another order where all are
 * in one run; those below 0 are missing.
 */
export function placedSeries({ width, runs, read }: PlaceRuns, order?: Int32Array): Pick<Series, 'blocks' | 'sample'> {
  let buffer = new Float32Array(0);
  const readRun = async (run: Cells) => {
    const length = run.cells * width;
    if (buffer.length < length) buffer = new Float32Array(length);
    const values = buffer.subarray(0, length);
    await read(run, values);
    return values;
  };
  let held: Promise<Float32Array> | undefined;
  const first = () => {
    held ??= readRun(runs[0]);
    return held;
  };
  async function* blocks() {
    for (const [r, run] of runs.entries()) {
      const values = await (r === 0 ? first() : readRun(run));
      if (order === undefined) yield values;
      else yield* orderedBlocks(values, width, order);
      held = undefined;
    }
  }
  const sample = async (count: number) => {
    const values = await first();
    const all = order === undefined ? undefined : Int32Array.from(order.keys()).filter((place) => order[place] >= 0);
    const chosen = spreadCells(all?.length ?? runs[0].cells, count);
    const cells = all === undefined ? chosen : chosen.map((i) => all[i]);
    const own = order === undefined ? cells : cells.map((place) => order[place]);
    return { cells, values: takePlaces(values, width, own) };
  };
  return { blocks: blocks(), sample };
}

/** Passes on blocks of values, of which each place has `width`, in parts that are counted; others get their turn between. */
export function countBlocks(
  work: Work,
  blocks: Iterable<Float32Array> | AsyncIterable<Float32Array>,
  width: number,
): AsyncGenerator<Float32Array> {
  const most = width * Math.max(1, Math.floor(BLOCK_VALUES / width));
  async function* parts() {
    for await (const block of blocks) {
      for (let at = 0; at < block.length; at += most) yield block.subarray(at, at + most);
    }
  }
  return work.stream(parts(), ({ length }) => length);
}

function* orderedBlocks(values: Float32Array, width: number, order: Int32Array): Generator<Float32Array> {
  const most = Math.max(1, Math.floor(BLOCK_VALUES / width));
  for (let from = 0; from < order.length; from += most) {
    yield takePlaces(values, width, order.subarray(from, from + most));
  }
}

/** The values of some places; those below 0 are missing. */
function takePlaces(values: Float32Array, width: number, places: Int32Array): Float32Array {
  const taken = new Float32Array(places.length * width);
  for (const [i, place] of places.entries()) {
    const [at, end] = [i * width, (i + 1) * width];
    if (place < 0) taken.fill(Number.NaN, at, end);
    else taken.set(values.subarray(place * width, (place + 1) * width), at);
  }
  return taken;
}
