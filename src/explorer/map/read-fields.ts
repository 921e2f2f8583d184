import type { Core } from '../../core/load.js';
import { withOwnCore } from '../../core/own-core.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { chunkLengths, findReadPlan } from '../../files/cf/days/read-plan.js';
import { stepsOfDays } from '../../files/cf/days/reduce-days.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { WindowTable } from '../../period/period.js';
import { likelyTerciles } from '../../plot/map/likely-tercile.js';
import type { StatisticsPlan } from '../../statistics/statistics-plan.js';
import { someWindows } from '../../statistics/windowed-part.js';
import type { WindowField } from './kept-fields.js';

/** Bytes of values that are read at a time. */
const BLOCK_BYTES = 134_217_728;

/** Windows that follow each other, from the first up to, not including, the last. */
export type WindowRange = readonly [from: number, to: number];

/**
 * The windows that are read together with one: those whose days lie in the compressed chunks that are decoded for it, at
 * most `most` of them; the window alone where values are not compressed, or chunks hold one time.
 */
export function windowsTogether(grid: GridEnsemble, windows: WindowTable, window: number, most: number): WindowRange {
  const alone: WindowRange = [window, window + 1];
  const plan = findReadPlan(grid);
  const { time: length } = plan === undefined ? { time: 1 } : chunkLengths(plan.layout);
  if (plan === undefined || length < 2 || !plan.layout.array.filters?.length) return alone;
  const stepsOf = (at: number) => stepsOfDays(plan, windows.first[at], windows.first[at] + windows.days[at]);
  const own = stepsOf(window);
  if (own.end === own.start) return alone;
  const start = Math.floor(own.start / length) * length;
  const end = Math.ceil(own.end / length) * length;
  const isWithin = (at: number) => {
    const steps = stepsOf(at);
    return steps.start >= start && steps.end <= end;
  };
  let [from, to] = alone;
  while (from > 0 && isWithin(from - 1)) from--;
  while (to < windows.count && isWithin(to)) to++;
  const first = Math.max(from, Math.min(window - Math.floor(most / 2), to - most));
  return [first, Math.max(window + 1, Math.min(to, first + most))];
}

/** What is computed of each window. */
export interface FieldPlan {
  readonly kind: 'mean' | 'quantile' | 'exceedance' | 'tercile';
  readonly plan: (part: EnsemblePart) => StatisticsPlan;
}

/** What reading reports, and what may stop it. */
export interface FieldReading {
  readonly signal: AbortSignal;
  /** Called with the share of cells that are done. */
  readonly onProgress: (share: number) => void;
}

/** Reads the days of some windows, and computes what a map shows of each. Throws what reading throws. */
export async function readFields(
  core: Core,
  grid: GridEnsemble,
  windows: WindowTable,
  [from, to]: WindowRange,
  { kind, plan }: FieldPlan,
  { signal, onProgress }: FieldReading,
): Promise<WindowField[]> {
  const { cells, days } = grid;
  const some = someWindows(windows, from, to);
  const first = Math.min(...some.first);
  const count = Math.max(...some.first.map((day, at) => day + some.days[at])) - first;
  const held = { ...some, first: some.first.map((day) => day - first), firstDay: grid.firstDay + first };
  const fields = Array.from({ length: some.count }, () => ({
    values: new Float64Array(cells),
    categories: kind === 'tercile' ? new Float64Array(cells) : undefined,
  }));
  // Blocks are made for all days, of which some are read.
  for (const block of grid.blocks(Math.floor((BLOCK_BYTES * days) / count), [])) {
    await withOwnCore(core, async (own) => {
      const mark = own.memory.mark();
      try {
        const part = await grid.read({ ...block, day: first, days: count }, own, { signal });
        const columns = plan(part).compute(own, { ...part, windows: held });
        const likely = kind === 'tercile' ? likelyTerciles(columns.categories[0]) : undefined;
        const [quantile] = columns.quantiles;
        const [share] = columns.probabilities;
        const values = likely?.values ?? { mean: columns.mean, quantile, exceedance: share, tercile: share }[kind];
        const isByDay = part.field.order === 'day-fastest';
        for (const [w, field] of fields.entries())
          for (let cell = 0; cell < block.cells; cell++) {
            const at = isByDay ? cell * some.count + w : w * block.cells + cell;
            field.values[block.cell + cell] = values[at];
            if (likely !== undefined && field.categories !== undefined)
              field.categories[block.cell + cell] = likely.categories[at];
          }
      } finally {
        own.memory.release(mark);
      }
    });
    onProgress((block.cell + block.cells) / cells);
  }
  return fields;
}
