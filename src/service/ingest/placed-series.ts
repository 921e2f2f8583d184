import type { EnsembleField } from '../../core/field.js';
import { spreadCells } from '../store/block-sample.js';
import type { Series } from '../store/write-blocks.node.js';
import type { Cells } from './daily-values.js';
import { placeBlocks, placeValues } from './place-blocks.js';

/** Fields of consecutive places, one after the other. */
export interface FieldRuns {
  /** All places, in order. */
  readonly runs: readonly Cells[];
  /** Reads a run, rows by location: valid until the next one is read. */
  read(run: Cells): Promise<EnsembleField>;
}

/**
 * The values of a series that are read some places at a time, each once. Places may be put into another order where all are
 * in one run; those below 0 are missing.
 */
export function placedSeries({ runs, read }: FieldRuns, order?: Int32Array): Pick<Series, 'blocks' | 'sample'> {
  let held: Promise<EnsembleField> | undefined;
  const first = () => {
    held ??= read(runs[0]);
    return held;
  };
  async function* blocks() {
    for (const [r, run] of runs.entries()) {
      yield* placeBlocks(await (r === 0 ? first() : read(run)), order);
      held = undefined;
    }
  }
  const sample = async (count: number) => {
    const field = await first();
    const all = order === undefined ? undefined : Int32Array.from(order.keys()).filter((place) => order[place] >= 0);
    const chosen = spreadCells(all?.length ?? field.cells, count);
    const cells = all === undefined ? chosen : chosen.map((i) => all[i]);
    return { cells, values: placeValues(field, cells, order) };
  };
  return { blocks: blocks(), sample };
}
