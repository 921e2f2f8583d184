import type { Table } from 'apache-arrow';
import { checkAgainstOptions } from '../../climate/against-options.js';
import { ClimateReferences } from '../../climate/climate-reference.js';
import { readClimatology } from '../../climate/read-climatology.js';
import type { Core } from '../../core/load.js';
import { withOwnCore } from '../../core/own-core.js';
import type { Grid } from '../../ensemble/grid.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { WindowTable } from '../../period/period.js';
import { likelyTerciles } from '../../plot/map/likely-tercile.js';
import type { MapField } from '../../plot/map/map-field.js';
import { checkStatisticsOptions, requestedWindows, type Threshold } from '../../statistics/options.js';
import type { Statistic } from '../../statistics/statistic.js';
import { StatisticsPlan } from '../../statistics/statistics-plan.js';
import { someWindows } from '../../statistics/windowed-part.js';
import { statedCalendar } from '../../table/columns/day-column.js';
import { type Shown, shownHold, shownLimit, toShown } from '../view/units.js';
import type { WindowChoice } from '../view/window-choice.js';

/** What a map shows of the members: the mean, a quantile, the share beyond a threshold, or the most likely tercile. */
export type MapStatistic =
  | { readonly kind: 'mean' }
  | { readonly kind: 'quantile'; readonly probability: number }
  | { readonly kind: 'exceedance'; readonly threshold: Threshold }
  | { readonly kind: 'tercile'; readonly climatology: Table };

/** Bytes of values that are read at a time. */
const BLOCK_BYTES = 134_217_728;

/** The windows of a grid. */
export function windowsOfGrid(grid: GridEnsemble, choice: WindowChoice): WindowTable {
  return requestedWindows(grid, checkStatisticsOptions(choice), statedCalendar(grid.metadata));
}

/** Which window of a grid, and what of it. */
interface WindowRequest {
  readonly choice: WindowChoice;
  /** Its place among the windows of the grid. */
  readonly window: number;
  readonly statistic: MapStatistic;
  readonly shown: Shown;
  readonly signal: AbortSignal;
  /** Called with the share of cells that are done. */
  readonly onProgress: (share: number) => void;
}

/** Computes a statistic of one window at all cells, of the days of that window alone. Throws what reading throws. */
export async function fieldOfWindow(core: Core, grid: GridEnsemble, request: WindowRequest): Promise<MapField> {
  const { choice, window, statistic, shown, signal, onProgress } = request;
  const checked = checkStatisticsOptions({
    ...choice,
    quantiles: statistic.kind === 'quantile' ? [statistic.probability] : [0.5],
    thresholds: statistic.kind === 'exceedance' ? [statistic.threshold] : [],
  });
  const { metadata, variable, units, cells, days } = grid;
  const head = { metadata, variable, units };
  const normal = statistic.kind === 'tercile' ? readClimatology(statistic.climatology) : undefined;
  const references = normal && new ClimateReferences(normal, checkAgainstOptions(normal, choice));
  const { window: held } = new StatisticsPlan(head, checked);
  const one = someWindows(windowsOfGrid(grid, choice), window, window + 1);
  const [first, count] = [one.first[0], one.days[0]];
  const windows = { ...one, first: Int32Array.of(0), firstDay: grid.firstDay + first };
  const values = new Float64Array(cells);
  const categories = references && new Float64Array(cells);
  // Blocks are made for all days, of which some are read.
  for (const block of grid.blocks(Math.floor((BLOCK_BYTES * days) / count), [])) {
    await withOwnCore(core, async (own) => {
      const mark = own.memory.mark();
      try {
        const part = await grid.read({ ...block, day: first, days: count }, own, { signal });
        const plan = new StatisticsPlan(head, checked, references?.of({ ...head, parts: [part] }));
        const columns = plan.compute(own, { ...part, windows });
        if (statistic.kind === 'tercile') {
          const likely = likelyTerciles(columns.categories[0]);
          values.set(likely.values, block.cell);
          categories?.set(likely.categories, block.cell);
        } else if (statistic.kind === 'exceedance') values.set(columns.probabilities[0], block.cell);
        else {
          const found = statistic.kind === 'mean' ? columns.mean : columns.quantiles[0];
          values.set(
            found.map((value) => toShown(shown, value)),
            block.cell,
          );
        }
      } finally {
        own.memory.release(mark);
      }
    });
    onProgress((block.cell + block.cells) / cells);
  }
  return {
    ...{ grid: grid.grid satisfies Grid, values, metadata, members: grid.members.length },
    ...(categories === undefined ? { statistic: shownStatistic(statistic, shown) } : { categories }),
    ...(variable && { variable: variable.slug }),
    ...(shown.label !== '' && { units: shown.label }),
    // Maps read what windows hold, so that it has no unit.
    window: shownHold(`${held}`, { ...shown, days: shown.days && { ...shown.days, label: '' } }),
    ...{ granularity: one.granularity, start: one.start[0], end: one.end[0] },
    ...(one.keys && { period: one.keys[0] }),
  };
}

function shownStatistic(statistic: MapStatistic, shown: Shown): Statistic | undefined {
  if (statistic.kind === 'tercile') return undefined;
  if (statistic.kind !== 'exceedance') return statistic;
  const { operator, limit } = statistic.threshold;
  return { kind: 'exceedance', threshold: { operator, limit: shownLimit(limit, shown) } };
}
