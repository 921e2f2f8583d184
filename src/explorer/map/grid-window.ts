import type { Table } from 'apache-arrow';
import { checkAgainstOptions } from '../../climate/against-options.js';
import { ClimateReferences } from '../../climate/climate-reference.js';
import { readClimatology } from '../../climate/read-climatology.js';
import type { Core } from '../../core/load.js';
import type { Grid } from '../../ensemble/grid.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { WindowTable } from '../../period/period.js';
import type { MapField } from '../../plot/map/map-field.js';
import { checkStatisticsOptions, requestedWindows, type Threshold } from '../../statistics/options.js';
import type { Statistic } from '../../statistics/statistic.js';
import { StatisticsPlan } from '../../statistics/statistics-plan.js';
import { someWindows } from '../../statistics/windowed-part.js';
import { statedCalendar } from '../../table/columns/day-column.js';
import { type Shown, shownHold, shownLimit, toShown } from '../view/units.js';
import type { WindowChoice } from '../view/window-choice.js';
import type { KeptFields, WindowField } from './kept-fields.js';
import { type FieldPlan, type FieldReading, readFields, type WindowRange, windowsTogether } from './read-fields.js';

/** What a map shows of the members: the mean, a quantile, the share beyond a threshold, or the most likely tercile. */
export type MapStatistic =
  | { readonly kind: 'mean' }
  | { readonly kind: 'quantile'; readonly probability: number }
  | { readonly kind: 'exceedance'; readonly threshold: Threshold }
  | { readonly kind: 'tercile'; readonly climatology: Table };

/** The windows of a grid. */
export function windowsOfGrid(grid: GridEnsemble, choice: WindowChoice): WindowTable {
  return requestedWindows(grid, checkStatisticsOptions(choice), statedCalendar(grid.metadata));
}

/** Which window of a grid, and what of it. */
interface WindowRequest extends FieldReading {
  readonly choice: WindowChoice;
  /** Its place among the windows of the grid. */
  readonly window: number;
  readonly statistic: MapStatistic;
  readonly shown: Shown;
  /** What was computed before. */
  readonly kept: KeptFields;
}

/**
 * A statistic of one window at all cells, by the days of that window, or of others that are stored together with them: what is
 * computed is kept. Throws what reading throws.
 */
export async function fieldOfWindow(core: Core, grid: GridEnsemble, request: WindowRequest): Promise<MapField> {
  const { choice, window, statistic, shown } = request;
  const checked = checkStatisticsOptions({
    ...choice,
    quantiles: statistic.kind === 'quantile' ? [statistic.probability] : [],
    thresholds: statistic.kind === 'exceedance' ? [statistic.threshold] : [],
  });
  const { metadata, variable, units } = grid;
  const head = { metadata, variable, units };
  const normal = statistic.kind === 'tercile' ? readClimatology(statistic.climatology) : undefined;
  const references = normal && new ClimateReferences(normal, checkAgainstOptions(normal, choice));
  const { window: held } = new StatisticsPlan(head, checked);
  const windows = windowsOfGrid(grid, choice);
  const one = someWindows(windows, window, window + 1);
  const found = await keptField(core, grid, windows, request, {
    kind: statistic.kind,
    plan: (part) => new StatisticsPlan(head, checked, references?.of({ ...head, parts: [part] })),
  });
  const isOfVariable = statistic.kind === 'mean' || statistic.kind === 'quantile';
  const values = isOfVariable ? found.values.map((value) => toShown(shown, value)) : found.values;
  return {
    ...{ grid: grid.grid satisfies Grid, values, metadata, members: grid.members.length },
    ...(found.categories === undefined
      ? { statistic: shownStatistic(statistic, shown) }
      : { categories: found.categories }),
    ...(variable && { variable: variable.slug }),
    ...(shown.label !== '' && { units: shown.label }),
    // Maps read what windows hold, so that it has no unit.
    window: shownHold(`${held}`, { ...shown, days: shown.days && { ...shown.days, label: '' } }),
    ...{ granularity: one.granularity, start: one.start[0], end: one.end[0] },
    ...(one.keys && { period: one.keys[0] }),
  };
}

/** The field of a window that is kept, else it is read, together with the windows that are stored with it. */
async function keptField(
  core: Core,
  grid: GridEnsemble,
  windows: WindowTable,
  request: WindowRequest,
  plan: FieldPlan,
): Promise<WindowField> {
  const { kept, window, statistic, choice, signal } = request;
  const objects = statistic.kind === 'tercile' ? [grid, statistic.climatology] : [grid];
  const key = kept.key(objects, JSON.stringify([choice, statistic.kind === 'tercile' ? statistic.kind : statistic]));
  const before = kept.get(key, window);
  if (before !== undefined) return before;
  const read = async (range: WindowRange) => {
    const fields = await readFields(core, grid, windows, range, plan, request);
    for (const [at, field] of fields.entries()) kept.set(key, range[0] + at, field);
    return fields[window - range[0]];
  };
  // Half of what is kept: windows that were shown before stay.
  const bytes = 8 * grid.cells * (statistic.kind === 'tercile' ? 2 : 1);
  const range = windowsTogether(grid, windows, window, Math.max(1, Math.floor(kept.bytes / 2 / bytes)));
  if (range[1] - range[0] === 1) return read(range);
  try {
    return await read(range);
  } catch (error) {
    // What is wrong with another window is said where that is shown.
    if (signal.aborted) throw error;
    return read([window, window + 1]);
  }
}

function shownStatistic(statistic: MapStatistic, shown: Shown): Statistic | undefined {
  if (statistic.kind === 'tercile') return undefined;
  if (statistic.kind !== 'exceedance') return statistic;
  const { operator, limit } = statistic.threshold;
  return { kind: 'exceedance', threshold: { operator, limit: shownLimit(limit, shown) } };
}
